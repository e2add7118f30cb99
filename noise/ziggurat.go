package noise

import (
	"math"
	"math/rand/v2"
)

// ziggurat covers the area under a falling density f on [0, inf) by 256 layers
// of equal area (Marsaglia and Tsang 2000). Layer i is the rectangle of width
// edge[i] between the heights f(edge[i]) and f(edge[i+1]); layer 0 is the base,
// whose part beyond edge[1] represents the tail.
type ziggurat struct {
	edge   [257]float64
	height [257]float64 // f(edge[i])
}

// newZiggurat builds the layers for a density and its inverse; the tail beyond
// start has the given area.
func newZiggurat(start, tail float64, density, inverse func(float64) float64) *ziggurat {
	z := new(ziggurat)
	area := start*density(start) + tail
	z.edge[0], z.edge[1] = area/density(start), start
	for i := 2; i < 256; i++ {
		z.edge[i] = inverse(area/z.edge[i-1] + density(z.edge[i-1]))
	}
	for i, x := range z.edge { // edge[256] is 0
		z.height[i] = density(x)
	}
	return z
}

// The tails' starts are the solutions for 256 layers; a test checks that the
// topmost layer closes.
const (
	normalStart      = 3.6541528853610088
	exponentialStart = 7.69711747013104972
)

func halfNormal(x float64) float64 { return math.Exp(-x * x / 2) }

var (
	normalLayers = newZiggurat(normalStart, math.Sqrt(math.Pi/2)*math.Erfc(normalStart/math.Sqrt2),
		halfNormal, func(y float64) float64 { return math.Sqrt(-2 * math.Log(y)) })
	exponentialLayers = newZiggurat(exponentialStart, math.Exp(-exponentialStart),
		func(x float64) float64 { return math.Exp(-x) }, func(y float64) float64 { return -math.Log(y) })
)

// Normal returns a standard Gaussian number. A draw has 53 bits within its
// layer; beyond 3.65 the tail is drawn from uniforms with an unlimited
// exponent, so it is not cut off.
func Normal(src rand.Source) float64 {
	z := normalLayers
	for {
		// Layer, sign and position come from disjoint bits of one draw.
		u := src.Uint64()
		x, ok := float64(u>>11)*0x1p-53*z.edge[u&255], true
		if x >= z.edge[u&255+1] {
			x, ok = z.normalOutside(u&255, x, src)
		}
		if ok {
			return signOf(u, x)
		}
	}
}

// normals fills dst with the numbers that as many calls of [Normal] return.
// Calls of a known source, and layers looked up once, take less time.
func normals(dst []float64, src rand.Source) {
	c, ok := src.(*stream)
	if !ok {
		for i := range dst {
			dst[i] = Normal(src)
		}
		return
	}
	z := normalLayers
	for i := 0; i < len(dst); {
		u := c.Uint64()
		x, ok := float64(u>>11)*0x1p-53*z.edge[u&255], true
		if x >= z.edge[u&255+1] {
			if x, ok = z.normalOutside(u&255, x, c); !ok {
				continue
			}
		}
		dst[i] = signOf(u, x)
		i++
	}
}

// signOf gives x a sign from a draw: without a branch, which would be
// mispredicted half the time.
func signOf(u uint64, x float64) float64 {
	return math.Float64frombits(math.Float64bits(x) | u>>8<<63)
}

// normalOutside settles a draw that is not inside of every rectangle above its
// layer: it returns a number of the tail, or x if that lies below the density.
func (z *ziggurat) normalOutside(layer uint64, x float64, src rand.Source) (number float64, ok bool) {
	if layer == 0 {
		return normalTail(src), true
	}
	return x, z.height[layer]+OpenUnit(src)*(z.height[layer+1]-z.height[layer]) < halfNormal(x)
}

// normalTail draws from the Gaussian beyond its start (Marsaglia 1964).
func normalTail(src rand.Source) float64 {
	for {
		x := -math.Log(OpenUnit(src)) / normalStart
		if -2*math.Log(OpenUnit(src)) > x*x {
			return normalStart + x
		}
	}
}

// exponential returns a number with density e^-x on [0, inf). The resolution is
// that of [Normal]; the tail starts again at 7.7.
func exponential(src rand.Source) float64 {
	z := exponentialLayers
	for passed := 0.0; ; {
		u := src.Uint64()
		i := u & 255
		x := float64(u>>11) * 0x1p-53 * z.edge[i]
		switch {
		case x < z.edge[i+1]:
			return passed + x
		case i == 0:
			passed += exponentialStart // without memory: the tail is the whole again
		case z.height[i]+OpenUnit(src)*(z.height[i+1]-z.height[i]) < math.Exp(-x):
			return passed + x
		}
	}
}
