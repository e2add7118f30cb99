package privacy

import "math"

// GaussianRatio returns the least standard deviation found, in units of the l2
// sensitivity, at which Gaussian noise is (epsilon, delta)-differentially private:
// [GaussianDelta] of it is at most delta, which is checked, and that of a ratio
// smaller by one part in 2^30 is not. It is +Inf where no float64 is large
// enough. Epsilon must not be negative, delta must be in (0, 1).
//
// Balle and Wang 2018, Algorithm 1.
func GaussianRatio(epsilon, delta float64) float64 {
	holds := func(ratio float64) bool { return GaussianDelta(epsilon, ratio) <= delta }
	// The guess is good to a part in 2^36, except at very small epsilons and deltas.
	guess := guessRatio(epsilon, delta) * (1 + 0x1p-36)
	if holds(guess) && !holds(guess*(1-0x1p-30)) {
		return guess
	}
	low, high := guess, guess
	for holds(low) {
		low /= 2
	}
	for !holds(high) {
		if low, high = high, 2*high; math.IsInf(high, 1) {
			return high
		}
	}
	for high-low > high*0x1p-36 {
		mid := low + float64((high-low)/2)
		if mid <= low || mid >= high {
			break
		}
		if holds(mid) {
			high = mid
		} else {
			low = mid
		}
	}
	return high
}

// guessRatio is GaussianRatio in float64, not rounded up.
func guessRatio(epsilon, delta float64) float64 {
	low, high := 1.0, 1.0
	for guessDelta(epsilon, high) > delta && high < 0x1p1000 {
		high *= 2
	}
	for guessDelta(epsilon, low) <= delta && low > 0x1p-1000 {
		low /= 2
	}
	for range 200 {
		mid := low + float64((high-low)/2)
		if mid <= low || mid >= high {
			break
		}
		if guessDelta(epsilon, mid) > delta {
			low = mid
		} else {
			high = mid
		}
	}
	return high
}

// guessDelta is GaussianDelta in float64, with a relative error of about 1e-12
// times the ratio.
func guessDelta(epsilon, ratio float64) float64 {
	a := float64(epsilon*ratio) - 1/(2*ratio)
	b := float64(epsilon*ratio) + 1/(2*ratio)
	// e^epsilon Phi(-b) = e^(-a^2/2) erfcx(b/sqrt 2)/2, since b^2 - a^2 = 2 epsilon:
	// neither factor overflows.
	far := float64(math.Exp(-a*a/2) * erfcx(b/math.Sqrt2))
	if a < 0 {
		return max(0, (math.Erfc(a/math.Sqrt2)-far)/2)
	}
	return max(0, math.Exp(-a*a/2)*(erfcx(a/math.Sqrt2)-erfcx(b/math.Sqrt2))/2)
}

// ClassicalGaussianRatio returns the classical standard deviation in units of the
// l2 sensitivity, sqrt(2 ln(1.25/delta))/epsilon. Its proof ends at epsilon = 1.
// Up to there its exact delta is below delta by far more than its rounding.
// Dwork and Roth 2014, Theorem A.1.
func ClassicalGaussianRatio(epsilon, delta float64) float64 {
	log := math.Log(1.25 / delta)
	if math.IsInf(log, 1) {
		log = math.Log(1.25) - Log(delta)
	}
	return math.Sqrt(2*log) / epsilon
}

// erfcx is e^(x^2) erfc(x) for x >= 0, with a relative error below 1e-12.
func erfcx(x float64) float64 {
	if x < 5 {
		// The square in two parts: its rounding would be magnified by x^2.
		square := float64(x * x)
		return math.Exp(square) * (1 + math.FMA(x, x, -square)) * math.Erfc(x)
	}
	// Laplace's continued fraction, from the inside out.
	f := 0.0
	for k := 60; k > 0; k-- {
		f = float64(k) / 2 / (x + f)
	}
	return 1 / (math.SqrtPi * (x + f))
}
