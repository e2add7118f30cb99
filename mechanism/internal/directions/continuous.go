package directions

import (
	"math"
	"math/rand/v2"

	"github.com/sotto-dp/sotto/noise"
)

// Draw writes a unit vector into dst: uniform over the cap around the unit vector x
// with probability P, over its complement otherwise. It computes in float64.
func (c Cap) Draw(dst, x []float64, src rand.Source) {
	height := c.height(src)
	along := 0.0
	for k := range dst {
		dst[k] = noise.Normal(src)
		along += float64(dst[k] * x[k])
	}
	square := 0.0
	for k := range dst {
		dst[k] -= float64(along * x[k])
		square += float64(dst[k] * dst[k])
	}
	across := math.Sqrt(max(0, 1-float64(height*height))) / math.Sqrt(square)
	for k := range dst {
		dst[k] = float64(dst[k]*across) + float64(height*x[k])
	}
}

// height draws the inner product with the input.
func (c Cap) height(src rand.Source) float64 {
	inside := noise.OpenUnit(src) < c.P
	if inside && c.Q < 0.05 {
		return c.tail(src)
	}
	for { // of the whole sphere, until one is on the side
		first, square := noise.Normal(src), 0.0
		for range c.Dim - 1 {
			x := noise.Normal(src)
			square += float64(x * x)
		}
		if t := first / math.Sqrt(float64(first*first)+square); (t >= c.Gamma) == inside {
			return t
		}
	}
}

// tail draws a height above Gamma by rejection from an exponential: the logarithm of
// the density (1 - t^2)^((dim-3)/2) is concave, so its tangent at Gamma lies above it.
func (c Cap) tail(src rand.Source) float64 {
	switch c.Dim {
	case 2: // the angle is uniform
		return math.Cos(noise.OpenUnit(src) * math.Acos(c.Gamma))
	case 3: // the height is
		return c.Gamma + float64((1-c.Gamma)*noise.OpenUnit(src))
	}
	rest := 1 - float64(c.Gamma*c.Gamma)
	rate := max(1e-3, float64(c.Dim-3)*c.Gamma/rest)
	for {
		over := -math.Log(noise.OpenUnit(src)) / rate
		t := c.Gamma + over
		if t >= 1 {
			continue
		}
		log := float64(float64(c.Dim-3)/2*math.Log((1-float64(t*t))/rest)) + float64(over*rate)
		if math.Log(noise.OpenUnit(src)) < log {
			return t
		}
	}
}
