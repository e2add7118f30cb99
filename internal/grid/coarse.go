package grid

import (
	"math"
	"slices"

	"github.com/sotto-dp/sotto/internal/scratch"
	"github.com/sotto-dp/sotto/internal/simd/blocks"
)

// Coarse computes bounds on distances, several times faster than the distances themselves.
// It rounds each vector to a point of an int8 grid and stores the distance to that point,
// the radius r. For vectors x and y whose points have the squared distance Q,
//
//	unit sqrt(Q) - r(x) - r(y) <= |x-y| <= unit sqrt(Q) + r(x) + r(y)
//
// by the triangle inequality, in steps.
type Coarse[I ~uint32] struct {
	vectors *Vectors
	unit    float64 // of the places' grid, in steps: a whole number
	center  []float64
	blocks  blocks.Table
	radii   []float64 // of the packed vectors
	from, n int
}

// FastCoarse reports whether there is a kernel for Coarse.
func FastCoarse() bool { return blocks.Fast() }

// NewCoarse returns a Coarse with no vectors packed. Its grid spans the range of
// each component; one step serves all components, fitted to the widest range.
func NewCoarse[I ~uint32](v *Vectors) *Coarse[I] {
	c := &Coarse[I]{vectors: v, center: make([]float64, v.dim)}
	least, most := slices.Repeat([]float64{math.Inf(1)}, v.dim), slices.Repeat([]float64{math.Inf(-1)}, v.dim)
	for i := range v.n {
		for k := range v.dim {
			v := v.component(i, k)
			least[k], most[k] = min(least[k], v), max(most[k], v)
		}
	}
	reach := 0.0
	for k := range c.center {
		c.center[k] = math.RoundToEven((least[k] + most[k]) / 2)
		reach = max(reach, most[k]-c.center[k], c.center[k]-least[k])
	}
	c.unit = max(1, math.Ceil(reach/127))
	c.blocks.Resize(0, v.dim)
	return c
}

// Unit returns the step of the int8 grid, in steps of the vectors.
func (c *Coarse[I]) Unit() float64 { return c.unit }

// place writes a vector's place and returns its radius, rounded up.
func (c *Coarse[I]) place(dst []int8, i int) float64 {
	v := c.vectors
	if v.narrow != nil {
		return placeIn(dst, v.narrow[i*v.dim:(i+1)*v.dim], c.center, c.unit)
	}
	return placeIn(dst, v.wide[i*v.dim:(i+1)*v.dim], c.center, c.unit)
}

// placeIn is place for a row. Components, places and their differences are
// whole numbers, so the sum is exact.
func placeIn[T int8 | float32](dst []int8, row []T, center []float64, unit float64) float64 {
	const whole = 3 << 51 // adding it rounds a small number to a whole one
	q, scale := 0.0, 1/unit
	center, dst = center[:len(row)], dst[:len(row)]
	for k, v := range row {
		v := float64(v) - center[k]
		a := float64(v*scale) + whole - whole
		dst[k] = int8(int(a))
		e := v - float64(a*unit)
		q += float64(e * e)
	}
	return math.Sqrt(q) * (1 + 1e-15)
}

// Pack replaces the packed vectors by those in [from, to). It uses all
// processors.
func (c *Coarse[I]) Pack(from, to int) {
	n := to - from
	c.from, c.n = from, n
	c.blocks.Resize(n, c.vectors.dim)
	c.radii = scratch.Resize(c.radii, n)
	const each = 64
	onAll((n+each-1)/each, func(part int) {
		place := make([]int8, c.vectors.dim)
		for i := part * each; i < min(n, (part+1)*each); i++ {
			c.radii[i] = c.place(place, from+i)
			c.blocks.Set(i, place)
		}
	})
}

// Radii returns the radii of the packed vectors in [from, to), in steps.
func (c *Coarse[I]) Radii(from, to int) []float64 { return c.radii[from-c.from : to-c.from] }

// CoarseRows holds vectors to compute distances to packed vectors from.
type CoarseRows struct {
	Radii []float64 // in steps
	rows  []blocks.Rows
	out   []uint32
}

// Rows prepares vectors, packed or not, for Squares.
func (c *Coarse[I]) Rows(r *CoarseRows, xs []I) {
	groups := (len(xs) + blocks.Group - 1) / blocks.Group
	if len(r.rows) < groups {
		r.rows = append(r.rows, make([]blocks.Rows, groups-len(r.rows))...)
	}
	r.Radii = r.Radii[:0]
	for i, x := range xs {
		group, row := i/blocks.Group, i%blocks.Group
		place := c.blocks.Row(&r.rows[group], row)
		clear(place)
		r.Radii = append(r.Radii, c.place(place, int(x)))
		if row == blocks.Group-1 || i == len(xs)-1 {
			c.blocks.Ready(&r.rows[group])
		}
	}
}

// Squares writes, for each of the rows in turn, Q for the packed vectors in
// [from, to).
func (c *Coarse[I]) Squares(dst []uint32, r *CoarseRows, from, to int) {
	from, to = from-c.from, to-c.from
	width, first, last := to-from, from/blocks.Block, (to+blocks.Block-1)/blocks.Block
	stride := (last - first) * blocks.Block
	r.out = slices.Grow(r.out[:0], blocks.Group*stride)[:blocks.Group*stride]
	for i := range r.Radii {
		if i%blocks.Group == 0 {
			c.blocks.Squares(r.out, stride, &r.rows[i/blocks.Group], first, last)
		}
		copy(dst[i*width:(i+1)*width], r.out[i%blocks.Group*stride+from-first*blocks.Block:])
	}
}
