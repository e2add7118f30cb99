package weight

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/sotto-dp/sotto/internal/exactlog"
	"github.com/sotto-dp/sotto/internal/simd/weigh"
)

// The log ratio of two weights exceeds T times the difference of their distances by the slack
// at most, and that of two products of one factor by the slack of products: compared with
// exact arithmetic. At least a quarter of each slack is reached, so neither is a bound of
// something else.
func TestSlackBoundsTheRoundingOfWeights(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, floor := range []int{LeastFloorBits, 16, mostFloorBits} {
		l := &Function{Law: weigh.Law{Gamma: math.Inf(1), Step: 1, ScaleBits: 45, FloorBits: floor}}
		plain, product := 0.0, 0.0
		for range 1500 {
			l.T = math.Exp(12*rng.Float64() - 8) // 0.0003 to 50
			near, far := pairOf(rng, l)
			w, v := l.Exact(near), l.Exact(far)
			plain = max(plain, beyond(t, l, near, far, w, v, l.Slack()))
			f := 1.0
			if rng.IntN(3) > 0 {
				f = math.Exp(-rng.Float64() * math.Pow(10, 1-7*rng.Float64()))
			}
			product = max(product, beyond(t, l, near, far, l.Times(f, w), l.Times(f, v), l.ProductSlack()))
		}
		if plain < l.Slack()/4 || product < l.ProductSlack()/4 {
			t.Errorf("floor of %d bits: %v of %v and %v of %v", floor, plain, l.Slack(), product, l.ProductSlack())
		}
	}
}

// pairOf returns two distances, often near where weights meet the floor, where the rounding
// is largest.
func pairOf(rng *rand.Rand, l *Function) (near, far float64) {
	edge := float64(l.ScaleBits-l.FloorBits) * math.Ln2 / l.T
	switch rng.IntN(4) {
	case 0:
		near, far = rng.Float64()*edge*1.2, rng.Float64()*edge*1.2
	case 1:
		near, far = rng.Float64()*edge, edge*(1-math.Pow(2, -float64(l.FloorBits)-4*rng.Float64()+2))
	case 2:
		far = edge * (1 - rng.Float64()*1e-3)
		near = far * (1 - rng.Float64()*1e-6)
	default:
		near, far = 0, edge*(1+rng.Float64())
	}
	return min(near, far), max(near, far)
}

// beyond returns by how much the log ratio of two weights, in either direction, exceeds T
// times the difference of their distances, and fails where that is more than the slack.
func beyond(t *testing.T, l *Function, near, far float64, w, v uint64, slack float64) float64 {
	t.Helper()
	exact := func(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }
	_, loss := exactlog.Of(new(big.Int).SetUint64(max(w, v)), new(big.Int).SetUint64(min(w, v)))
	more := loss.Sub(loss, new(big.Rat).Mul(exact(l.T), new(big.Rat).Sub(exact(far), exact(near))))
	if more.Cmp(exact(slack)) > 0 {
		t.Fatalf("floor of %d bits, T %v, distances %v and %v: weights %d and %d are more than the slack %v apart", l.FloorBits, l.T, near, far, w, v, slack)
	}
	x, _ := more.Float64()
	return x
}
