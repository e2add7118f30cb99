package directions

import (
	"math"
	"slices"

	"github.com/sotto-dp/sotto/internal/int8grid"
	"github.com/sotto-dp/sotto/internal/simd/multiples"
	"github.com/sotto-dp/sotto/noise"
)

// probes is the number of public directions on which the constants of a codebook are
// measured.
const probes = 1023

// Constants hold the factors that make a release over a codebook unbiased, and the
// remaining bias.
type Constants struct {
	// Dot is the expected inner product of the drawn vector with the input, averaged over
	// the probes. Excess is the expectation of Dim times its square, minus 1, averaged over
	// uniform inputs and codebooks.
	Dot, Excess float64
	// Residual is the mean, Largest the largest squared length of E[drawn/Dot] - x over
	// the probes.
	Residual, Largest float64
	Probes            int
}

// Measure computes the constants of a codebook for sets of k, given lift, the probability
// that a draw is from the set and not from the whole codebook. Inputs are directions drawn
// from the public seed. The mean of the whole codebook is zero, so E[drawn] is lift times
// the mean of the set.
func (c *Codebook) Measure(k int, lift float64, seed uint64) Constants {
	src := noise.Seeded(seed, stream+1)
	const atOnce = 64
	x, queries := make([]float64, probes*c.dim), make([]int8, 0, probes*c.dim)
	for i := range probes {
		v := x[i*c.dim : (i+1)*c.dim]
		square := 0.0
		for j := range v {
			v[j] = noise.Normal(src)
			square += float64(v[j] * v[j])
		}
		for j := range v {
			v[j] /= math.Sqrt(square)
		}
		queries = int8grid.Append(queries, v)
	}
	means := make([]float64, probes*c.dim)
	units := make([]float64, c.Len()*c.dim)
	for y := range c.Len() {
		c.Unit(units[y*c.dim:(y+1)*c.dim], y)
	}
	ones := slices.Repeat([]float64{1}, k)
	var set []uint32
	for from := 0; from < probes; from += atOnce {
		to := min(from+atOnce, probes)
		set = c.table.Nearest(set[:0], queries[from*c.dim:to*c.dim], k)
		for i := from; i < to; i++ {
			mean := means[i*c.dim : (i+1)*c.dim]
			multiples.Sum(mean, ones, units, set[(i-from)*k:(i-from+1)*k], c.dim)
			for j := range mean {
				mean[j] /= float64(k)
			}
		}
	}
	dot := inner64(means, x) / probes
	r := Constants{Dot: lift * dot, Excess: float64(lift * setExcess(c.dim, c.Len(), k)), Probes: probes}
	for i := range probes {
		square := 0.0
		for j := range c.dim {
			e := means[i*c.dim+j]/dot - x[i*c.dim+j]
			square += float64(e * e)
		}
		r.Residual += square / probes
		r.Largest = max(r.Largest, square)
	}
	return r
}

func inner64(a, b []float64) float64 {
	sum := 0.0
	for i, x := range a {
		sum += float64(x * b[i])
	}
	return sum
}
