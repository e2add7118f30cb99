package autoencoder

import (
	"math"

	"github.com/sotto-dp/sotto/internal/gemm"
)

// sigmoid replaces each number by 1/(1+e^-x).
func sigmoid[F gemm.Number](v []F) {
	if v, ok := any(v).([]float32); ok {
		for i, x := range v {
			v[i] = 1 / (1 + exp(-x))
		}
		return
	}
	for i, x := range v {
		v[i] = F(1 / (1 + math.Exp(-float64(x))))
	}
}

// tanh writes the hyperbolic tangent of each number of src; dst may be src.
func tanh[F gemm.Number](dst, src []F) {
	if src, ok := any(src).([]float32); ok {
		dst := any(dst).([]float32)[:len(src)]
		for i, x := range src {
			dst[i] = 1 - 2/(1+exp(2*x))
		}
		return
	}
	for i, x := range src {
		dst[i] = F(math.Tanh(float64(x)))
	}
}

// exponentials replaces each number by e^(x-shift) and returns their sum.
func exponentials[F gemm.Number](v []F, shift F) (sum float64) {
	if v, ok := any(v).([]float32); ok {
		shift := float32(shift)
		var even, odd float64
		for len(v) >= 2 {
			v[0], v[1] = exp(v[0]-shift), exp(v[1]-shift)
			even += float64(v[0])
			odd += float64(v[1])
			v = v[2:]
		}
		for i := range v {
			v[i] = exp(v[i] - shift)
			even += float64(v[i])
		}
		return even + odd
	}
	for i, x := range v {
		v[i] = F(math.Exp(float64(x - shift)))
		sum += float64(v[i])
	}
	return sum
}

// exp is e^x with a relative error below 4e-7; beyond +-87 it is as at +-87. It
// splits x into n ln 2 + r with |r| <= (ln 2)/2 and sums the series of e^r.
func exp(x float32) float32 {
	const (
		round  = 3 << 22 // adding it rounds a small number to an integer
		high   = 355.0 / 512
		low    = math.Ln2 - high
		farOut = 87
	)
	x = max(-farOut, min(farOut, x))
	n := x*math.Log2E + round
	n -= round
	r := x - n*high - n*float32(low)
	p := float32(1.0/720) + r*(1.0/5040)
	p = 1.0/120 + r*p
	p = 1.0/24 + r*p
	p = 1.0/6 + r*p
	p = 1.0/2 + r*p
	return (1 + (r + r*r*p)) * math.Float32frombits(uint32(int32(n)+127)<<23)
}
