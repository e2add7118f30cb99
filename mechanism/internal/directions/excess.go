package directions

import (
	"math"

	"github.com/sotto-dp/sotto/internal/elementary"
)

// The excess of a random unit vector y over the uniform distribution, for an input x, is
// dim E<y,x>^2 - 1: it is 0 for uniform y. Squares themselves are nearly 1/dim where sets
// are nearly half of all vectors, so their difference would be rounding. The excess of
// a cap needs no difference: the derivative of t (1 - t^2)^((dim-1)/2) is 1 - dim t^2
// times the density of the height t.

// setExcess returns the excess of a vector drawn uniformly from the k nearest to x of m,
// which are m/2 independent uniform directions and their opposites: its mean over them.
//
// Up to k = m/2 those are the k greatest of n = m/2 heights without their signs. Given the
// next one T, they are independent and uniform beyond it, so the excess is the mean of
// that of the cap above T. The share of heights above T has the distribution Beta(k+1, n-k).
// For a larger k, squares of a set and of its complement, which is a set of m - k for the
// opposite of x, have the mean of all together, whose excess is 0.
func setExcess(dim, m, k int) float64 {
	n := m / 2
	if k > n {
		return -float64(m-k) / float64(k) * setExcess(dim, m, m-k)
	}
	if k == n {
		return 0
	}
	// All but e^-40 or so of the distribution is between two shares.
	mean := float64(k+1) / float64(n+1)
	deviation := math.Sqrt(mean * (1 - mean) / float64(n+2))
	beyond := float64(10*deviation) + 40/float64(n+2)
	half := area(dim, 0)
	from := math.Sqrt(1 - heightOf(dim, min(1, mean+beyond)*half))
	to := math.Sqrt(1 - heightOf(dim, max(0, mean-beyond)*half))
	return betaMean(dim, k, n, to, from)
}

// heightOf returns the height above which the integral of the density is given.
func heightOf(dim int, above float64) float64 {
	low, high := 0.0, 1.0
	for range 60 {
		middle := (low + high) / 2
		if area(dim, middle) > above {
			low = middle
		} else {
			high = middle
		}
	}
	return low
}

// betaMean returns the mean of the excess of caps whose share of heights has the
// distribution Beta(k+1, n-k), by Simpson's rule for t = 1 - s^2 and s between two
// bounds. The density of the share at s is normalised by its own sum.
func betaMean(dim, k, n int, low, high float64) float64 {
	const steps = 4096
	half, width := area(dim, 0), float64((high-low)*(1.0/steps))
	share := area(dim, 1-float64(low*low)) / half
	logs, ratios, weights := make([]float64, 0, steps+1), make([]float64, 0, steps+1), make([]float64, 0, steps+1)
	peak := math.Inf(-1)
	for i := range steps + 1 {
		s := low + float64(float64(i)*width)
		if i > 0 { // Simpson's rule for one step
			middle := smooth(dim, s-float64(width*0.5))
			ends := smooth(dim, s-width) + smooth(dim, s)
			share += float64((ends + float64(4*middle)) * width / 6 / half)
		}
		if !(share > 0) || share >= 1 && n-k > 1 {
			continue // its weight is 0
		}
		weight := 4.0
		switch {
		case i == 0 || i == steps:
			weight = 1
		case i%2 == 0:
			weight = 2
		}
		at := float64(float64(k) * elementary.Log(share))
		if n-k > 1 {
			at += float64(float64(n-k-1) * elementary.Log(1-share))
		}
		peak = max(peak, at)
		logs, weights = append(logs, at), append(weights, float64(weight*smooth(dim, s)))
		ratios = append(ratios, edge(dim, 1-float64(s*s))/half/share)
	}
	sum, total := 0.0, 0.0
	for i, at := range logs {
		w := float64(weights[i] * elementary.Exp(at-peak))
		sum += float64(w * ratios[i])
		total += w
	}
	return sum / total
}
