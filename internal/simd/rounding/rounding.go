// Package rounding rounds vectors of float32 to int8. Sums are in float64, in four
// lanes: component k is added to lane k%4, and lanes 0 and 1, 2 and 3, and the two
// results are added. Every step rounds once, so every implementation gives the same bits.
package rounding

import "math"

// Multiple divides the length of every vector.
const Multiple = 8

// kernels is one implementation.
type kernels struct {
	measure func(x []float32) (largest, square float64)
	round   func(dst []int8, x []float32, scale, inverse float64) (square float64, sum int64)
}

var plain = kernels{measureGo, roundGo}

// Measure returns the largest absolute value of the components of x, and the square of
// its norm. If a component is NaN, so is the square, and any number is the largest.
func Measure(x []float32) (largest, square float64) {
	if len(x) == 0 {
		return 0, 0
	}
	return machine().measure(x)
}

// Round writes the integers m nearest to x*inverse into dst, ties to even, and returns the
// square of the norm of x - scale*m, and the sum of m. No x*inverse rounds to an integer
// that int8 lacks.
func Round(dst []int8, x []float32, scale, inverse float64) (square float64, sum int64) {
	if len(x) == 0 {
		return 0, 0
	}
	return machine().round(dst[:len(x)], x, scale, inverse)
}

// measureGo is the specification of the kernels: see [Measure].
func measureGo(x []float32) (largest, square float64) {
	var lanes [4]float64
	for k, v := range x {
		v := float64(v)
		largest = math.Max(largest, math.Abs(v))
		lanes[k%4] += float64(v * v)
	}
	return largest, total(&lanes)
}

// roundGo is the specification of the kernels: see [Round].
func roundGo(dst []int8, x []float32, scale, inverse float64) (square float64, sum int64) {
	var lanes [4]float64
	for k, v := range x {
		v := float64(v)
		m := math.RoundToEven(float64(v * inverse))
		dst[k] = int8(m)
		sum += int64(m)
		left := v - float64(m*scale)
		lanes[k%4] += float64(left * left)
	}
	return total(&lanes), sum
}

func total(lanes *[4]float64) float64 { return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]) }
