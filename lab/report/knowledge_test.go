package report

import (
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/lab/result"
)

// known returns a row of public-knowledge. Parameters are given as NAME=VALUE.
func known(accuracy float64, seed uint64, params ...string) result.Row {
	row := result.Row{Seed: seed, Outcome: result.Outcome{Values: map[string]float64{"accuracy": accuracy}}}
	for _, p := range append([]string{"set=trec6", "codebook=own"}, params...) {
		name, value, _ := strings.Cut(p, "=")
		row.Params = append(row.Params, result.Param{Name: name, Value: value})
	}
	return row
}

var copies = []result.Row{
	known(0.8, 1, "about=words", "mechanism=none"),
	known(0.6, 1, "about=words", "mechanism=public knowledge"),
	known(0.5, 1, "mechanism=public labels", "labels=40"),
	known(0.65, 1, "about=words", "begins=words", "mechanism=synthesize", "epsilon=1"),
	known(0.75, 2, "about=words", "begins=words", "mechanism=synthesize", "epsilon=1"),
	known(0.5, 1, "mechanism=synthesize", "epsilon=0.25"),
	known(0.8, 1, "begins=words", "mechanism=synthesize", "epsilon=0.25"),
	known(0.7, 1, "mechanism=retrieval objective=signal", "epsilon=4"),
	known(0.9, 1, "begins=words", "mechanism=retrieval objective=signal", "epsilon=4"),
}

// A share of the way is 0 at public knowledge, 1 at the private texts, and below 0 where a copy
// teaches less than words alone.
func TestTheTablesOfPublicKnowledgeHaveShares(t *testing.T) {
	const head = "| private texts, corpus | words alone | 40 public labels | 100 | words in | 0.25 | 1 | none | seeds; largest deviation |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n"
	got, err := knowledgeTable(rowsOfPlan("public-knowledge", copies...))
	want := head + "| TREC-6, TREC-6 | 0.600 | 0.500 |  | no | 0.500 (-0.500) |  | 0.800 | 1 |\n" +
		"| TREC-6, TREC-6 | 0.600 | 0.500 |  | the learner | 0.800 (1.000) |  | 0.800 | 1 |\n" +
		"| TREC-6, TREC-6 | 0.600 | 0.500 |  | cells and learner |  | 0.700 (0.500) | 0.800 | 2; 0.071 |\n"
	if err != nil || got != want {
		t.Errorf("the table is (%v)\n%s", err, got)
	}
	got, err = knowledgeOfTextsTable(rowsOfPlan("public-knowledge", copies...))
	if want := "| TREC-6, TREC-6 | 4 | 0.600 | 0.500 |  | 0.700 (0.500) | 0.900 (1.500) | 0.800 | 1 |\n"; err != nil || !strings.HasSuffix(got, "\n"+want) {
		t.Errorf("the table of whole texts is (%v)\n%s", err, got)
	}
}

// A gain is of the same seeds.
func TestTheTableOfThePriorHasItsGain(t *testing.T) {
	rows := []result.Row{
		known(0.6, 1, "mechanism=public knowledge"), known(0.7, 1, "mechanism=synthesize", "epsilon=1"), known(0.69, 1, "mechanism=synthesize", "epsilon=1", "begins=words"),
		known(0.5, 2, "mechanism=synthesize", "epsilon=1"), known(0.5, 1, "mechanism=synthesize", "epsilon=2"),
		known(0.7, 1, "mechanism=synthesize", "epsilon=1", "about=words"), known(0.75, 1, "mechanism=synthesize", "epsilon=1", "about=words", "begins=words"),
	}
	got, err := knowledgeChoicesTable(rowsOfPlan("public-knowledge-choices", rows...))
	if want := "| TREC-6, TREC-6 | 1 | 0.600 | 0.700 | 0.750 | +0.050 | 0.700 | 0.690 | -0.010 | 1 |\n"; err != nil || !strings.HasSuffix(got, "---- |\n"+want) && !strings.HasSuffix(got, "--- |\n"+want) {
		t.Errorf("the table is (%v)\n%s", err, got)
	}
}
