package privacy

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// bigExp is e^x to about 120 bits by halving the argument and squaring.
func bigExp(x float64) *big.Float {
	const prec, halvings = 200, 30
	r := new(big.Float).SetPrec(prec).SetMantExp(big.NewFloat(x), -halvings)
	sum, term := big.NewFloat(1).SetPrec(prec), big.NewFloat(1).SetPrec(prec)
	for i := 1; i < 12; i++ {
		term.Mul(term, r).Quo(term, big.NewFloat(float64(i)))
		sum.Add(sum, term)
	}
	for range halvings {
		sum.Mul(sum, sum)
	}
	return sum
}

func TestExpIsWithinItsStatedError(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range 20000 {
		x := -rng.ExpFloat64() * math.Pow(10, float64(i%5)-2)
		if x < -690 {
			continue
		}
		want := bigExp(x)
		diff := new(big.Float).Sub(want, big.NewFloat(Exp(x)))
		relative, _ := diff.Quo(diff, want).Float64()
		if math.Abs(relative) > 1.0/(1<<50) {
			t.Fatalf("Exp(%g) = %g: relative error %g", x, Exp(x), relative)
		}
	}
	if Exp(0) != 1 || Exp(-1e9) != 0 || Exp(math.Inf(-1)) != 0 {
		t.Errorf("Exp(0), Exp(-1e9), Exp(-Inf) = %g, %g, %g, want 1, 0, 0", Exp(0), Exp(-1e9), Exp(math.Inf(-1)))
	}
}
