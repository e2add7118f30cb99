package privacy

import (
	"github.com/sotto-dp/sotto/internal/stage"
	"math"
	"math/big"
	"testing"
)

// reference computes Phi(-a) - e^epsilon Phi(-b) as printed, by Maclaurin's series
// of the error function, with enough bits that cancellation does not matter: with
// z = b/sqrt 2 the series' terms reach e^(z^2) and the result may be e^(-z^2).
type reference struct{ prec uint }

func (r reference) number(x float64) *big.Float {
	return new(big.Float).SetPrec(r.prec).SetFloat64(x)
}

func (r reference) exp(x *big.Float) *big.Float {
	const halvings = 64
	h := r.number(0).SetMantExp(x, -halvings)
	sum, term := r.number(1), r.number(1)
	for i := 1; term.Sign() != 0 && term.MantExp(nil) > -int(r.prec); i++ {
		term.Quo(term.Mul(term, h), r.number(float64(i)))
		sum.Add(sum, term)
	}
	for range halvings {
		sum.Mul(sum, sum)
	}
	return sum
}

// pi is Machin's 16 arctan(1/5) - 4 arctan(1/239).
func (r reference) pi() *big.Float {
	arctan := func(n float64) *big.Float {
		sum, power := r.number(0), r.number(0).Quo(r.number(1), r.number(n))
		for k := 1.0; power.MantExp(nil) > -int(r.prec); k += 2 {
			term := r.number(0).Quo(power, r.number(k))
			if math.Mod(k, 4) == 3 {
				term.Neg(term)
			}
			sum.Add(sum, term)
			power.Quo(power, r.number(n*n))
		}
		return sum
	}
	p := arctan(5)
	p.Mul(p, r.number(16))
	q := arctan(239)
	return p.Sub(p, q.Mul(q, r.number(4)))
}

// phi returns Phi(x) = 1/2 + (1/sqrt(2 pi)) sum (-1)^k x^(2k+1)/(2^k k! (2k+1)).
func (r reference) phi(x *big.Float) *big.Float {
	sum, power := r.number(0).Set(x), r.number(0).Set(x)
	square := r.number(0).Mul(x, x)
	square.SetMantExp(square, -1).Neg(square)
	for k := 1.0; power.Sign() != 0 && power.MantExp(nil) > -int(r.prec); k++ {
		power.Quo(power.Mul(power, square), r.number(k))
		sum.Add(sum, r.number(0).Quo(power, r.number(2*k+1)))
	}
	root := r.number(0).Sqrt(r.number(0).SetMantExp(r.pi(), 1))
	return sum.Add(sum.Quo(sum, root), r.number(0.5))
}

func exactDelta(epsilon, ratio float64) *big.Float {
	b := epsilon*ratio + 1/(2*ratio)
	r := reference{uint(400 + 1.6*b*b + 2*math.Abs(math.Log2(ratio)))}
	shift := r.number(0).Mul(r.number(epsilon), r.number(ratio))
	half := r.number(0).Quo(r.number(0.5), r.number(ratio))
	near := r.phi(r.number(0).Sub(half, shift))
	far := r.phi(r.number(0).Neg(r.number(0).Add(half, shift)))
	return near.Sub(near, far.Mul(far, r.exp(r.number(epsilon))))
}

var (
	gridEpsilons = []float64{1e-12, 1e-9, 0x1p-20, 1e-3, 0.1, 1, 5, 30, 200, 700}
	gridDeltas   = []float64{5e-324, 1.5e-323, 1e-320, 1e-308, 1e-254, 1e-100, 1e-12, 1e-6, 0.1, 0.7, 1 - 1e-6, 1 - 0x1p-53}
)

// The delta of a ratio is the exact one rounded up, and the ratio for a delta is
// no smaller than the least one and larger by at most one part in 2^30.
func TestGaussianFiguresAreRoundedOutward(t *testing.T) {
	all := stage.Runs(stage.Large)
	for i, epsilon := range gridEpsilons {
		for j, delta := range gridDeltas {
			if !all && (i+j)%4 != 0 {
				continue
			}
			ratio := GaussianRatio(epsilon, delta)
			exact := exactDelta(epsilon, ratio)
			if exact.Cmp(big.NewFloat(delta)) > 0 {
				e, _ := exact.Float64()
				t.Errorf("epsilon %g, delta %g: at ratio %g the exact delta is larger, %g", epsilon, delta, ratio, e)
			}
			if exactDelta(epsilon, ratio*(1-0x1p-29)).Cmp(big.NewFloat(delta)) <= 0 && delta != 5e-324 {
				t.Errorf("epsilon %g, delta %g: the ratio %g is not the least", epsilon, delta, ratio)
			}
			got := GaussianDelta(epsilon, ratio)
			if exact.Cmp(new(big.Float).SetFloat64(got)) > 0 || exact.Cmp(new(big.Float).SetFloat64(math.Nextafter(got, 0))) < 0 {
				t.Errorf("epsilon %g, ratio %g: delta %g is not the exact one rounded up", epsilon, ratio, got)
			}
		}
	}
}

func TestGaussianDeltaHoldsAtTheEdges(t *testing.T) {
	for _, c := range []struct{ epsilon, ratio, least, most float64 }{
		{0, 1e300, 3.98e-301, 3.99e-301}, // phi(0)/ratio
		{0, math.MaxFloat64, 2.2e-309, 2.3e-309},
		{0, 1e-300, 1, 1},
		{1e300, 1e300, 5e-324, 5e-324},
		{1e300, 1e-160, 1, 1},
		{1e300, 1e-140, 5e-324, 5e-324},
		{1e-300, 0x1p65, 1e-20, 1.1e-20},
		{5e-324, 5e-324, 1, 1},
		{1, math.Inf(1), 5e-324, 5e-324},
		{math.Inf(1), 1, 1, 1},
		{math.NaN(), 1, 1, 1},
		{1, math.NaN(), 1, 1},
		{1, 0, 1, 1},
	} {
		if got := GaussianDelta(c.epsilon, c.ratio); !(got >= c.least && got <= c.most) {
			t.Errorf("epsilon %g, ratio %g: delta %g, want %g to %g", c.epsilon, c.ratio, got, c.least, c.most)
		}
	}
	// The bound used for ratios from 2^64 is not below the difference where it takes over.
	if below, from := GaussianDelta(1e-20, math.Nextafter(0x1p64, 0)), GaussianDelta(1e-20, 0x1p64); math.Abs(from/below-1) > 1e-15 {
		t.Errorf("delta jumps from %g to %g", below, from)
	}
	if r := GaussianRatio(0, 5e-324); !math.IsInf(r, 1) {
		t.Errorf("a ratio of %g, want none", r)
	}
	if r := GaussianRatio(1e300, 1e-6); !(r > 0) || GaussianDelta(1e300, r) > 1e-6 {
		t.Errorf("epsilon 1e300 has the ratio %g", r)
	}
}

// The classical formula's exact delta is far below the requested one up to
// epsilon 1, so its own rounding does not matter.
func TestClassicalRatioLeavesRoomForItsRounding(t *testing.T) {
	for _, epsilon := range []float64{1e-12, MinEpsilon, 1e-3, 0.1, 0.5, 1} {
		for _, delta := range gridDeltas {
			ratio := ClassicalGaussianRatio(epsilon, delta)
			if d := GaussianDelta(epsilon, ratio*(1-1e-9)); math.IsInf(ratio, 0) || d > delta {
				t.Errorf("epsilon %g, delta %g: ratio %g has delta %g", epsilon, delta, ratio, d)
			}
		}
	}
}

// The continued fraction's convergents enclose Mills' ratio.
func TestMillsRatioHasTheDigitsItSays(t *testing.T) {
	n := normal{400}
	fraction := func(x float64, terms int) *big.Float {
		f := n.number(0)
		for k := terms; k > 0; k-- {
			f.Quo(n.number(float64(k)), f.Add(f, n.number(x)))
		}
		return f.Quo(n.number(1), f.Add(f, n.number(x)))
	}
	for _, x := range []float64{millsStart, 9, 12, 41} {
		gap := n.number(0).Sub(fraction(x, millsTerms), fraction(x, millsTerms+1))
		if gap.Sign() != 0 && gap.MantExp(nil) > -270 {
			t.Errorf("at %g convergents differ by 2^%d", x, gap.MantExp(nil))
		}
	}
	// Both methods agree at the boundary between them.
	below, from := n.mills(n.number(math.Nextafter(millsStart, 0))), n.mills(n.number(millsStart))
	d, _ := n.number(0).Quo(below.Sub(below, from), from).Float64()
	if math.Abs(d) > 1e-14 {
		t.Errorf("Mills' ratio jumps by %g at %d", d, millsStart)
	}
}

func BenchmarkGaussianDelta(b *testing.B) {
	for b.Loop() {
		GaussianDelta(1, 4)
	}
}

func BenchmarkGaussianRatio(b *testing.B) {
	for b.Loop() {
		GaussianRatio(1, 1e-6)
	}
}
