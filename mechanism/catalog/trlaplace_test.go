package catalog

import (
	"math"
	"testing"

	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/internal/additive"
	"github.com/sotto-dp/sotto/mechanism/internal/oracle"
	"github.com/sotto-dp/sotto/privacy"
	"gonum.org/v1/gonum/mathext"
	"pgregory.net/rapid"
)

func truncatedCDF(scale, bound float64) func(float64) float64 {
	whole := -2 * math.Expm1(-bound/scale)
	return func(u float64) float64 {
		u = max(-bound, min(bound, u))
		return 0.5 + math.Copysign(math.Expm1(-math.Abs(u)/scale), u)/whole
	}
}

// truncatedVariance returns E u^2 = (2/alpha^2) P(3, alpha A)/P(1, alpha A), P
// the regularised lower incomplete gamma function.
func truncatedVariance(alpha, bound float64) float64 {
	return 2 / (alpha * alpha) * mathext.GammaIncReg(3, alpha*bound) / mathext.GammaIncReg(1, alpha*bound)
}

func TestTrlaplaceMatchesTheReference(t *testing.T) {
	for _, r := range formulas[struct {
		D     int
		C     float64
		Eps   float64
		Delta float64
		Bound float64 `json:"A_any"`
		Ratio float64 `json:"variance_ratio_to_laplace"`
	}](t, "trlaplace_repaired") {
		s := additive.BallSensitivity(r.D, r.C)
		alpha := 1 / additive.LaplaceScale(r.Eps, s.L1)
		bound := truncatedBound(alpha, r.Delta, s)
		agrees(t, "A", r, bound, r.Bound)
		agrees(t, "variance over Laplace's", r, truncatedVariance(alpha, bound)*alpha*alpha/2, r.Ratio)
	}
}

func TestTrlaplaceFollowsItsNoise(t *testing.T) {
	stage.Unraced(t)
	followsOnALine(t, trlaplaceEntry, 10, map[string]string{"delta": "0.1"},
		func(m settled) func(float64) float64 {
			return truncatedCDF(setting(t, m, "scale"), setting(t, m, "bound"))
		})
}

// For random shifts of the ball the true delta, 1 - prod (1 - q(|s_j|)), never
// exceeds the requested one; the published bound fails the same test.
func TestTrlaplaceKeepsItsDeltaForEveryShift(t *testing.T) {
	truth := func(alpha, bound float64, shift []float64) float64 {
		kept := 0.0
		for _, s := range shift {
			kept += math.Log1p(-outside(alpha, bound, math.Abs(s)))
		}
		return -math.Expm1(kept)
	}
	drawShift := func(t *rapid.T, dim int, clip float64) []float64 {
		shift := rapid.SliceOfN(rapid.Float64Range(0, 1), dim, dim).Draw(t, "shift")
		if rapid.Bool().Draw(t, "even") {
			for k := range shift {
				shift[k] = 1
			}
		}
		n := 0.0
		for k, s := range shift {
			if s < 1e-9 { // its square would lose digits
				shift[k] = 0
			}
			n += shift[k] * shift[k]
		}
		for k := range shift {
			shift[k] *= 2 * clip / max(math.Sqrt(n), 1e-9)
		}
		return shift
	}
	rapid.Check(t, func(t *rapid.T) {
		dim := rapid.IntRange(1, 300).Draw(t, "dim")
		epsilon := math.Exp(rapid.Float64Range(-4, 4).Draw(t, "ln epsilon"))
		delta := math.Exp(rapid.Float64Range(-20, -0.1).Draw(t, "ln delta"))
		s := additive.BallSensitivity(dim, 1)
		alpha := epsilon / s.L1
		if got := truth(alpha, truncatedBound(alpha, delta, s), drawShift(t, dim, 1)); got > delta*(1+1e-9) {
			t.Fatalf("dim %d, epsilon %g: delta %g, asked for %g", dim, epsilon, got, delta)
		}
	})
	alpha, bound, err := publishedTruncation(100, 1, 0.5, 0.25)
	if err != nil {
		t.Fatal(err)
	}
	even := make([]float64, 100)
	for k := range even {
		even[k] = 0.2
	}
	if truth(alpha, bound, even) < 0.85 {
		t.Error("the published bound passes, so this test has no power")
	}
}

// The discrete noise of a release has no more mass outside than the continuous
// noise of the proof.
func TestGridKeepsTheBoundsOfTheProof(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bits := rapid.IntRange(1, 8).Draw(t, "bits")
		k := rapid.IntRange(1, 600).Draw(t, "K")
		u := rapid.IntRange(0, 2*k+3).Draw(t, "u")
		r := math.Exp(-math.Ldexp(1, -bits))
		mass, whole := 0.0, 0.0
		for i := -k; i <= k; i++ {
			w := math.Pow(r, math.Abs(float64(i)))
			whole += w
			if i > k-u {
				mass += w
			}
		}
		if q := outside(math.Ldexp(1, -bits), float64(k), float64(u)); mass/whole > q*(1+1e-9)+1e-300 {
			t.Fatalf("K %d, u %d: the grid leaves %g outside, the proof allows %g", k, u, mass/whole, q)
		}
	})
}

// The noise also comes near its bound. One draw is within 1 % of it with probability
// 3.8e-4 (the bound is 4.9 scales); none of 60,000 with probability below 1e-9.
func TestTrlaplaceNeverLeavesItsSupport(t *testing.T) {
	table := oracle.Line(t, 9)
	p, err := trlaplaceEntry.NewPerturber(t.Context(), table, mechanism.Spec{Epsilon: 4, Parameters: map[string]string{"clip": "1", "delta": "0.2"}})
	if err != nil {
		t.Fatal(err)
	}
	bound := setting(t, p, "bound")
	most, dst := 0.0, []float32{0}
	for range 60_000 {
		if err := p.Perturb(dst, []float32{0}, nil); err != nil {
			t.Fatal(err)
		}
		most = max(most, math.Abs(float64(dst[0])))
	}
	if most > bound*(1+1e-6) || most < bound*0.99 {
		t.Errorf("noise reaches %g, the bound is %g", most, bound)
	}
	if c := p.Claim(); c.Notion != privacy.Approximate || c.Delta != 0.2 {
		t.Errorf("the claim is %s", c)
	}
}
