package restore

import (
	"math/rand/v2"
	"slices"

	"github.com/sotto-dp/sotto/internal/selection"
)

// resample chooses at most n of some items at random and returns the factors of their
// weights, 0 for items that are left out. The expected weight of every item is its own
// weight. Items of at least a weight c are kept as they are; each other one is kept with
// chance w/c, with the weight c, where c is such that n are kept in all. Of all unbiased
// ways to keep n it has the least expected squared error (Fearnhead and Clifford 2003,
// section 3.3).
func resample(weights []float64, n int, rng *rand.Rand) []float64 {
	raised := make([]float64, len(weights))
	if len(weights) <= n {
		for i, w := range weights {
			if w > 0 {
				raised[i] = 1
			}
		}
		return raised
	}
	c := threshold(weights, n)
	// Systematic draws: one of n evenly spaced points falls into an item with chance w/c,
	// and never two, since w < c.
	u := rng.Float64()
	for i, w := range weights {
		switch {
		case w == 0:
		case w >= c:
			raised[i] = 1
		default:
			if u -= w / c; u < 0 {
				u++
				raised[i] = c / w
			}
		}
	}
	return raised
}

// threshold returns the c for which the sum of min(1, w/c) is n, for more than n
// weights.
func threshold(weights []float64, n int) float64 {
	negated := make([]float64, len(weights))
	for i, w := range weights {
		negated[i] = -w
	}
	selection.Select(negated, n) // the n largest weights come first
	rest := 0.0
	for _, w := range negated[n:] {
		rest -= w
	}
	slices.Sort(negated[:n])
	// With the k heaviest kept as they are, c is the sum of the others over n - k.
	for k := n - 1; k >= 0; k-- {
		rest -= negated[k]
		c := rest / float64(n-k)
		if k == 0 || -negated[k-1] >= c {
			return c
		}
	}
	return 0
}
