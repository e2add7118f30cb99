package sotto_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/statement"
)

// A report opens the mechanism that made it, whatever was given and whatever was chosen, and no
// other: another table or figure is an error that says what differs.
func TestReopenOpensTheMechanismOfAReport(t *testing.T) {
	t.Parallel()
	table := first(t, 60)
	for name, cfg := range map[string]sotto.Words{
		"chosen":   {Epsilon: 6},
		"given":    {Epsilon: 6, Parameters: mechanism.Values{"neighbours": "7"}},
		"metric":   {Mechanism: "tem", Epsilon: 3, Parameters: mechanism.Values{"beta": "0.01"}},
		"distinct": {Epsilon: 6, Unit: privacy.Word},
		"marked":   {Epsilon: 6, Marked: true},
	} {
		cfg.Table = table
		r, err := sotto.Open(t.Context(), cfg)
		if err != nil {
			t.Fatal(err)
		}
		data, err := json.Marshal(r.Statement(sotto.Counts{}))
		if err != nil {
			t.Fatal(err)
		}
		reopen := func(data string, cfg sotto.Words) (*sotto.Rewriter, error) {
			report, err := statement.ReadReported([]byte(data))
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			return sotto.Reopen(t.Context(), report, cfg)
		}
		again, err := reopen(string(data), sotto.Words{Table: table})
		if err != nil || again.Claim() != r.Claim() || again.Entry().Name != r.Entry().Name {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var differs *statement.ReportedError
		if _, err := reopen(string(data), sotto.Words{Table: first(t, 59)}); !errors.As(err, &differs) {
			t.Errorf("%s: another table is opened: %v", name, err)
		}
		if name == "given" { // a choice of this version is tried, a number that no choice gives is not
			forged := strings.Replace(string(data), `"outputs":`, `"outputs":1`, 1)
			if _, err := reopen(forged, sotto.Words{Table: table}); err == nil {
				t.Errorf("%s: %s is opened", name, forged)
			}
		}
	}
}
