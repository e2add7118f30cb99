package restore

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestResampleKeepsAsManyAndHasTheRightMeans(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	weights := []float64{5, 0.1, 0, 2, 0.3, 0.05, 1, 1e-9, 0.3, 7, 0.6}
	for n := 1; n <= len(weights); n++ {
		const draws = 40000
		sums := make([]float64, len(weights))
		for range draws {
			raised := resample(weights, n, rng)
			kept := 0
			for i, r := range raised {
				sums[i] += r * weights[i]
				if r > 0 {
					kept++
				}
				if r != 0 && r < 1 {
					t.Fatalf("%d kept: weight %g is multiplied by %g", n, weights[i], r)
				}
			}
			// Rounding of the sum of the chances may cost or add the last one.
			if positive := len(weights) - 1; kept > n+1 || kept < min(n, positive)-1 {
				t.Fatalf("%d of %d kept, want %d", kept, len(weights), n)
			}
		}
		c := math.Inf(1)
		if n < len(weights) {
			c = threshold(weights, n)
		}
		for i, w := range weights {
			// One draw is c with chance w/c: its variance is below c w. 6 standard errors
			// fail one seed in 10^8; the seed is fixed.
			bound := 1e-12
			if w < c && !math.IsInf(c, 1) {
				bound = 6 * math.Sqrt(c*w/draws)
			}
			if mean := sums[i] / draws; math.Abs(mean-w) > bound && w > 1e-6 {
				t.Errorf("%d kept: weight %g has the mean %g", n, w, mean)
			}
		}
	}
}

func TestThresholdSpreadsTheSum(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		weights := make([]float64, 2+rng.IntN(50))
		for i := range weights {
			weights[i] = math.Exp(6 * rng.NormFloat64())
		}
		n := 1 + rng.IntN(len(weights)-1)
		c, sum := threshold(weights, n), 0.0
		for _, w := range weights {
			sum += min(1, w/c)
		}
		if math.Abs(sum-float64(n)) > 1e-9*float64(n) {
			t.Errorf("%d of %d: the chances sum to %g", n, len(weights), sum)
		}
	}
}
