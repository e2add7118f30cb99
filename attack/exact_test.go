package attack_test

import (
	"math"
	"slices"
	"testing"

	"github.com/sotto-dp/sotto/attack"
	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/catalog"
)

// The chance of the best guess, from the whole rows of weights: in a group of equally likely
// candidates, each output names one of those that give it its largest weight, at random.
func TestLinkageOfWholeTextsIsThatOfTheirRows(t *testing.T) {
	const texts, among = 23, 5 // the last group overlaps the one before
	c, err := corpus.Find(corpus.EnglishName)
	if err != nil {
		t.Fatal(err)
	}
	entry, _ := catalog.Find("retrieval")
	var vectors []int8
	for i := range texts {
		vectors = c.Vector(vectors, 7*i)
	}
	before := 0.0
	for _, epsilon := range []float64{0.5, 4, 8} {
		r, err := entry.NewRetriever(t.Context(), c, mechanism.Spec{Epsilon: epsilon, Parameters: mechanism.Values{"neighbours": "50"}})
		if err != nil {
			t.Fatal(err)
		}
		rows := make([][]uint64, texts)
		total := 0.0
		for i := range rows {
			if rows[i], err = r.Weights(nil, vectors[i*c.Dim():(i+1)*c.Dim()]); err != nil {
				t.Fatal(err)
			}
		}
		for _, w := range rows[0] {
			total += float64(w)
		}
		want := 0.0
		for i, row := range rows {
			from := min(i/among*among, texts-among)
			for y, w := range row {
				ties := 0
				most := slices.Max([]uint64{rows[from][y], rows[from+1][y], rows[from+2][y], rows[from+3][y], rows[from+4][y]})
				for j := range among {
					if rows[from+j][y] == most {
						ties++
					}
				}
				if w == most {
					want += float64(w) / total / float64(ties) / texts
				}
			}
		}
		found, err := attack.OfTexts(t.Context(), r, c, vectors, attack.Options{Among: among, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		again, err := attack.OfTexts(t.Context(), r, c, vectors, attack.Options{Among: among, Seed: 2})
		if err != nil {
			t.Fatal(err)
		}
		s := found.Linked
		if math.Abs(s.Share-want) > 1e-9 || s.Low != s.Share || s.High != s.Share || s.Of != texts || s.Method != attack.Computed {
			t.Errorf("epsilon %g: %+v, the rows give %.12g", epsilon, *s, want)
		}
		if again.Linked.Share != s.Share {
			t.Errorf("epsilon %g: another seed gives %g, not %g", epsilon, again.Linked.Share, s.Share)
		}
		if limit := 1 / (1 + (among-1)*math.Exp(-epsilon)); s.Share > limit || s.Share <= before || s.AtMost(0.05) <= s.Share {
			t.Errorf("epsilon %g: %+v, at most %g; the limit is %g, before %g", epsilon, *s, s.AtMost(0.05), limit, before)
		}
		before = s.Share
	}
}
