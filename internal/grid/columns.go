package grid

import (
	"runtime"

	"github.com/sotto-dp/sotto/internal/parallel"
	"github.com/sotto-dp/sotto/internal/simd/dot"
	"github.com/sotto-dp/sotto/internal/simd/squares"
)

// Columns is a range of vectors packed for the distances to them: a computation
// over all pairs packs one range after the other. Distances equal those of
// [SquaredDistances], which packs all vectors. Int8 vectors are always all
// packed.
type Columns[I ~uint32] struct {
	vectors  *Vectors
	wide     *squares.Table
	from, to int
}

// NewColumns returns Columns with no vectors packed.
func NewColumns[I ~uint32](v *Vectors) *Columns[I] {
	c := &Columns[I]{vectors: v}
	if v.narrow == nil {
		c.wide = squares.New(v.dim, v.largest())
	}
	return c
}

// Bytes bounds the memory, in bytes, that packing n vectors takes, here or in [Coarse].
func (c *Columns[I]) Bytes(n int) int {
	const padding = 16 // vectors
	if v := c.vectors; c.wide == nil {
		return (v.n + padding) * 2 * (dot.Padded(v.dim) + 8)
	}
	return (n + padding) * max(squares.Bytes(c.vectors.dim), c.vectors.dim+20)
}

// Pack replaces the packed vectors by those in [from, to). It uses all
// processors.
func (c *Columns[I]) Pack(from, to int) {
	c.from, c.to = from, to
	if v := c.vectors; c.wide != nil {
		c.wide.Resize(to - from)
		onAll(to-from, func(i int) { c.wide.Set(i, v.wide[(from+i)*v.dim:(from+i+1)*v.dim]) })
	}
}

// SquaredDistances is [SquaredDistances] for vectors that are packed.
func (c *Columns[I]) SquaredDistances(dst []float64, xs []I, from, to int) {
	if c.wide == nil {
		SquaredDistances(c.vectors, dst, xs, from, to)
		return
	}
	wideSquares(c.wide, c.vectors, dst, xs, from-c.from, to-c.from)
}

// Rows are vectors prepared for the distances to any packed vectors of Columns. They are a
// source of distances like it.
type Rows[I ~uint32] struct {
	columns *Columns[I]
	wide    wideRows
}

// Rows prepares vectors, packed or not. Vectors packed later have the same rows.
func (c *Columns[I]) Rows(r *Rows[I], xs []I) {
	r.columns = c
	if c.wide != nil {
		take(&r.wide, c.wide, c.vectors, xs)
	}
}

// SquaredDistances is that of Columns for xs, the vectors prepared.
func (r *Rows[I]) SquaredDistances(dst []float64, xs []I, from, to int) {
	c := r.columns
	if c.wide == nil {
		c.SquaredDistances(dst, xs, from, to)
		return
	}
	c.wide.Squares(dst, &r.wide.rows, from-c.from, to-c.from)
}

// SquaredDistances32 is that of Columns.
func (r *Rows[I]) SquaredDistances32(dst []uint32, xs []I, from, to int) bool {
	return r.columns.SquaredDistances32(dst, xs, from, to)
}

// SquaredDistances32 is [SquaredDistances32] for vectors that are packed.
func (c *Columns[I]) SquaredDistances32(dst []uint32, xs []I, from, to int) bool {
	return SquaredDistances32(c.vectors, dst, xs, from, to)
}

// onAll calls work for every number below n, on all processors if n is large enough.
func onAll(n int, work func(i int)) {
	const least = 256
	parallel.Split(n, min(runtime.GOMAXPROCS(0), (n+least-1)/least), func(_, from, to int) {
		for i := from; i < to; i++ {
			work(i)
		}
	})
}

// All is a source of distances like [Columns], over all vectors.
type All[I ~uint32] struct{ Vectors *Vectors }

// SquaredDistances is [SquaredDistances].
func (a All[I]) SquaredDistances(dst []float64, xs []I, from, to int) {
	SquaredDistances(a.Vectors, dst, xs, from, to)
}

// SquaredDistances32 is [SquaredDistances32].
func (a All[I]) SquaredDistances32(dst []uint32, xs []I, from, to int) bool {
	return SquaredDistances32(a.Vectors, dst, xs, from, to)
}
