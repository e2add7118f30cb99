package accountant

import (
	"math"
)

// optimalDelta returns the least delta at total that holds for n uses of every
// mechanism with (epsilon, delta)-differential privacy, rounded up:
//
//	1 - (1-delta)^n (1 - sum_l C(n,l) max(0, e^((n-l) epsilon) - e^(total + l epsilon))/(1+e^epsilon)^n),
//
// which is the loss of n uses of randomised response. Kairouz, Oh, Viswanath
// 2015, "The composition theorem for differential privacy", Theorem 3.3, at any
// total (there: at (n-2i) epsilon).
func optimalDelta(n int, epsilon, delta, total float64) float64 {
	// Terms are m 2^e, m from 1 up to 2^257: C(n,l) e^(-l epsilon) (1+e^-epsilon)^-n.
	// They are probabilities, so e is at most 0. The sum has its own exponent, the
	// largest e so far, so that no term is lost before the end.
	first := -float64(n) * math.Log1p(math.Exp(-epsilon)) / math.Ln2
	e := int(math.Floor(first))
	m := math.Exp2(first - float64(e))
	fall := math.Exp(-epsilon)
	sum, unit := 0.0, e
	for l := 0; l <= n; l++ {
		over := excess(n-2*l, epsilon, total)
		if over <= 0 {
			break
		}
		if e > unit {
			sum, unit = math.Ldexp(sum, unit-e)+math.SmallestNonzeroFloat64, e
		}
		// A term rounded to a subnormal number errs by half the least one.
		sum += math.Ldexp(m*-math.Expm1(-over), e-unit) + math.SmallestNonzeroFloat64
		if m *= float64(n-l) / float64(l+1) * fall; m == 0 {
			break // at l = n, or at an epsilon so large that e^-epsilon is 0
		}
		for m > 0x1p+256 {
			m, e = m*0x1p-256, e+256
		}
		for m < 1 {
			m, e = m*0x1p+256, e-256
		}
	}
	// 4 roundings per term in m and 1 in the sum; the first term carries the
	// error of its exponent.
	slack := (8*float64(n) + 4*math.Abs(first) + 64) * 0x1p-53
	sum = min(1, math.Ldexp(sum*(1+slack), unit)+math.SmallestNonzeroFloat64)
	if sum == 1 {
		return 1
	}
	whole := -math.Expm1(float64(n)*math.Log1p(-delta) + math.Log1p(-sum))
	return min(1, whole*(1+0x1p-48)+math.SmallestNonzeroFloat64)
}

// excess returns k x - y to a relative error of a few roundings, even where the
// two nearly cancel.
func excess(k int, x, y float64) float64 {
	p := float64(float64(k) * x) // the conversion forbids fusing
	return p - y + math.FMA(float64(k), x, -p)
}

// optimalEpsilon returns the least epsilon at total delta that holds for n uses of
// every mechanism with (epsilon, delta)-differential privacy, rounded up; +Inf
// where none does.
func optimalEpsilon(n int, epsilon, delta, total float64) float64 {
	curve := func(e float64) float64 { return optimalDelta(n, epsilon, delta, e) }
	most := float64(n) * epsilon * (1 + 0x1p-48)
	if curve(most) > total {
		return math.Inf(1)
	}
	return min(most, leastEpsilon(total, curve))
}

// leastEpsilon returns the least epsilon found at which a decreasing curve is at most
// delta, from above by at most 1e-12 of it; +Inf where none is found below 2^40.
func leastEpsilon(delta float64, curve func(epsilon float64) float64) float64 {
	if curve(0) <= delta {
		return 0
	}
	low, high := 0.0, 1.0
	for curve(high) > delta {
		if low, high = high, 2*high; high > 1<<40 {
			return math.Inf(1)
		}
	}
	for range 200 {
		mid := low + (high-low)/2
		if high-low <= 1e-12*high || mid <= low || mid >= high {
			break
		}
		if curve(mid) > delta {
			low = mid
		} else {
			high = mid
		}
	}
	return high
}
