// Package int8grid rounds vectors to integers of -127 to 127, so that inner products
// are exact.
package int8grid

import (
	"math"
	"slices"
)

// Largest is the greatest absolute value of a component on the grid.
const Largest = 127

// Radius returns the length to which vectors of dim components are scaled before they are
// rounded to the grid. Components are 32 steps in root mean square, so that only those of
// four times that size are cut off.
func Radius(dim int) int {
	return max(Largest, int(math.Sqrt(float64(1024*dim))))
}

// Append appends the grid vector of v to dst: v scaled to [Radius], each component
// rounded to the nearest integer, ties to even, and cut off at -Largest and Largest. A
// zero vector, or one with a component that is not finite, becomes the zero vector.
func Append(dst []int8, v []float64) []int8 {
	most := 0.0
	for _, x := range v {
		most = max(most, math.Abs(x)) // NaN if a component is
	}
	if !(most > 0 && most <= math.MaxFloat64) {
		return append(dst, make([]int8, len(v))...)
	}
	if most < 1e-100 || most > 1e100 { // squares would overflow or underflow
		v = slices.Clone(v)
		for k := range v {
			v[k] /= most
		}
	}
	square := 0.0
	for _, x := range v {
		square += float64(x * x)
	}
	scale := float64(Radius(len(v))) / math.Sqrt(square)
	at := len(dst)
	dst = slices.Grow(dst, len(v))[:at+len(v)]
	for k, x := range v {
		steps := int(math.RoundToEven(x * scale)) // little more than the radius at most
		dst[at+k] = int8(min(max(steps, -Largest), Largest))
	}
	return dst
}
