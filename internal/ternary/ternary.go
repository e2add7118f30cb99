// Package ternary finds the minimum of a function by ternary search.
package ternary

// Least returns a point where f is smallest between low and high, within (2/3)^200 of the
// interval's width or within rounding. f must decrease up to one point and increase after
// it.
func Least(low, high float64, f func(x float64) float64) float64 {
	for range 200 {
		third := (high - low) / 3
		if f(low+third) < f(high-third) {
			high -= third
		} else {
			low += third
		}
	}
	return float64((low + high) * 0.5) // exact, and not fused with what follows
}
