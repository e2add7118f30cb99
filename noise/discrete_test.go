package noise

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/internal/testseed"
	"gonum.org/v1/gonum/stat/distuv"
)

// matches compares integer draws with their probabilities by Pearson's
// statistic; integers expected fewer than 10 times are pooled into one class.
func matches(draws []int64, probability func(int64) float64) bool {
	counts := map[int64]float64{}
	for _, k := range draws {
		counts[k]++
	}
	n := float64(len(draws))
	statistic, classes, restCount, restExpected := 0.0, 0, n, n
	for k := int64(-4000); k <= 4000; k++ {
		expected := n * probability(k)
		if expected == 0 && counts[k] > 0 {
			return false
		}
		if expected >= 10 {
			statistic += (counts[k] - expected) * (counts[k] - expected) / expected
			classes, restCount, restExpected = classes+1, restCount-counts[k], restExpected-expected
		}
	}
	if restExpected >= 10 {
		statistic += (restCount - restExpected) * (restCount - restExpected) / restExpected
		classes++
	}
	return distuv.ChiSquared{K: float64(classes - 1)}.Survival(statistic) > falseFailure
}

func TestDiscreteSamplersHaveTheirProbabilities(t *testing.T) {
	stage.Unraced(t)
	const n = 200_000
	laplace := func(logScale uint) func(int64) float64 {
		r := math.Exp(-math.Ldexp(1, -int(logScale)))
		return func(k int64) float64 { return (1 - r) / (1 + r) * math.Pow(r, math.Abs(float64(k))) }
	}
	truncated := func(logScale uint, bound int64) func(int64) float64 {
		p, total := laplace(logScale), 0.0
		for k := -bound; k <= bound; k++ {
			total += p(k)
		}
		return func(k int64) float64 {
			if max(k, -k) > bound {
				return 0
			}
			return p(k) / total
		}
	}
	normal := func(k int64) float64 {
		cdf := normalCDF(8)
		if k >= 0 { // the upper tail without cancellation
			return cdf(-float64(k)) - cdf(-float64(k+1))
		}
		return cdf(float64(k+1)) - cdf(float64(k))
	}
	coin := func(k int64) float64 {
		p := math.Exp(-7.0 / 5)
		return map[int64]float64{0: 1 - p, 1: p}[k]
	}
	toInt := func(b bool) int64 {
		if b {
			return 1
		}
		return 0
	}
	cases := []struct {
		name        string
		draw        func(rand.Source) int64
		probability func(int64) float64
		right       bool
	}{
		{"coin", func(s rand.Source) int64 { return toInt(bernoulliExp(s, 7, 5)) }, coin, true},
		{"coin that stops at 1", func(s rand.Source) int64 { return toInt(bernoulliExp(s, 1, 1)) }, coin, false},
		{"Laplace", func(s rand.Source) int64 { return DiscreteLaplace(s, 3) }, laplace(3), true},
		{"Laplace of scale 1 and a half", func(s rand.Source) int64 { return DiscreteLaplace(s, 1) }, laplace(1), true},
		{"Laplace with two zeros", func(s rand.Source) int64 {
			k := DiscreteLaplace(s, 3)
			if k = max(k, -k); s.Uint64()&1 == 0 {
				k = -k
			}
			if k == 1 && s.Uint64()&1 == 0 {
				k = 0
			}
			return k
		}, laplace(3), false},
		{"Laplace with one sign", func(s rand.Source) int64 { k := DiscreteLaplace(s, 3); return max(k, -k) }, laplace(3), false},
		{"truncated, wide", func(s rand.Source) int64 { return DiscreteTruncatedLaplace(s, 3, 20) }, truncated(3, 20), true},
		{"truncated, narrow", func(s rand.Source) int64 { return DiscreteTruncatedLaplace(s, 3, 5) }, truncated(3, 5), true},
		{"truncated by clamping", func(s rand.Source) int64 { return min(20, max(-20, DiscreteLaplace(s, 3))) }, truncated(3, 20), false},
		{"normal", func(s rand.Source) int64 { return FloorNormal(s, 3) }, normal, true},
		{"normal rounded towards zero", func(s rand.Source) int64 { return int64(8 * Normal(s)) }, normal, false},
	}
	for i, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			src := Seeded(testseed.Of(t, 4), uint64(i))
			draws := make([]int64, n)
			for i := range draws {
				draws[i] = c.draw(src)
			}
			if right := matches(draws, c.probability); right != c.right {
				t.Errorf("the probabilities hold: %v, want %v", right, c.right)
			}
		})
	}
}

// On a fine grid the integers have the shape of the real distributions.
func TestDiscreteSamplersFillAFineGrid(t *testing.T) {
	const n, logScale = 100_000, 40
	grid := func(draw func(rand.Source, uint) int64) func(rand.Source) float64 {
		return func(s rand.Source) float64 { return math.Ldexp(float64(draw(s, logScale)), -logScale) }
	}
	for i, c := range []struct {
		name string
		draw func(rand.Source) float64
		cdf  func(float64) float64
	}{
		{"Laplace", grid(DiscreteLaplace), laplaceCDF(1)},
		{"normal", grid(FloorNormal), normalCDF(1)},
	} {
		t.Run(c.name, func(t *testing.T) {
			sample := each(c.draw)(Seeded(testseed.Of(t, 5), uint64(i)), n)
			if !fits(sample, c.cdf) || !unrelated(sample, 0) {
				t.Error("the shape does not hold")
			}
		})
	}
}

func BenchmarkDiscreteLaplace(b *testing.B) {
	src := Secure()
	for b.Loop() {
		DiscreteLaplace(src, 40)
	}
}

func BenchmarkFloorNormal(b *testing.B) {
	src := Secure()
	for b.Loop() {
		FloorNormal(src, 40)
	}
}
