package accountant

import (
	"math"

	"github.com/sotto-dp/sotto/internal/ternary"
	"github.com/sotto-dp/sotto/privacy"
)

// MaxExactVariance is the largest variance whose losses DiscreteGaussian lists.
const MaxExactVariance = 1 << 18

// DiscreteGaussian returns the loss distribution of discrete Gaussian noise with the
// parameter sigma^2 = variance on a count that changes by 1 (Canonne, Kamath and Steinke
// 2020): k has probability proportional to e^(-k^2/(2 variance)), and the loss
// (1-2k)/(2 variance) in both orders. Losses are rounded to a float64, a relative error
// of 2^-52.
func DiscreteGaussian(variance uint64) (*Losses, error) {
	if variance < 1 || variance > MaxExactVariance {
		return nil, privacy.Bad("accountant", "variance", variance, "1 to 2^18")
	}
	// Beyond 39 sigma there is less mass than the least float64.
	most := int(39*math.Sqrt(float64(variance))) + 1
	weight := func(k int) float64 { return math.Exp(-float64(k) * float64(k) / (2 * float64(variance))) }
	total := 0.0
	for k := most; k > 0; k-- { // the small ones first
		total += 2 * weight(k)
	}
	total++
	l := &Losses{step: 1 / (2 * float64(variance)), lowest: 1 - 2*most, mass: make([]float64, 4*most+1), infinite: math.SmallestNonzeroFloat64}
	for k := -most; k <= most; k++ {
		l.mass[1-2*k-l.lowest] = weight(k) / total * (1 + 0x1p-40) // more than all rounding
	}
	return l.trim(), nil
}

// Delta returns an upper bound on the delta at epsilon of n independent uses.
func (l *Losses) Delta(n int, epsilon float64) (float64, error) {
	if err := checkUses(n); err != nil {
		return 1, err
	}
	return deltaOf(epsilon, part{l, n})
}

// ConcentratedDelta returns an upper bound on the delta at epsilon of a rho-zCDP mechanism:
// the least over a of e^((a-1)(a rho - epsilon)) (1-1/a)^a / (a-1), for a above 1. Canonne,
// Kamath and Steinke 2020, Corollary 13. Discrete Gaussian noise of parameter sigma^2 on
// counts that change by a vector of squared length s is s/(2 sigma^2)-zCDP.
func ConcentratedDelta(rho, epsilon float64) float64 {
	if !(rho > 0) || !(epsilon > rho) {
		return 1
	}
	log := func(order float64) float64 {
		return (order-1)*(order*rho-epsilon) + order*math.Log1p(-1/order) - math.Log(order-1)
	}
	// Any order is a bound; the best is near (epsilon + rho)/(2 rho) and above it.
	best := log(ternary.Least(1+1e-9, 2+2*(epsilon+rho)/(2*rho), log))
	return min(1, math.Exp(best+1e-9*(1+math.Abs(best))))
}
