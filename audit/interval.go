package audit

import "gonum.org/v1/gonum/stat/distuv"

// atLeast is the Clopper-Pearson lower bound of a chance: with hits of n draws,
// the true chance is below it for a fraction alpha of samples at most.
func atLeast(hits, n int, alpha float64) float64 {
	if hits == 0 {
		return 0
	}
	return distuv.Beta{Alpha: float64(hits), Beta: float64(n - hits + 1)}.Quantile(alpha)
}

// atMost is the Clopper-Pearson upper bound.
func atMost(hits, n int, alpha float64) float64 {
	if hits == n {
		return 1
	}
	return distuv.Beta{Alpha: float64(hits + 1), Beta: float64(n - hits)}.Quantile(1 - alpha)
}
