package embedding

import (
	"math"
	"sync"

	"github.com/sotto-dp/sotto/internal/grid"
)

// Grid is a read-only view of a table's vectors as integers, in steps. The
// mechanisms of this module compute with it. It has no exported methods or fields.
type Grid = grid.Vectors

// Grid returns the table's vectors as integers. They are shared with the table.
func (t *Table) Grid() *Grid {
	t.grid.once.Do(func() {
		values := t.components()
		if values.narrow != nil {
			t.grid.vectors = grid.New(values.narrow, t.dim, t.step)
			return
		}
		t.grid.vectors = grid.New(values.wide, t.dim, t.step)
	})
	return t.grid.vectors
}

// SquaredDistances writes, for each x of xs in turn, the squared distances from x
// to words from (included) to to (excluded), in steps squared: exact integers below
// 2^53. dst has len(xs)*(to-from) elements.
func (t *Table) SquaredDistances(dst []float64, xs []ID, from, to int) {
	grid.SquaredDistances(t.Grid(), dst, xs, from, to)
}

// SquaredDistance returns the squared distance of two words in steps squared: an
// exact integer.
func (t *Table) SquaredDistance(x, y ID) float64 {
	return grid.SquaredDistance(t.Grid(), int(x), int(y))
}

// Nearest writes the word nearest to each query into dst. Queries are len(dst) x
// Dim, in the unit of the vectors. It runs on the calling goroutine. The first call
// packs the table, which takes two bytes per component, four, or six.
//
// The nearest word y to a query q is the one with the smallest
//
//	sum over k, in order, of float64(q[k]-y[k])^2
//
// where the difference, the square and each sum are rounded to float64; ties go to the
// lowest number. It is the same word on every machine.
func (t *Table) Nearest(dst []ID, queries []float32) {
	s := searches.Get().(*grid.Scratch)
	defer searches.Put(s)
	grid.Nearest(t.Grid(), dst, queries, s)
}

var searches = sync.Pool{New: func() any { return new(grid.Scratch) }}

// Distance returns the Euclidean distance of two words in the unit of the vectors.
func (t *Table) Distance(x, y ID) float64 {
	return float64(t.step * math.Sqrt(t.SquaredDistance(x, y)))
}

// Diameter returns an upper bound on the distance of any two words, in the unit
// of the vectors: twice the largest distance to the table's mean, rounded up.
func (t *Table) Diameter() float64 {
	values, mean := t.components(), make([]float64, t.dim)
	for i := range t.Len() {
		for k := range mean {
			mean[k] += values.at(i*t.dim+k) / float64(t.Len())
		}
	}
	radius := 0.0
	for i := range t.Len() {
		q := 0.0
		for k, m := range mean {
			e := values.at(i*t.dim+k) - m
			q += float64(e * e)
		}
		radius = max(radius, q)
	}
	return 2 * t.step * math.Sqrt(radius) * (1 + 1e-9)
}
