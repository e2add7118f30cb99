package catalog

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/internal/sets"
	"github.com/sotto-dp/sotto/mechanism/mechanismtest"
	"github.com/sotto-dp/sotto/noise"
	"github.com/sotto-dp/sotto/privacy"
	"pgregory.net/rapid"
)

// namesBook is a book whose texts have no likeness.
type namesBook struct{ book }

func (namesBook) Unordered() bool { return true }

func openSurrogate(t *testing.T, b mechanism.Codebook, epsilon float64) mechanism.Retriever {
	t.Helper()
	r, err := newSurrogate(t.Context(), b, mechanism.Spec{Epsilon: epsilon})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestSurrogateKeepsTheContract(t *testing.T) {
	stage.Unraced(t)
	b := newBook(60, 7, 1)
	for _, codebook := range []mechanism.Codebook{b, namesBook{b}} {
		for _, epsilon := range []float64{0, 0.01, 2, 5} {
			for _, parameters := range []mechanism.Values{nil, {"neighbours": "1"}, {"neighbours": "30"}, {"neighbours": "59"}} {
				spec := mechanism.Spec{Epsilon: epsilon, Parameters: parameters}
				if err := mechanismtest.CheckRetriever(t.Context(), surrogateEntry, codebook, spec, b.vectors[:7], b.vectors[7:14]); err != nil {
					t.Errorf("epsilon %g, %v: %v", epsilon, parameters, err)
				}
			}
		}
	}
}

// At epsilon 0 all rows are equal, and no figure says otherwise.
func TestSurrogateAtEpsilonZeroIsUniformForEveryInput(t *testing.T) {
	r := openSurrogate(t, newBook(50, 3, 2), 0)
	for _, x := range [][]int8{{0, 0, 0}, {127, -128, 3}, {1, 2, 3}} {
		row, err := r.Weights(nil, x)
		if err != nil || len(row) != 50 || slices.Min(row) != slices.Max(row) {
			t.Errorf("row %v (%v)", row, err)
		}
	}
	levels := r.Levels()
	if levels.High != levels.Low || r.Claim().Epsilon != 0 || r.Claim().Notion != privacy.Pure || levels.Inside != 1.0/50 {
		t.Errorf("levels %+v, claim %+v", levels, r.Claim())
	}
}

// Every ratio of two rows is at most e^epsilon whatever the vectors are, and all rows have
// one sum.
func TestSurrogateLosesAtMostEpsilonBetweenAnyTwoValues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, dim := rapid.IntRange(1, 40).Draw(t, "values"), rapid.IntRange(1, 5).Draw(t, "components")
		b := book{dim: dim, vectors: rapid.SliceOfN(rapid.Int8Range(-2, 2), n*dim, n*dim).Draw(t, "codebook")}
		epsilon := rapid.OneOf(rapid.Just(0.0), rapid.Float64Range(0.001, 12)).Draw(t, "epsilon")
		var codebook mechanism.Codebook = b
		if rapid.Bool().Draw(t, "names") {
			codebook = namesBook{b}
		}
		r, err := newSurrogate(context.Background(), codebook, mechanism.Spec{Epsilon: epsilon})
		if err != nil {
			t.Fatal(err)
		}
		losesAtMost(t, r, dim, epsilon)
	})
}

// Values without likeness have sets of one, those in order the sets of retrieval, and at
// epsilon 0 the size says nothing.
func TestSurrogateChoosesTheSizeByTheOrderOfTheCodebook(t *testing.T) {
	b := newBook(600, 2, 3)
	for _, c := range []struct {
		codebook mechanism.Codebook
		epsilon  float64
		k        int
	}{{namesBook{b}, 4, 1}, {namesBook{b}, 0, 1}, {b, 4, sets.Even(600, 4)}, {b, 0, 1}} {
		if k := openSurrogate(t, c.codebook, c.epsilon).Levels().Size; k != c.k {
			t.Errorf("%T at epsilon %g: sets of %d, must be of %d", c.codebook, c.epsilon, k, c.k)
		}
	}
}

// Draws follow the weights: a chi-squared statistic of 200,000 draws over 40 values has 39
// degrees of freedom and is above 105 with chance 5e-8, in each of three cases.
func TestSurrogateDrawsFollowItsWeights(t *testing.T) {
	stage.Unraced(t)
	const draws = 200_000
	b := newBook(40, 3, 5)
	x := []int8{3, -90, 41}
	for i, c := range []struct {
		codebook mechanism.Codebook
		epsilon  float64
	}{{b, 0}, {b, 1.5}, {namesBook{b}, 3}} {
		r := openSurrogate(t, c.codebook, c.epsilon)
		weights, err := r.Weights(nil, x)
		if err != nil {
			t.Fatal(err)
		}
		total := 0.0
		for _, w := range weights {
			total += float64(w)
		}
		rng := noise.Seeded(9, uint64(i))
		out, err := r.Draw(t.Context(), nil, slices.Repeat(x, draws), func(int) rand.Source { return rng })
		if err != nil {
			t.Fatal(err)
		}
		counts := make([]float64, len(weights))
		for _, y := range out {
			counts[y]++
		}
		statistic := 0.0
		for y, w := range weights {
			expected := float64(w) / total * draws
			statistic += (counts[y] - expected) * (counts[y] - expected) / expected
		}
		if statistic > 105 {
			t.Errorf("case %d: chi-squared is %.1f for 39 degrees of freedom", i, statistic)
		}
	}
}
