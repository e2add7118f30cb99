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

// The chance of the best guess, from the whole rows of weights: each output names one of those
// equally likely candidates that give it its largest weight, at random. It is the mean over all
// sets of candidates that hold a text.
func TestLinkageOfWholeTextsIsThatOfTheirRows(t *testing.T) {
	const texts, among = 9, 3
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
		want, sets := 0.0, 0.0
		for i, row := range rows {
			for j := range texts {
				for l := range j {
					if j == i || l == i {
						continue
					}
					sets++
					for y, w := range row {
						ties := 1.0
						for _, other := range []uint64{rows[j][y], rows[l][y]} {
							if other > w {
								ties = math.Inf(1)
							} else if other == w {
								ties++
							}
						}
						want += float64(w) / total / ties
					}
				}
			}
		}
		want /= sets
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
		turned := slices.Concat(vectors[4*c.Dim():], vectors[:4*c.Dim()])
		if other, err := attack.OfTexts(t.Context(), r, c, turned, attack.Options{Among: among, Seed: 1}); err != nil || math.Abs(other.Linked.Share-s.Share) > 1e-12 {
			t.Errorf("epsilon %g: in another order %v, %v", epsilon, other, err)
		}
		if limit := 1 / (1 + (among-1)*math.Exp(-epsilon)); s.Share > limit || s.Share <= before || s.AtMost(0.05) <= s.Share {
			t.Errorf("epsilon %g: %+v, at most %g; the limit is %g, before %g", epsilon, *s, s.AtMost(0.05), limit, before)
		}
		before = s.Share
	}
}
