package noise

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/internal/testseed"
	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"
)

// falseFailure is the probability, over seeds, that one statistic of a correct
// sampler is rejected. The file computes about 40 statistics: 4e-7 in all.
const falseFailure = 1e-8

// fits reports whether a sample may come from the distribution cdf, by the
// Dvoretzky-Kiefer-Wolfowitz inequality with Massart's constant, which holds
// for every n, P(sup |F_n - F| > e) <= 2 exp(-2 n e^2).
func fits(sample []float64, cdf func(float64) float64) bool {
	sorted := slices.Sorted(slices.Values(sample))
	n, worst := float64(len(sorted)), 0.0
	for i, x := range sorted {
		f := cdf(x)
		worst = max(worst, f-float64(i)/n, float64(i+1)/n-f)
	}
	return worst <= math.Sqrt(math.Log(2/falseFailure)/(2*n))
}

// unrelated reports whether neighbours in a sample may be independent. In
// disjoint pairs, the four combinations of above and below the median are
// equally likely, so Pearson's statistic has three degrees of freedom.
func unrelated(sample []float64, median float64) bool {
	var counts [4]float64
	for i := 0; i+1 < len(sample); i += 2 {
		cell := 0
		if sample[i] > median {
			cell = 1
		}
		if sample[i+1] > median {
			cell += 2
		}
		counts[cell]++
	}
	statistic, expected := 0.0, float64(len(sample)/2)/4
	for _, c := range counts {
		statistic += (c - expected) * (c - expected) / expected
	}
	return distuv.ChiSquared{K: 3}.Survival(statistic) > falseFailure
}

func laplaceCDF(scale float64) func(float64) float64 {
	return func(x float64) float64 {
		if x < 0 {
			return math.Exp(x/scale) / 2
		}
		return 1 - math.Exp(-x/scale)/2
	}
}

func truncatedCDF(scale, bound float64) func(float64) float64 {
	full := laplaceCDF(scale)
	low := full(-bound)
	return func(x float64) float64 {
		return min(1, max(0, (full(x)-low)/(1-2*low)))
	}
}

func normalCDF(sigma float64) func(float64) float64 {
	return func(x float64) float64 { return math.Erfc(-x/sigma/math.Sqrt2) / 2 }
}

func filled(fill func(dst []float32, src rand.Source)) func(rand.Source, int) []float64 {
	return func(src rand.Source, n int) []float64 {
		dst := make([]float32, n)
		fill(dst, src)
		out := make([]float64, n)
		for i, x := range dst {
			out[i] = float64(x)
		}
		return out
	}
}

func each(draw func(rand.Source) float64) func(rand.Source, int) []float64 {
	return func(src rand.Source, n int) []float64 {
		out := make([]float64, n)
		for i := range out {
			out[i] = draw(src)
		}
		return out
	}
}

// Every sampler passes with its own distribution, and the mutants beside it,
// each a mistake seen in practice, fail the same test.
func TestContinuousSamplersHaveTheirShape(t *testing.T) {
	stage.Unraced(t)
	const n = 200_000
	oneSign := func(src rand.Source) float64 { return math.Abs(laplace(src, 2)) }
	cases := []struct {
		name   string
		sample func(rand.Source, int) []float64
		cdf    func(float64) float64
		median float64
		right  bool
	}{
		{"uniform", each(OpenUnit), func(x float64) float64 { return x }, 0.5, true},
		{"normal", each(Normal), normalCDF(1), 0, true},
		{"normal, tail cut at 2", each(func(src rand.Source) float64 {
			x := Normal(src)
			for math.Abs(x) > 2 {
				x = Normal(src)
			}
			return x
		}), normalCDF(1), 0, false},
		{"exponential", each(exponential), func(x float64) float64 { return 1 - math.Exp(-x) }, math.Ln2, true},
		{"fill normal", filled(func(d []float32, s rand.Source) { FillNormal(d, 3, s) }), normalCDF(3), 0, true},
		{"fill normal, variance for deviation", filled(func(d []float32, s rand.Source) { FillNormal(d, math.Sqrt(3), s) }), normalCDF(3), 0, false},
		{"fill normal, a uniform of the same variance", each(func(src rand.Source) float64 { return 3 * math.Sqrt(12) * (OpenUnit(src) - 0.5) }), normalCDF(3), 0, false},
		{"fill Laplace", filled(func(d []float32, s rand.Source) { FillLaplace(d, 2, s) }), laplaceCDF(2), 0, true},
		{"Laplace with one sign", each(oneSign), laplaceCDF(2), 0, false},
		{"Laplace, a Gaussian of the same variance", each(func(src rand.Source) float64 { return 2 * math.Sqrt2 * Normal(src) }), laplaceCDF(2), 0, false},
		{"one Laplace draw for two tokens", func(src rand.Source, n int) []float64 {
			out := make([]float64, n)
			for i := range out {
				if out[i] = laplace(src, 2); i%2 == 1 {
					out[i] = out[i-1]
				}
			}
			return out
		}, laplaceCDF(2), 0, false},
		{"fill truncated, wide", filled(func(d []float32, s rand.Source) { FillTruncatedLaplace(d, 2, 5, s) }), truncatedCDF(2, 5), 0, true},
		{"fill truncated, narrow", filled(func(d []float32, s rand.Source) { FillTruncatedLaplace(d, 2, 1, s) }), truncatedCDF(2, 1), 0, true},
		{"truncated by clamping", each(func(src rand.Source) float64 { return min(5, max(-5, laplace(src, 2))) }), truncatedCDF(2, 5), 0, false},
		{"gamma", each(func(src rand.Source) float64 { return gamma(src, 7) }), func(x float64) float64 { return mathext.GammaIncReg(7, x) }, 6.669637, true},
		{"gamma of the next shape", each(func(src rand.Source) float64 { return gamma(src, 7.1) }), func(x float64) float64 { return mathext.GammaIncReg(7, x) }, 6.669637, false},
	}
	for i, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			sample := c.sample(Seeded(testseed.Of(t, 1), uint64(i)), n)
			if right := fits(sample, c.cdf) && unrelated(sample, c.median); right != c.right {
				t.Errorf("shape and independence hold: %v, want %v", right, c.right)
			}
		})
	}
}

// The norm is gamma(dim, 1/rate), and the square of one coordinate of a uniform
// direction is Beta(1/2, (dim-1)/2) with a fair sign.
func TestSphericalNoiseHasItsNormAndDirection(t *testing.T) {
	const n, dim, rate = 50_000, 5, 2.0
	cases := []struct {
		name            string
		fill            func(dst []float32, src rand.Source)
		norm, direction bool
	}{
		{"right", func(d []float32, s rand.Source) { FillSpherical(d, dim, rate, s) }, true, true},
		{"norm of one dimension less", func(d []float32, s rand.Source) {
			FillSpherical(d, dim, rate, s)
			for i := 0; i < len(d); i += dim {
				for k := range dim {
					d[i+k] *= float32(dim-1) / dim
				}
			}
		}, false, true},
		{"direction from a cube", func(d []float32, s rand.Source) {
			for i := 0; i < len(d); i += dim {
				square := 0.0
				for k := range dim {
					x := 2*OpenUnit(s) - 1
					d[i+k], square = float32(x), square+x*x
				}
				scale := gamma(s, dim) / rate / math.Sqrt(square)
				for k := range dim {
					d[i+k] *= float32(scale)
				}
			}
		}, true, false},
		{"one sign", func(d []float32, s rand.Source) {
			FillSpherical(d, dim, rate, s)
			for i := range d {
				d[i] = max(d[i], -d[i])
			}
		}, true, false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			rows := make([]float32, n*dim)
			c.fill(rows, Seeded(testseed.Of(t, 2), 0))
			norms, cosines := make([]float64, n), make([]float64, n)
			for i := range n {
				square := 0.0
				for _, x := range rows[i*dim : (i+1)*dim] {
					square += float64(x) * float64(x)
				}
				norms[i] = math.Sqrt(square)
				cosines[i] = float64(rows[i*dim+i%dim]) / norms[i]
			}
			if ok := fits(norms, func(x float64) float64 { return mathext.GammaIncReg(dim, rate*x) }); ok != c.norm {
				t.Errorf("the norm fits Gamma: %v, want %v", ok, c.norm)
			}
			cdf := func(x float64) float64 {
				return 0.5 + math.Copysign(mathext.RegIncBeta(0.5, (dim-1)/2.0, min(1, x*x))/2, x)
			}
			if ok := fits(cosines, cdf) && unrelated(cosines, 0); ok != c.direction {
				t.Errorf("the direction is uniform: %v, want %v", ok, c.direction)
			}
		})
	}
}

func TestTruncatedNoiseStaysWithinItsBound(t *testing.T) {
	for _, bound := range []float64{0.1, 1, 1.0000000001, 7} {
		dst := make([]float32, 100_000)
		FillTruncatedLaplace(dst, 1, bound, Seeded(3, 0))
		for _, x := range dst {
			if math.Abs(float64(x)) > bound {
				t.Fatalf("drew %g, outside [-%g, %g]", x, bound, bound)
			}
		}
	}
}

func TestZigguratsCloseAtTheTop(t *testing.T) {
	for name, z := range map[string]*ziggurat{"normal": normalLayers, "exponential": exponentialLayers} {
		area := z.edge[0] * z.height[1]
		if top := z.edge[255] * (1 - z.height[255]); math.Abs(top/area-1) > 1e-9 {
			t.Errorf("%s: the topmost layer has %g of the area of the others", name, top/area)
		}
	}
}

func BenchmarkFillNormal(b *testing.B) {
	dst, src := make([]float32, 1<<14), Secure()
	b.SetBytes(int64(4 * len(dst)))
	for b.Loop() {
		FillNormal(dst, 1, src)
	}
}

func BenchmarkFillLaplace(b *testing.B) {
	dst, src := make([]float32, 1<<14), Secure()
	b.SetBytes(int64(4 * len(dst)))
	for b.Loop() {
		FillLaplace(dst, 1, src)
	}
}

func BenchmarkFillSpherical(b *testing.B) {
	dst, src := make([]float32, 100*160), Secure()
	b.SetBytes(int64(4 * len(dst)))
	for b.Loop() {
		FillSpherical(dst, 100, 1, src)
	}
}
