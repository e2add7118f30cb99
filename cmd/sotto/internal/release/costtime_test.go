package release

import (
	"bytes"
	"testing"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/opening"
	"github.com/sotto-dp/sotto/embedding/builtin"
	"github.com/sotto-dp/sotto/request"
)

// An estimate exists for every kind of rewriter, whatever its texts may be, and none ends
// the command. What it is depends on the machine.
func TestEveryRunHasAnEstimateOfItsTime(t *testing.T) {
	four, eight, thirty := 4.0, 8.0, 30.0
	text := request.Protected{Unit: "text"}
	for name, asked := range map[string]request.Request{
		"tokens":         {Opening: request.Opening{Epsilon: &eight}},
		"distinct words": {Opening: request.Opening{Epsilon: &eight}, Distinct: request.Distinct{Consistent: true}},
		"a short cap":    {Cap: request.Cap{DocumentEpsilon: &thirty, DocumentTokens: 1}},
		"texts":          {Opening: request.Opening{Epsilon: &four}, Protected: text},
		"users":          {Opening: request.Opening{Epsilon: &four}, Protected: text, Users: request.Users{User: "u", PerUser: 3}},
		"marked tokens":  {Opening: request.Opening{Epsilon: &four}, Marks: request.Marks{Spans: "spans"}},
	} {
		run := timing{asked, opening.Sources(nil), nil}
		cfg, err := asked.Config(t.Context(), "cost", run.from)
		if err != nil {
			t.Fatal(err)
		}
		r, err := sotto.Open(t.Context(), cfg)
		if err != nil {
			t.Fatal(err)
		}
		seconds, err := secondsOf(t.Context(), run, r, 1000, 10)
		if err != nil || seconds == nil && name != "a short cap" || seconds != nil && !(*seconds > 0) {
			t.Errorf("%s: %v, %v", name, seconds, err)
		}
		if none, err := secondsOf(t.Context(), run, r, 0, 0); err != nil || none != nil && *none != 0 {
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
