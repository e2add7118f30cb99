package opening

import (
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/privacy/identity"
)

func TestRowsOfAnotherReleaseAreRefused(t *testing.T) {
	drawn := func(weight float64, texts ...string) *identity.Drawn {
		var rows identity.Tally
		for _, text := range texts {
			rows.Add([]string{"late"}, []byte(text), weight)
		}
		one := rows.Drawn()
		return &one
	}
	same := func(stated *identity.Drawn, weights []float64, texts ...string) error {
		labels := make([][]string, len(texts))
		for i := range labels {
			labels[i] = []string{" late"}
		}
		return SameRows("copy.tsv", "copy.json", stated, labels, func(row int) []byte { return []byte(texts[row]) }, weights)
	}
	plain, weighted := drawn(1, "one", "two"), drawn(0.5, "one", "two")
	for _, err := range []error{
		same(plain, nil, "two", "one"), same(plain, []float64{1, 1}, "two", "one"), same(weighted, []float64{0.5, 0.5}, "one", "two"), same(nil, nil, "any"),
	} {
		if err != nil {
			t.Error(err)
		}
	}
	for want, err := range map[string]error{
		"has 2 rows: this file has 3": same(plain, nil, "one", "two", "two"),
		"has 2 rows: this file has 1": same(plain, nil, "one"),
		"its rows are others":         same(plain, nil, "one", "three"),
		"with --weight":               same(weighted, nil, "one", "two"),
		"leave --weight out":          same(plain, []float64{3, 4}, "two", "one"),
		"all its rows":                same(weighted, []float64{0.5, 0.6}, "one", "two"),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
