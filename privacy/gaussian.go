package privacy

import "math"

// GaussianDelta is the exact delta at epsilon of Gaussian noise whose standard
// deviation is ratio times the l2 sensitivity:
// Phi(1/(2 ratio) - epsilon ratio) - e^epsilon Phi(-1/(2 ratio) - epsilon ratio).
// Balle and Wang 2018, "Improving the Gaussian mechanism for differential
// privacy", Theorem 8.
func GaussianDelta(epsilon, ratio float64) float64 {
	a := epsilon*ratio - 1/(2*ratio)
	b := epsilon*ratio + 1/(2*ratio)
	// e^epsilon Phi(-b) = e^(-a^2/2) erfcx(b/sqrt 2)/2, since b^2 - a^2 = 2 epsilon:
	// neither factor overflows.
	far := math.Exp(-a*a/2) * erfcx(b/math.Sqrt2)
	if a < 0 {
		return max(0, (math.Erfc(a/math.Sqrt2)-far)/2)
	}
	return max(0, math.Exp(-a*a/2)*(erfcx(a/math.Sqrt2)-erfcx(b/math.Sqrt2))/2)
}

// GaussianRatio is the least standard deviation, in units of the l2
// sensitivity, at which Gaussian noise is (epsilon, delta)-differentially
// private, rounded up. Balle and Wang 2018, Algorithm 1.
func GaussianRatio(epsilon, delta float64) float64 {
	low, high := 1.0, 1.0
	for GaussianDelta(epsilon, high) > delta {
		high *= 2
	}
	for GaussianDelta(epsilon, low) <= delta {
		low /= 2
	}
	for range 200 {
		mid := low + (high-low)/2
		if mid <= low || mid >= high {
			break
		}
		if GaussianDelta(epsilon, mid) > delta {
			low = mid
		} else {
			high = mid
		}
	}
	return high * (1 + 0x1p-36)
}

// ClassicalGaussianRatio is the classical standard deviation in units of the l2
// sensitivity, sqrt(2 ln(1.25/delta))/epsilon, whose proof ends at epsilon = 1.
// Dwork and Roth 2014, Theorem A.1.
func ClassicalGaussianRatio(epsilon, delta float64) float64 {
	return math.Sqrt(2*math.Log(1.25/delta)) / epsilon
}

// erfcx is e^(x^2) erfc(x) for x >= 0, with a relative error below 1e-12.
func erfcx(x float64) float64 {
	if x < 5 {
		// The square in two parts: its rounding would be magnified by x^2.
		square := x * x
		return math.Exp(square) * (1 + math.FMA(x, x, -square)) * math.Erfc(x)
	}
	// Laplace's continued fraction, from the inside out.
	f := 0.0
	for k := 60; k > 0; k-- {
		f = float64(k) / 2 / (x + f)
	}
	return 1 / (math.SqrtPi * (x + f))
}
