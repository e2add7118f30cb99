package typed

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestBackPutsBackWhatIsSure(t *testing.T) {
	m := NewMap()
	values := []Value{{"PERSON", "Ada Byron"}, {"PERSON", "Grace"}, {"PERSON", "Alan"}, {"LOCATION", "Paris"}, {"AGE", "36"}, {"LOCATION", "Bath"}}
	for i, surrogate := range []string{"Mary Ann Lee", "Mary Ann", "Tom Baker", "Tom Baker", "41", "Lyon"} {
		m.Put(values[i].Type, values[i].Value, i, surrogate)
	}
	m.Put("PERSON", "somebody else", 9, "Rita Novak")
	b := m.Back(values, [][]byte{[]byte("the train to Lyon")})
	for _, c := range [][2]string{
		{"Mary Ann Lee's note", "Ada Byron's note"}, // the longest
		{"Mary Ann, (Mary Ann)", "Grace, (Grace)"},
		{"Tom Baker", "Tom Baker"},   // of two values
		{"aged 41", "aged 41"},       // short
		{"in Lyon", "in Lyon"},       // it is in the prompt as it is
		{"Rita Novak", "Rita Novak"}, // of another conversation
		{"Mary Annie, xMary Ann, mary ann, Mary", "Mary Annie, xMary Ann, mary ann, Mary"},
		{"élMary Ann Mary Ann", "élMary Ann Grace"},
	} {
		if got := b.Text(c[0]); got != c[1] {
			t.Errorf("%q became %q, want %q", c[0], got, c[1])
		}
	}
	if again := m.Back(values[:1], nil).Text("Mary Ann"); again != "Mary Ann" {
		t.Errorf("a part of a surrogate became %q", again)
	}
	for copied, want := range map[string]string{"": "Grace met somebody else, Tom Baker, 41", "to Mary Ann": "Grace met Rita Novak, Tom Baker, 41"} {
		all := m.All()
		if copied != "" {
			all = all.In([]byte(copied))
		}
		if got := all.Text("Mary Ann met Rita Novak, Tom Baker, 41"); got != want {
			t.Errorf("all of the map, or of %q: %q", copied, got)
		}
	}
	if s := fmt.Sprintf("%v %+v %#v", b, b, b); strings.Contains(s, "Ada") {
		t.Error(s)
	}
	if _, err := json.Marshal(b); err == nil {
		t.Error("originals marshal")
	}
}

// A copy of many values is read once, also where they begin alike and have many lengths.
func TestBackOfManyValues(t *testing.T) {
	m := NewMap()
	var copied, want strings.Builder
	for i := range 20_000 {
		value, surrogate := fmt.Sprintf("value %d", i), fmt.Sprintf("EXAMPLE-SECRET-%d", i)
		m.Put("SECRET", value, i, surrogate)
		copied.WriteString(surrogate + " of\n")
		want.WriteString(value + " of\n")
	}
	began := time.Now()
	back := m.All().In([]byte(copied.String()))
	if got := back.Text(copied.String()); got != want.String() {
		t.Errorf("%.100q", got)
	}
	if took := time.Since(began); took > 5*time.Second { // two minutes with a comparison of all pairs
		t.Errorf("took %v", took)
	}
}
