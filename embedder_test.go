package sotto

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/internal/unit"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/release"
	"github.com/sotto-dp/sotto/text"
)

// At an epsilon so large that the noise is negligible, a document's vector is the average
// of its words' vectors, with the unknown entry's vector for unknown tokens, and words'
// vectors are their own.
func TestVectorIsTheAverageOfItsWords(t *testing.T) {
	table, err := embedding.New(embedding.Source{Words: []string{"good", "food", "<unk>"}, Dim: 2, Vectors: []float32{1, 0, 0, 3, -1, -1}})
	if err != nil {
		t.Fatal(err)
	}
	for of, want := range map[Of][]float32{
		Documents: {0, 2. / 3},
		Tokens:    {1, 0, 0, 3, -1, -1},
	} {
		e, err := OpenEmbedder(t.Context(), Vectors{
			Of:         of,
			Table:      table,
			Mechanism:  "laplace",
			Epsilon:    1e5,
			Parameters: map[string]string{"clip": "10"},
		})
		if err != nil {
			t.Fatal(err)
		}
		v, claim, err := e.Embed(context.Background(), "good food quixotry")
		if err != nil || claim.Epsilon != 1e5 {
			t.Fatal(claim, err)
		}
		if v.Rows*2 != len(want) || !slices.EqualFunc(v.Components, want, func(a, b float32) bool { return math.Abs(float64(a-b)) < 0.02 }) {
			t.Errorf("%s: %v, want about %v", of, v, want)
		}
	}
}

// noSpans are the spans of a stream without records.
type noSpans struct{}

func (noSpans) Rows() int                            { return 0 }
func (noSpans) Row(int, []byte) ([]text.Span, error) { return nil, nil }

func TestEmbedderRefusesMarkedPlaces(t *testing.T) {
	e, err := OpenEmbedder(t.Context(), Vectors{Of: Tokens, Epsilon: 2})
	if err != nil {
		t.Fatal(err)
	}
	s := Stream{Spans: noSpans{}}
	_, err = e.Copy(t.Context(), func([]release.Vectors) error { return nil }, strings.NewReader(""), s)
	_, err2 := e.Count(t.Context(), strings.NewReader(""), s)
	var bad *privacy.ParameterError
	if !errors.As(err, &bad) || !errors.As(err2, &bad) {
		t.Errorf("spans are accepted: %v, %v", err, err2)
	}
}

func TestEmptyTextIsAVectorOfNoise(t *testing.T) {
	stage.Unraced(t)
	e, err := OpenEmbedder(t.Context(), Vectors{Epsilon: 2})
	if err != nil {
		t.Fatal(err)
	}
	a, _, err := e.Embed(context.Background(), "")
	b, _, err2 := e.Embed(context.Background(), "")
	if err != nil || err2 != nil || a.Rows != 1 || len(a.Components) != 30 || slices.Equal(a.Components, b.Components) {
		t.Errorf("%v and %v (%v, %v)", a, b, err, err2)
	}
}

func TestVectorOfAWholeTextDoesNotTellItsLength(t *testing.T) {
	if testing.Short() {
		t.Skip("starts nothing beside it: nothing for the race detector")
	}
	texts := [][]byte{[]byte("the river"), []byte("a much longer text about a river and a zyxxyz"), {}}
	for _, c := range []struct {
		of      Of
		tokens  int
		counted bool
	}{{Documents, 0, false}, {Tokens, 12, true}} {
		e, err := OpenEmbedder(t.Context(), Vectors{Of: c.of, Epsilon: 2})
		if err != nil {
			t.Fatal(err)
		}
		_, counts, err := e.EmbedAll(t.Context(), texts, Position{})
		if err != nil {
			t.Fatal(err)
		}
		s := e.Statement(counts)
		for _, n := range []*int{s.Tokens, s.LongestTokens} {
			if (n != nil) != c.counted {
				t.Errorf("%s: the statement counts tokens: %t, want %t", c.of, n != nil, c.counted)
			}
		}
		if counts.Tokens != c.tokens || counts.Documents != 3 || s.Documents != 3 {
			t.Errorf("%s: counted %+v", c.of, counts)
		}
	}
}

// recorder is a perturber that records its inputs.
type recorder struct {
	mechanism.Perturber
	inputs [][]float32
}

func (r *recorder) Perturb(dst, src []float32, rng rand.Source) error {
	r.inputs = append(r.inputs, slices.Clone(src))
	return r.Perturber.Perturb(dst, src, rng)
}

// The total of a metric claim is over the diameter of the words. So the inputs of the
// noise for any two texts, empty ones included, must be at most the total over epsilon
// apart, also if the words are far from the origin and close to each other.
func TestTotalOfAMetricClaimCoversEveryPairOfTexts(t *testing.T) {
	for _, offset := range []float32{0, 50, 3e6} {
		table, err := embedding.New(embedding.Source{Words: []string{"good", "food", "<unk>", "bad"}, Dim: 2,
			Vectors: []float32{offset + 1, offset, offset, offset + 3, offset - 1, offset - 1, offset, offset}})
		if err != nil {
			t.Fatal(err)
		}
		for _, how := range []string{"spectral", "table", "paper"} {
			e, err := OpenEmbedder(t.Context(), Vectors{
				Table:      table,
				Mechanism:  "privemb",
				Epsilon:    1,
				Parameters: map[string]string{"dimensions": "3", "lipschitz": how},
			})
			if err != nil {
				t.Fatal(err)
			}
			seen := &recorder{Perturber: e.vectors.Perturber}
			p := e.vectors.Perturbation
			p.Perturber = seen
			v := unit.OfVectors(p)
			e = &Embedder{release.By(v), v}
			texts := [][]byte{{}, []byte(" \n"), []byte("good"), []byte("food"), []byte("bad bad quixotry"), []byte("good good food"), []byte("food bad quixotry good food")}
			_, counts, err := e.EmbedAll(t.Context(), texts, Position{})
			if err != nil {
				t.Fatal(err)
			}
			s := e.Statement(counts)
			reach := *s.DocumentEpsilonMax / s.Claim.Epsilon
			for i, a := range seen.inputs {
				for j, b := range seen.inputs {
					square := 0.0
					for k := range a {
						d := float64(a[k]) - float64(b[k])
						square += d * d
					}
					if !(math.Sqrt(square) <= reach) { // the average of nothing is NaN
						t.Errorf("offset %g, %s: %q and %q are %g apart, the total covers %g", offset, how, texts[i], texts[j], math.Sqrt(square), reach)
					}
				}
			}
		}
	}
}
