package estimate

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/internal/testseed"
)

// A fit has counts of 0 or more with the right sum, and no feasible direction lowers
// the sum of squares by more than its gap says.
func TestNonnegativeFitsAreNearlyTheBest(t *testing.T) {
	table, f := ring(t, ringOf), truth(ringOf)
	rng := rand.New(rand.NewPCG(7, 8))
	for _, s := range append(separable, setting{"neighbours", 3, "5"}, setting{"neighbours", 2, "20"}) {
		c := s.open(t, table)
		e := estimator(t, c, table, mostKept)
		counts := draws(t, c, f, 1, testseed.Of(t, 31))[0]
		fits, err := e.Nonnegative(context.Background(), [][]int{counts})
		if err != nil {
			t.Fatal(err)
		}
		fit := fits[0]
		if !fit.Converged {
			t.Errorf("%v: not converged after %d steps: gap %g", s, fit.Steps, fit.Gap)
		}
		sum := 0.0
		for x, v := range fit.Counts {
			if !(v >= 0) {
				t.Errorf("%v: the count of word %d is %g", s, x, v)
			}
			sum += v
		}
		if math.Abs(sum-float64(total(counts))) > 1e-6*sum {
			t.Errorf("%v: the counts sum to %g, want %d", s, sum, total(counts))
		}
		p := matrix(c, ringOf)
		squares := func(f []float64) (half float64) {
			for y, n := range counts {
				m := 0.0
				for x, v := range f {
					m += p.At(x, y) * v
				}
				half += (m - float64(n)) * (m - float64(n)) / 2
			}
			return half
		}
		found := squares(fit.Counts)
		other := make([]float64, ringOf)
		for range 300 { // moves of some tokens from one word to another
			copy(other, fit.Counts)
			from, to := rng.IntN(ringOf), rng.IntN(ringOf)
			moved := other[from] * rng.Float64()
			other[from] -= moved
			other[to] += moved
			if got := squares(other); got < found-fit.Gap-1e-6*found {
				t.Errorf("%v: moving %g tokens from word %d to %d gains %g, more than the gap %g", s, moved, from, to, found-got, fit.Gap)
			}
		}
	}
}

// Where a channel is singular, intervals that allow bias cover at their rate or more:
// the bias of any text is inside them. The share of 1,500 copies is below 0.911 with
// chance 2e-9 a word (see coversAt).
func TestIntervalsThatAllowBiasCover(t *testing.T) {
	stage.Unraced(t)
	const n, many = 10, 1500
	table, f := ring(t, n), truth(n)
	for _, s := range []setting{{"neighbours", 3, "5"}, {"neighbours", 5, "2"}, {"response", 2, ""}} {
		c := s.open(t, table)
		e := estimator(t, c, table, mostKept)
		parts := draws(t, c, f, many, testseed.Of(t, 41))
		got, err := e.Estimate(context.Background(), Query{Parts: parts, Words: everyWord(n), Confidence: 0.95, AllowBias: true})
		if err != nil {
			t.Fatal(err)
		}
		for x := range n {
			covered := 0
			for _, counts := range got {
				if k := counts[x]; k.Low <= float64(f[x]) && float64(f[x]) <= k.High {
					covered++
				}
			}
			if covered < 911*many/1000 {
				t.Errorf("%v, word %d: %d of %d intervals cover", s, x, covered, many)
			}
		}
	}
}

// The words that are listed are those of the largest true counts, where the counts
// are far apart for the noise.
func TestCommonestWordsAreListedFirst(t *testing.T) {
	table, f := ring(t, ringOf), truth(ringOf)
	for _, s := range separable {
		c := s.open(t, table)
		e := estimator(t, c, table, mostKept)
		words, err := e.Commonest(context.Background(), draws(t, c, f, 1, testseed.Of(t, 51))[0], 2)
		if err != nil || len(words) != 2 || words[0] != 0 || words[1] != 1 {
			t.Errorf("%v: listed %v, %v, want words 0 and 1", s, words, err)
		}
	}
	if got := Largest([]float64{1, 3, 3, 2}, 0); len(got) != 4 || got[0] != embedding.ID(1) || got[3] != 0 {
		t.Errorf("all words in order: %v", got)
	}
}
