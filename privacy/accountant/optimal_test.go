package accountant

import (
	"math"
	"math/big"
	"testing"
)

// theorem evaluates Theorem 3.3 of Kairouz, Oh, Viswanath as printed, for the
// total (n-2i) epsilon. It uses 1,600 bits, so that 1 - 1e-400 is not 1.
func theorem(n, i int, epsilon, delta float64) float64 {
	const prec = 1600
	number := func(x float64) *big.Float { return new(big.Float).SetPrec(prec).SetFloat64(x) }
	e := exponential(epsilon)
	power := func(k int) *big.Float {
		p := number(1)
		for range k {
			p.Mul(p, e)
		}
		return p
	}
	sum := number(0)
	for l := range i {
		binomial := new(big.Float).SetPrec(prec).SetInt(new(big.Int).Binomial(int64(n), int64(l)))
		d := new(big.Float).SetPrec(prec).Sub(power(n-l), power(n-2*i+l))
		sum.Add(sum, d.Mul(d, binomial))
	}
	one := new(big.Float).SetPrec(prec).Add(number(1), e)
	left := number(1)
	for range n {
		sum.Quo(sum, one)
		left.Mul(left, new(big.Float).SetPrec(prec).Sub(number(1), number(delta)))
	}
	left.Mul(left, sum.Sub(number(1), sum))
	out, _ := left.Sub(number(1), left).Float64()
	return out
}

// exponential returns e^x by halving and squaring, to about 350 bits.
func exponential(x float64) *big.Float {
	const prec, halvings = 400, 40
	r := new(big.Float).SetPrec(prec).SetMantExp(new(big.Float).SetPrec(prec).SetFloat64(x), -halvings)
	sum, term := new(big.Float).SetPrec(prec).SetFloat64(1), new(big.Float).SetPrec(prec).SetFloat64(1)
	for i := 1; i < 12; i++ {
		term.Mul(term, r).Quo(term, new(big.Float).SetPrec(prec).SetFloat64(float64(i)))
		sum.Add(sum, term)
	}
	for range halvings {
		sum.Mul(sum, sum)
	}
	return sum
}

func TestOptimalCompositionIsTheTheoremRoundedUp(t *testing.T) {
	for _, n := range []int{1, 2, 3, 10, 30, 101} {
		for _, epsilon := range []float64{0.01, 0.3, 1, 4} {
			for _, delta := range []float64{0, 1e-9, 1e-3} {
				for i := 0; i <= n/2; i += 1 + n/7 {
					want, total := theorem(n, i, epsilon, delta), float64(n-2*i)*epsilon
					if i == 0 && delta == 0 {
						continue // no loss left: 0, the basic figure
					}
					got := optimalDelta(n, epsilon, delta, total)
					rounding := 1e-15 * total // of the total itself
					if got < want-rounding || got > want*(1+1e-10)+rounding {
						t.Errorf("%d uses of (%g, %g) at %g: delta %.15g, the theorem has %.15g", n, epsilon, delta, total, got, want)
					}
				}
			}
		}
	}
}

// Values from the tests of the theorem's implementation in Google's
// differential-privacy library: the least multiple (n-2i) epsilon that holds.
func TestOptimalCompositionAgreesWithPublishedValues(t *testing.T) {
	for _, c := range []struct {
		n                     int
		epsilon, delta, total float64
		want                  float64
	}{
		{30, 1, 0.001, 0.06, 22},
		{50, 0.25, 0, 0.01, 5},
		{1, 1, 0.2, 0.1, math.Inf(1)},
		{30, 1, 0.01, 0.26, math.Inf(1)},
	} {
		got := optimalEpsilon(c.n, c.epsilon, c.delta, c.total)
		if !(got <= c.want*(1+1e-12) && (got > c.want-2*c.epsilon || math.IsInf(c.want, 1) && got == c.want)) {
			t.Errorf("%+v: epsilon %g", c, got)
		}
	}
}

func TestOptimalCompositionOfManyUses(t *testing.T) {
	// A million uses: the normal limit of the loss, mean n eps tanh(eps/2).
	const n, epsilon, delta = 1_000_000, 0.001, 1e-6
	got := optimalEpsilon(n, epsilon, 0, delta)
	// The limit is Gaussian noise of ratio 1/(epsilon sqrt n) to first order.
	limit, _, err := Use{Epsilon: n, GaussianRatio: 1 / (epsilon * math.Sqrt(n))}.EpsilonOf(1, delta)
	if err != nil || math.Abs(got/limit-1) > 1e-3 {
		t.Errorf("%d uses of %g: epsilon %g, the normal limit has %g (%v)", n, epsilon, got, limit, err)
	}
}

// Deltas down to the least float64 above 0, where all terms are far below those
// that float64 holds at its full precision.
func TestOptimalCompositionKeepsTinyTerms(t *testing.T) {
	tiny := math.SmallestNonzeroFloat64
	for _, n := range []int{1240, 1500, 1600, 1630, 1900} {
		for _, i := range []int{1, 5, 20, 40} {
			const epsilon = 0.5
			want, total := theorem(n, i, epsilon, 0), float64(n-2*i)*epsilon
			got := optimalDelta(n, epsilon, 0, total)
			if got < want || got > want*(1+1e-10)+float64(8+8*i)*tiny {
				t.Errorf("%d uses at %g: delta %g, the theorem has %g", n, total, got, want)
			}
		}
	}
	// A delta below every positive float64 is not rounded to 0.
	if got := optimalDelta(1_000_000, 0.5, 0, 499_000); got == 0 || got > 1e6*tiny {
		t.Errorf("delta %g, want a number just above 0", got)
	}
	if got := optimalDelta(2, 800, 0, 1); got > 1 || got < 1-1e-12 {
		t.Errorf("delta %g, want about 1", got)
	}
}

func TestTimesRoundsUp(t *testing.T) {
	for _, x := range []float64{5e-324, 1e-310, 0x1.fffffffffffffp-1000, 0x1.8p-1021, 0x1.5555555555555p-970, 1e-300, 1e-20, 0.1} {
		for _, n := range []int{1, 2, 3, 7, 1 << 20} {
			exact := new(big.Float).SetPrec(200).Mul(big.NewFloat(x), big.NewFloat(float64(n)))
			got := times(n, x)
			if big.NewFloat(got).Cmp(exact) < 0 || n == 1 && got != x {
				t.Errorf("%d times %g is %g", n, x, got)
			}
		}
	}
}
