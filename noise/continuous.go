package noise

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// The samplers of this file round to float64 or float32 as they go. They are
// for noise that is not itself released: a word is chosen from the noisy
// vector, and the vector is dropped. Released vectors use the exact integers of
// discrete.go.

// laplace returns a number with density e^(-|x|/scale)/(2 scale).
func laplace(src rand.Source, scale float64) float64 {
	return signed(src, scale*exponential(src))
}

// truncatedLaplace returns a number with density proportional to e^(-|x|/scale)
// on [-bound, bound].
func truncatedLaplace(src rand.Source, scale, bound float64) float64 {
	for {
		var x float64
		if bound > scale {
			// Accepted with probability 1 - e^(-bound/scale) > 0.63.
			if x = scale * exponential(src); x > bound {
				continue
			}
		} else {
			// Accepted with probability above 1/e.
			if x = bound * OpenUnit(src); OpenUnit(src) >= math.Exp(-x/scale) {
				continue
			}
		}
		return signed(src, x)
	}
}

func signed(src rand.Source, x float64) float64 {
	return math.Float64frombits(math.Float64bits(x) | src.Uint64()>>63<<63)
}

// gamma returns a number with density x^(shape-1) e^-x/gamma(shape), shape at
// least 1. Marsaglia and Tsang 2000, "A simple method for generating gamma
// variables".
func gamma(src rand.Source, shape float64) float64 {
	if !(shape >= 1) {
		panic(fmt.Sprintf("noise: gamma of shape %g", shape))
	}
	d := shape - 1.0/3
	c := 1 / math.Sqrt(9*d)
	for {
		x := Normal(src)
		v := 1 + c*x
		if v <= 0 {
			continue
		}
		v *= v * v
		if math.Log(OpenUnit(src)) < x*x/2+d-d*v+d*math.Log(v) {
			return d * v
		}
	}
}

// FillNormal fills dst with independent Gaussian numbers of standard deviation
// sigma.
func FillNormal(dst []float32, sigma float64, src rand.Source) {
	var some [batch]float64
	for len(dst) > 0 {
		now := some[:min(batch, len(dst))]
		normals(now, src)
		for i, x := range now {
			dst[i] = float32(sigma * x)
		}
		dst = dst[len(now):]
	}
}

// batch is the number of Gaussian numbers drawn at once.
const batch = 128

// FillLaplace fills dst with independent Laplace numbers of the given scale.
func FillLaplace(dst []float32, scale float64, src rand.Source) {
	for i := range dst {
		dst[i] = float32(laplace(src, scale))
	}
}

// FillTruncatedLaplace fills dst with independent truncated Laplace numbers,
// each within [-bound, bound] as a float32.
func FillTruncatedLaplace(dst []float32, scale, bound float64, src rand.Source) {
	for i := range dst {
		dst[i] = float32(truncatedLaplace(src, scale, bound))
		for math.Abs(float64(dst[i])) > bound { // rounded outward
			dst[i] = float32(truncatedLaplace(src, scale, bound))
		}
	}
}

// FillSpherical fills each row of dst, len(dst)/dim of them, with [Spherical]
// noise.
func FillSpherical(dst []float32, dim int, rate float64, src rand.Source) {
	for ; len(dst) > 0; dst = dst[dim:] {
		Spherical(dst[:dim], rate, src)
	}
}

// Spherical fills dst with a vector of density proportional to e^(-rate norm): a
// uniform direction times a norm from gamma(shape len(dst), scale 1/rate).
func Spherical[T float32 | float64](dst []T, rate float64, src rand.Source) {
	square := 0.0
	var some [batch]float64
	for square == 0 {
		for from := 0; from < len(dst); from += batch {
			now := some[:min(batch, len(dst)-from)]
			normals(now, src)
			for k, x := range now {
				dst[from+k] = T(x)
				square += x * x
			}
		}
	}
	scale := gamma(src, float64(len(dst))) / (rate * math.Sqrt(square))
	for k, x := range dst {
		dst[k] = T(scale * float64(x))
	}
}
