package sotto_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/statement"
)

// A figure is stated for the setting that was measured, and for no other.
func TestReaderIsOfTheSettingThatWasMeasured(t *testing.T) {
	stage.Unraced(t)
	for name, c := range map[string]struct {
		cfg  sotto.Configuration
		want bool
	}{
		"as measured":           {sotto.Config{Epsilon: 8}, true},
		"between two":           {sotto.Config{Epsilon: 8.5}, true},
		"beyond the last":       {sotto.Config{Epsilon: 17}, false},
		"a parameter":           {sotto.Config{Epsilon: 8, Parameters: mechanism.Values{"neighbours": "20"}}, false},
		"the calibration":       {sotto.Config{Mechanism: "exponential", Epsilon: 2}, true},
		"published calibration": {sotto.Config{Mechanism: "exponential", Epsilon: 2, Published: true}, false},
		"a cap that refuses":    {sotto.Words{Cap: sotto.Cap{Epsilon: 80, Tokens: 10, Over: sotto.Refuse}}, true},
		"a cap that clamps":     {sotto.Words{Cap: sotto.Cap{Epsilon: 80, Tokens: 10, Over: sotto.Clamp}}, false},
	} {
		r, err := sotto.Open(t.Context(), c.cfg)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if _, found := r.Statement(sotto.Counts{}).Measured(); found != c.want {
			t.Errorf("%s: measured is %v", name, found)
		}
	}
}

// Another version chose sets of another size. Its reports state no parameter as given, and
// what was measured is not of them.
func TestReaderIsNotOfSetsOfAnotherSize(t *testing.T) {
	for epsilon, sizes := range map[float64]map[int]bool{
		8:   {33: false, 40: true},
		8.5: {39: true, 41: false},
		10:  {1: false, 7: true},
	} {
		r, err := sotto.Open(t.Context(), sotto.Config{Epsilon: epsilon})
		if err != nil {
			t.Fatal(err)
		}
		for size, want := range sizes {
			s := r.Statement(sotto.Counts{})
			s.Parameters["neighbours"] = size
			data, err := json.Marshal(s)
			if err != nil {
				t.Fatal(err)
			}
			old, err := statement.Read(data)
			if err != nil {
				t.Fatal(err)
			}
			if _, found := old.Measured(); found != want {
				t.Errorf("%d words at %g: measured is %v", size, epsilon, found)
			}
			if stated := strings.HasPrefix(old.Reader(), "A reader"); stated != want {
				t.Errorf("%d words at %g: %s", size, epsilon, old.Reader())
			}
		}
	}
}
