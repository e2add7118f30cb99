package directions

import (
	"math"

	"github.com/sotto-dp/sotto/internal/elementary"
)

// A uniform unit vector of dim components, 2 or more, has a first component t with
// density proportional to (1 - t^2)^((dim-3)/2). The figures here are integrals of
// that density from a height to 1. Only exactly rounded operations are used, so they
// are the same on every machine.

// area returns the integral of the density, not normalised, from height, 0 to 1, to
// 1. With t = 1 - s^2 it is that of 2 s (s^2 (2 - s^2))^((dim-3)/2), which is smooth:
// for Simpson's rule.
func area(dim int, height float64) float64 {
	const steps = 2048
	width := math.Sqrt(1-height) / steps
	sum := 0.0
	for i := range steps + 1 {
		s := float64(i) * width
		weight := 4.0
		switch {
		case i == 0 || i == steps:
			weight = 1
		case i%2 == 0:
			weight = 2
		}
		sum += float64(weight * smooth(dim, s))
	}
	return sum * width / 3
}

// smooth is the density over s, not normalised.
func smooth(dim int, s float64) float64 {
	rest := 2 - float64(s*s)
	if dim == 2 {
		return 2 / math.Sqrt(rest)
	}
	return float64(2 * s * halfPower(float64(float64(s*s)*rest), dim-3))
}

// power returns x^n for n >= 0.
func power(x float64, n int) float64 {
	p := 1.0
	for ; n > 0; n >>= 1 {
		if n&1 != 0 {
			p *= x
		}
		x *= x
	}
	return p
}

// halfPower returns x^(n/2) for n >= 0.
func halfPower(x float64, n int) float64 {
	if n%2 != 0 {
		return power(x, n/2) * math.Sqrt(x)
	}
	return power(x, n/2)
}

// Cap is the set of unit vectors of dim components whose inner product with the input is at
// least Gamma. A release is a vector of the cap with probability P, and of its complement
// otherwise.
type Cap struct {
	Dim   int
	Gamma float64
	// Q is the cap's share of the sphere, P the probability that a release is in the cap.
	Q, P float64
	// Dot is the expected inner product of the released vector with the input, Excess
	// that of Dim times its square, less 1.
	Dot, Excess float64
}

// BestCap returns the cap with the greatest expected inner product for epsilon, by
// Bhowmick et al. 2018 and Asi, Feldman and Talwar 2022. With c = 1/(e^epsilon - 1)
// and the integrals A of the density and B of t times it above gamma, both
// normalised, that product is B/(A + c). Its derivative is zero where gamma (A + c) =
// B, so the best gamma equals the product, and the left side less the right one
// increases with gamma.
func BestCap(dim int, epsilon float64) Cap {
	decay := elementary.Exp(-epsilon)
	c := decay / (1 - decay)
	whole := 2 * area(dim, 0)
	low, high := 0.0, 1.0
	for range 60 {
		middle := (low + high) / 2
		if float64(middle*(area(dim, middle)/whole+c)) < first(dim, middle)/whole {
			low = middle
		} else {
			high = middle
		}
	}
	b := Cap{Dim: dim, Gamma: low}
	q := area(dim, low) / whole
	b.Q = q
	b.P = q / (q + float64(decay*(1-q)))
	b.Dot = first(dim, low) / whole / (q + c)
	// The excess is edge/q inside the cap and -edge/(1 - q) outside; P/q - (1-P)/(1-q) is
	// 1/(q + c).
	b.Excess = edge(dim, low) / whole / (q + c)
	return b
}

// first returns the integral of t times the density above height.
func first(dim int, height float64) float64 {
	return halfPower(1-float64(height*height), dim-1) / float64(dim-1)
}

// Scale returns the factor that makes a released vector unbiased.
func (b Cap) Scale() float64 { return 1 / b.Dot }

// Error returns the expected squared error of the unbiased release, 1/Dot^2 - 1.
func (b Cap) Error() float64 { return 1/float64(b.Dot*b.Dot) - 1 }

// Size returns the size k of a set among m vectors that maximises the expected inner
// product: the cap's share of them, 1 to m/2.
func (b Cap) Size(m int) int {
	return int(min(max(math.Round(b.Q*float64(m)), 1), max(1, float64(m/2))))
}

// edge returns the integral of dim t^2 - 1 times the density, not normalised, from height
// to 1.
func edge(dim int, height float64) float64 {
	return float64(height * halfPower(1-float64(height*height), dim-1))
}
