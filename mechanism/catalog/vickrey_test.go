package catalog

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/internal/testseed"
	"github.com/sotto-dp/sotto/mechanism/internal/additive"
	"github.com/sotto-dp/sotto/mechanism/internal/oracle"
	"github.com/sotto-dp/sotto/noise"
)

// On a line of words at 0, 1, ..., 8 the noisy value is x plus Laplace noise;
// the row follows by integrating the choice over it. A mutant that drops the
// input word, one that always takes the nearest, and one that swaps t fail.
func TestVickreyDrawsFromItsExactRowOnALine(t *testing.T) {
	stage.Unraced(t)
	table := oracle.Line(t, 9)
	const epsilon, mix, x, draws = 0.8, 0.75, 3, 200_000
	row := make([]float64, 9)
	const step = 1.0 / 2048
	cdf := laplaceCDF(1 / epsilon)
	for v := -60.0; v < 70; v += step {
		mass := cdf(v+step-x) - cdf(v-x)
		middle := v + step/2
		first := int(math.Max(0, math.Min(8, math.Floor(middle+0.5))))
		second := first + 1
		if first == 8 || first > 0 && middle < float64(first) {
			second = first - 1
		}
		d1, d2 := math.Abs(middle-float64(first)), math.Abs(middle-float64(second))
		keep := (1 - mix) * d2 / (mix*d1 + (1-mix)*d2)
		row[first] += mass * keep
		row[second] += mass * (1 - keep)
	}
	weights := make([]uint64, 9)
	for y, p := range row {
		weights[y] = uint64(math.Ldexp(p, 60))
	}
	right := oracle.MustOpen(t, vickreyEntry, table, epsilon, map[string]string{"t": "0.75"}).(*additive.Words)
	dropping := oracle.MustOpen(t, vickreyEntry, table, epsilon, map[string]string{"t": "0.75"}).(*additive.Words)
	dropping.Choose = func(dst []embedding.ID, noisy []float32, src rand.Source) {
		right.Choose(dst, noisy, src)
		for i, y := range dst {
			if y == x {
				dst[i] = x + 1
			}
		}
	}
	for name, c := range map[string]struct {
		m    *additive.Words
		pass bool
	}{
		"right":    {right, true},
		"dropping": {dropping, false},
		"nearest":  {oracle.MustOpen(t, vickreyEntry, table, epsilon, map[string]string{"t": "0"}).(*additive.Words), false},
		"swapped":  {oracle.MustOpen(t, vickreyEntry, table, epsilon, map[string]string{"t": "0.25"}).(*additive.Words), false},
	} {
		rng := noise.Seeded(testseed.Of(t, 41), 0)
		counts := oracle.DrawCounts(t, 9, draws, x, func(dst, src []embedding.ID) []embedding.ID {
			dst, err := c.m.Replace(dst, src, rng)
			if err != nil {
				t.Fatal(err)
			}
			return dst
		})
		if pass := oracle.ChiSquare(counts, weights, draws) > oracle.FalseFailure; pass != c.pass {
			t.Errorf("%s: draws fit the row: %v, want %v", name, pass, c.pass)
		}
	}
}

func TestVickreyOverATableOfOneWordKeepsIt(t *testing.T) {
	m := oracle.MustOpen(t, vickreyEntry, oracle.Line(t, 1), 1, nil)
	if out, err := m.Replace(nil, []embedding.ID{0, 0}, nil); err != nil || out[0] != 0 || out[1] != 0 {
		t.Errorf("one word becomes %v (%v)", out, err)
	}
}
