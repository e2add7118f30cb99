package release

import (
	"bytes"
	"testing"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/embedding/builtin"
	"github.com/sotto-dp/sotto/privacy"
)

// An estimate exists for every kind of rewriter, whatever its texts may be, and none ends
// the command. What it is depends on the machine.
func TestEveryRunHasAnEstimateOfItsTime(t *testing.T) {
	for name, cfg := range map[string]sotto.Config{
		"tokens":         {Epsilon: 8},
		"distinct words": {Epsilon: 8, Unit: privacy.Word},
		"a short cap":    {DocumentEpsilon: 30, DocumentTokens: 1},
		"texts":          {Epsilon: 4, Unit: privacy.Text},
		"users":          {Epsilon: 4, Unit: privacy.Text, PerUser: 3},
		"marked tokens":  {Epsilon: 4, Marked: true},
	} {
		r, err := sotto.Open(t.Context(), cfg)
		if err != nil {
			t.Fatal(err)
		}
		seconds, err := secondsOf(t.Context(), cfg, r, 1000, 10)
		if err != nil || seconds == nil && name != "a short cap" || seconds != nil && !(*seconds > 0) {
			t.Errorf("%s: %v, %v", name, seconds, err)
		}
		if none, err := secondsOf(t.Context(), cfg, r, 0, 0); err != nil || none != nil && *none != 0 {
			t.Errorf("%s: nothing takes %v, %v", name, none, err)
		}
	}
}

// Samples are public words in lines of a bounded length, each sample of its own words.
func TestSamplesOfWords(t *testing.T) {
	table, err := builtin.English()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, n := range []int{64, 256, 1024} {
		lines, words := tableLines(table, n, 16)
		if words != n || bytes.Count(lines, []byte("\n")) != n/16 {
			t.Errorf("%d words in %d lines, want %d in %d", words, bytes.Count(lines, []byte("\n")), n, n/16)
		}
		for _, w := range bytes.Fields(lines) {
			if seen[string(w)] {
				t.Errorf("%q is in two samples", w)
			}
			seen[string(w)] = true
		}
	}
	small, err := table.First(100)
	if err != nil {
		t.Fatal(err)
	}
	if _, words := tableLines(small, 1024, 16); words != 100 {
		t.Errorf("%d words of a table of 100", words)
	}
}
