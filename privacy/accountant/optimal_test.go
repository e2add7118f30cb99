package accountant

import (
	"math"
	"math/big"
	"testing"
)

// theorem is Theorem 3.3 of Kairouz, Oh, Viswanath as printed, for the total
// (n-2i) epsilon, in 400 bits.
func theorem(n, i int, epsilon, delta float64) float64 {
	const prec = 400
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

// exponential is e^x by halving and squaring, to about 350 bits.
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
					got := OptimalDelta(n, epsilon, delta, total)
					rounding := 1e-15 * total // of the total itself
					if got < want-rounding || got > want*(1+1e-10)+rounding {
						t.Errorf("%d uses of (%g, %g) at %g: delta %.15g, the theorem has %.15g", n, epsilon, delta, total, got, want)
					}
				}
			}
		}
	}
}

// Values that the theorem's implementation in Google's differential-privacy
// library is tested with: the least multiple (n-2i) epsilon that holds.
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
		got := OptimalEpsilon(c.n, c.epsilon, c.delta, c.total)
		if !(got <= c.want*(1+1e-12) && (got > c.want-2*c.epsilon || math.IsInf(c.want, 1) && got == c.want)) {
			t.Errorf("%+v: epsilon %g", c, got)
		}
	}
}

func TestOptimalCompositionOfManyUses(t *testing.T) {
	// A million uses: the normal limit of the loss, mean n eps tanh(eps/2).
	const n, epsilon, delta = 1_000_000, 0.001, 1e-6
	got := OptimalEpsilon(n, epsilon, 0, delta)
	// The limit is Gaussian noise of ratio 1/(epsilon sqrt n) to first order.
	limit, _, err := Use{Epsilon: n, GaussianRatio: 1 / (epsilon * math.Sqrt(n))}.EpsilonOf(1, delta)
	if err != nil || math.Abs(got/limit-1) > 1e-3 {
		t.Errorf("%d uses of %g: epsilon %g, the normal limit has %g (%v)", n, epsilon, got, limit, err)
	}
}
