package restore

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// The best scores are kept wherever they are beside the top of the histogram: near it, far
// below its last step, above it, and on the limits of its steps.
func TestTheBestCandidatesAreKept(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	for round := range 2000 {
		most, top := 1+rng.IntN(40), -5*rng.Float64()
		spread := []float64{0.01, 3, 60, 2000}[round%4]
		var c candidates
		c.reset(most, top, math.Inf(-1))
		var scores []float64
		for range 1 + rng.IntN(20*most) {
			score := top + 0.05 - spread*rng.Float64()
			if round%3 == 0 {
				score = math.Round(score*stepsPerUnit) / stepsPerUnit // ties
			}
			scores = append(scores, score)
			if score >= c.least { // what callers skip by
				c.add(candidate{score: score})
			}
			if len(c.all) > 4*most {
				t.Fatalf("round %d: %d candidates are held for the best %d", round, len(c.all), most)
			}
		}
		slices.SortFunc(scores, func(a, b float64) int { return cmp.Compare(b, a) })
		c.cut(most)
		best := scores[:min(most, len(scores))]
		var got []float64
		for _, x := range c.all {
			got = append(got, x.score)
		}
		slices.SortFunc(got, func(a, b float64) int { return cmp.Compare(b, a) })
		if len(got) < len(best) || !slices.Equal(got[:len(best)], best) {
			t.Fatalf("round %d: best %v, want %v", round, got, best)
		}
	}
}
