package cli

import (
	"strings"
	"testing"
)

// A file without a header begins with a record, so a log is told nothing of the first line.
func TestFirstLineIsForAPerson(t *testing.T) {
	if hint := columnsHint([]string{"Smith", "HIV"}, true); hint != `the columns are "Smith", "HIV"` {
		t.Error(hint)
	}
	for _, first := range [][]string{{"Smith", "HIV"}, {"Smith;HIV"}, make([]string, 30)} {
		hint := columnsHint(first, false)
		if hint == "" || strings.Contains(hint, "Smith") || strings.Contains(hint, "HIV") || strings.Contains(hint, "30") {
			t.Errorf("%q", hint)
		}
		if other := columnsHint(append([]string{"Jones|well"}, first[1:]...), false); other != hint {
			t.Errorf("two first lines give %q and %q", hint, other)
		}
	}
	if hint := columnsHint([]string{"label;text"}, true); !strings.Contains(hint, "--delimiter ';'") {
		t.Errorf("of the separator: %q", hint)
	}
}
