package evaluation

import (
	"math"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/noise"
	"github.com/sotto-dp/sotto/synthesis"
)

// Weights count as often as copies of a text do, and texts without weight do not count.
func TestWeightsCountAsCopies(t *testing.T) {
	a, b := []byte("one two three"), []byte("four")
	weighted := Describe([]Text{{a, 3}, {b, 1}, {[]byte("five six"), 0}})
	copied := Describe([]Text{{a, 1}, {a, 1}, {a, 1}, {b, 1}})
	if weighted.Texts != 2 || weighted.Words != 4 || math.Abs(weighted.Effective-copied.Effective) > 1e-12 || weighted.Commonest != .75 || weighted.Lengths.Mean != 2.5 || copied.Lengths.Median != 3 {
		t.Errorf("%+v\n%+v", weighted, copied)
	}
	if got := weighted.Lengths.bins(2, 2); got[0] != .25 || got[1] != .75 {
		t.Errorf("bins %v", got)
	}
	if empty := Describe(nil); empty.Texts != 0 || empty.Effective != 0 {
		t.Errorf("%+v", empty)
	}
}

// release makes a release of records of two labels, three of four of them the first.
func release(t *testing.T, epsilon float64) (*synthesis.Statement, Released) {
	t.Helper()
	book, err := corpus.Find(corpus.EnglishName)
	if err != nil {
		t.Fatal(err)
	}
	column, err := synthesis.Labels("kind", "a", "b")
	if err != nil {
		t.Fatal(err)
	}
	plan, err := synthesis.New(t.Context(), synthesis.Options{Corpus: book, Epsilon: epsilon, Columns: []synthesis.Column{column}, Expect: 400})
	if err != nil {
		t.Fatal(err)
	}
	counts := plan.NewCounts()
	for i := range 400 {
		label := "a"
		if i%4 == 0 {
			label = "b"
		}
		counts.Add(plan.Vote([]synthesis.Record{{Text: []byte(book.Text(i)), Labels: [][]byte{[]byte(label)}}}))
	}
	drawn, err := plan.Release(counts, noise.Seeded(1, 0))
	if err != nil {
		t.Fatal(err)
	}
	r := Released{Corpus: book}
	err = drawn.Draw(t.Context(), 0, noise.Seeded(2, 0), func(row synthesis.Row) error {
		r.Texts = append(r.Texts, Text{append([]byte(nil), row.Text...), row.Weight})
		r.Labels = append(r.Labels, append([]string(nil), row.Labels...))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	s := drawn.Statement()
	return &s, r
}

// The attack is below the limit of the claim, shares are in their intervals, and the page
// names no file and fetches nothing.
func TestEvaluationOfACorpus(t *testing.T) {
	s, r := release(t, 2)
	e, err := OfCorpus(t.Context(), s, r, nil)
	if err != nil {
		t.Fatal(err)
	}
	if risk := e.Risks[0]; risk.Attack == nil || *risk.Attack <= .5 || *risk.Attack > risk.Limit || math.Abs(risk.Limit-1/(1+math.Exp(-2))) > 1e-12 {
		t.Errorf("%+v", risk)
	}
	for i, want := range []float64{.75, .25, 0} {
		if l := e.Labels[i]; !(l.Low <= want && want <= l.High) || !(l.Low <= l.Share && l.Share <= l.High) {
			t.Errorf("%+v, of %g", l, want)
		}
	}
	e.Privacy = "the figures are post-processing"
	e.First = Rows{[]string{"kind", "text"}, [][]string{{"a", "<b>bold</b>"}}}
	blind, known := NewAccuracy(3, 10), NewAccuracy(6, 10)
	e.Learned = &Learned{Label: "kind", Accuracy: NewAccuracy(9, 10), Public: &known, Blind: blind, Privacy: "the figures are private"}
	var page strings.Builder
	if err := e.Page(&page); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"The figures are post-processing.", "(epsilon = 2)-differential privacy for each record", "&lt;b&gt;bold", "Coverage", "of other texts like them about", "public knowledge alone", "0.900 of 10", "Lengths"} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	for _, not := range []string{"<script", "src=", "href=", "<no value>", "%!"} {
		if strings.Contains(page.String(), not) {
			t.Errorf("the page has %q", not)
		}
	}
}
