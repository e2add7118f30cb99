package opening

import (
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/synthesis"
)

func TestRowsOfAnotherReleaseAreRefused(t *testing.T) {
	drawn := func(texts ...string) synthesis.Drawn {
		var rows synthesis.Tally
		for _, text := range texts {
			rows.Add([]string{"late"}, []byte(text), 1)
		}
		return rows.Drawn()
	}
	stated := drawn("one", "two")
	if err := SameRows("copy.tsv", "copy.json", &stated, drawn("two", "one"), false); err != nil {
		t.Error(err)
	}
	for want, found := range map[string]synthesis.Drawn{
		"has 2 rows: this file has 3": drawn("one", "two", "two"),
		"has 2 rows: this file has 1": drawn("one"),
		"its rows are others":         drawn("one", "three"),
	} {
		if err := SameRows("copy.tsv", "copy.json", &stated, found, false); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
