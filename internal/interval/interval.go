// Package interval bounds a chance by counts of draws (Clopper and Pearson 1934).
package interval

import "gonum.org/v1/gonum/stat/distuv"

// AtLeast is the lower bound of a chance: with hits of n draws,
// the true chance is below it for a fraction alpha of samples at most.
func AtLeast(hits, n int, alpha float64) float64 {
	if hits == 0 {
		return 0
	}
	return distuv.Beta{Alpha: float64(hits), Beta: float64(n - hits + 1)}.Quantile(alpha)
}

// AtMost is the upper bound.
func AtMost(hits, n int, alpha float64) float64 {
	if hits == n {
		return 1
	}
	return distuv.Beta{Alpha: float64(hits + 1), Beta: float64(n - hits)}.Quantile(1 - alpha)
}
