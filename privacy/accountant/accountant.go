// Package accountant composes losses: it bounds the total loss of several independent uses
// of a mechanism, by the best method that applies.
//
//   - basic: epsilons and deltas add up; the only method for a pure guarantee.
//   - optimal: the exact worst case over all mechanisms with the claim
//     (Kairouz, Oh, Viswanath 2015, Theorem 3.3).
//   - losses: the loss distribution of the mechanism's own worst pair of inputs, convolved;
//     never above optimal.
//   - gaussian: uses of Gaussian noise are one use of Gaussian noise, exactly.
//
// Every figure is rounded outward: it is never below the exact real number.
// Uses may be adaptive: each may depend on the results of those before it.
package accountant

import (
	"math"

	"github.com/sotto-dp/sotto/privacy"
)

// Method names how losses were composed.
type Method string

// The methods.
const (
	Basic        Method = "basic"
	Optimal      Method = "optimal"
	Distribution Method = "losses"
	GaussianSum  Method = "gaussian"
)

// DeltaOf returns an upper bound on the delta of n uses at epsilon, and the method
// that gave it. The bound is 1 if none holds.
func (u Use) DeltaOf(n int, epsilon float64) (float64, Method, error) {
	best, how := 1.0, Basic
	take := func(delta float64, m Method) {
		if delta < best {
			best, how = delta, m
		}
	}
	if err := u.checkAll(n, epsilon >= 0, epsilon); err != nil {
		return best, how, err
	}
	if epsilon >= times(n, u.Epsilon) {
		take(times(n, u.Delta), Basic)
	}
	if best > 0 {
		take(optimalDelta(n, u.Epsilon, u.Delta, epsilon), Optimal)
	}
	if best > 0 && u.GaussianRatio > 0 {
		take(gaussianDelta(n, u.GaussianRatio, epsilon), GaussianSum)
	}
	if best > 0 && u.Losses != nil {
		bound, err := deltaOf(epsilon, part{u.Losses, n})
		if err != nil {
			return best, how, err
		}
		take(bound, Distribution)
	}
	return best, how, nil
}

func (u Use) checkAll(n int, ok bool, epsilon float64) error {
	if err := u.check(); err != nil {
		return err
	}
	if !ok || math.IsInf(epsilon, 0) {
		return privacy.Bad("accountant", "epsilon", epsilon, "0 or more and finite")
	}
	return checkUses(n)
}

// EpsilonOf returns an upper bound on the epsilon of n uses at delta, and the
// method that gave it. The bound is +Inf if none holds. Delta 0 requests a pure guarantee.
func (u Use) EpsilonOf(n int, delta float64) (float64, Method, error) {
	best, how := math.Inf(1), Basic
	if err := u.checkAll(n, true, 0); err != nil {
		return best, how, err
	}
	if !(delta >= 0 && delta < 1) {
		return best, how, privacy.Bad("accountant", "delta", delta, "in [0, 1)")
	}
	take := func(epsilon float64, m Method) {
		if epsilon < best {
			best, how = epsilon, m
		}
	}
	if u.Delta == 0 || times(n, u.Delta) <= delta {
		take(times(n, u.Epsilon), Basic)
	}
	if delta == 0 {
		return best, how, nil
	}
	take(optimalEpsilon(n, u.Epsilon, u.Delta, delta), Optimal)
	if u.GaussianRatio > 0 {
		take(leastEpsilon(delta, func(e float64) float64 { return gaussianDelta(n, u.GaussianRatio, e) }), GaussianSum)
	}
	if u.Losses != nil {
		bound, err := epsilonOf(delta, part{u.Losses, n})
		if err != nil {
			return best, how, err
		}
		take(bound, Distribution)
	}
	return best, how, nil
}

// times returns n x, rounded up; exact where x is 0.
func times(n int, x float64) float64 {
	p := float64(float64(n) * x)
	// Where p is tiny the remainder may be too small for a float64.
	if math.FMA(float64(n), x, -p) > 0 || n > 1 && p > 0 && p < 0x1p-900 {
		return math.Nextafter(p, math.Inf(1))
	}
	return p
}

// gaussianDelta returns the delta at epsilon of n uses of Gaussian noise: shifts that
// add up in squares to at most n sensitivities, so one use of sqrt(n) of it.
func gaussianDelta(n int, ratio, epsilon float64) float64 {
	return privacy.GaussianDelta(epsilon, ratio/math.Sqrt(float64(n))*(1-0x1p-50))
}
