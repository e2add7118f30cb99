// Package kmeans divides int8 vectors among centres by spherical k-means: each vector
// belongs to the centre with the greatest inner product, the first of equal ones, and a
// centre is the mean of its vectors. Products and sums are integers, so the result is the
// same on every machine.
//
// After the first round, most products need not be computed: a vector whose own centre
// stayed can only move to one that moved.
package kmeans

import (
	"slices"
	"sync"

	"github.com/sotto-dp/sotto/internal/int8grid"
	"github.com/sotto-dp/sotto/internal/simd/inner"
)

const together = 256 // vectors per block

// Vectors are packed vectors (see package inner) that are divided. It is safe for
// concurrent use.
type Vectors struct {
	data   []uint8
	n, dim int
	groups func() *inner.Groups // of all
}

// New returns n vectors of dim components, packed in data, which must not change.
func New(data []uint8, n, dim int) *Vectors {
	v := &Vectors{data: data, n: n, dim: dim}
	v.groups = sync.OnceValue(func() *inner.Groups { return inner.NewGroups(data, dim, numbers(n)) })
	return v
}

// numbers returns the numbers below n.
func numbers(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// row appends a vector to dst.
func (v *Vectors) row(dst []int8, i int) []int8 {
	at := len(dst)
	dst = append(dst, make([]int8, v.dim)...)
	inner.Get(dst[at:], v.data, i)
	return dst
}

// A Division is a state of k-means over some vectors. It is for one goroutine.
type Division struct {
	vectors *Vectors
	groups  *inner.Groups // of which
	which   []int         // ascending, so that those of a block come together
	place   []int         // of each of them in the order of Start
	of      []uint32      // the centre of each of them
	best    []int32       // the product with it
	others  []int32       // no less than the products with other centres
	centres []int8
	packed  *packed  // all centres, except for those that moved
	moved   []bool   // that differ from those of the last Assign
	counted []uint32 // of, as sums and sizes have it; nil before the first Move
	sums    []int64
	sizes   []int
}

// Start returns the division of some vectors among count centres, which are the first
// count of them. Assign has to be called first.
func (v *Vectors) Start(which []int, count int) *Division {
	after := make([]int, v.n) // one more than the place of each vector in which
	for j, i := range which {
		after[i] = j + 1
	}
	sorted, place := make([]int, 0, len(which)), make([]int, 0, len(which))
	for i, j := range after {
		if j > 0 {
			sorted, place = append(sorted, i), append(place, j-1)
		}
	}
	var centres []int8
	for _, i := range which[:count] {
		centres = v.row(centres, i)
	}
	return v.divide(sorted, place, centres, count)
}

// divide returns the division of vectors, ascending, among centres.
func (v *Vectors) divide(which, place []int, centres []int8, count int) *Division {
	d := &Division{vectors: v, which: which, place: place, centres: centres, of: make([]uint32, len(which)), best: slices.Repeat([]int32{least}, len(which)), others: slices.Repeat([]int32{least}, len(which)),
		moved: slices.Repeat([]bool{true}, count), sums: make([]int64, count*v.dim), sizes: make([]int, count)}
	if len(which) == v.n {
		d.groups = v.groups()
	} else {
		d.groups = inner.NewGroups(v.data, v.dim, which)
	}
	return d
}

// All returns the division of all vectors among the centres. Assign has to be called first.
func (d *Division) All() *Division {
	all := numbers(d.vectors.n)
	return d.vectors.divide(all, all, d.centres, len(d.sizes))
}

// Resume takes the centres that the last Assign of an earlier run found, in its order, and
// moves the centres.
func (d *Division) Resume(of []uint32) {
	for at, j := range d.place {
		d.of[at] = of[j]
	}
	d.Move()
	for k := range d.moved {
		d.moved[k] = true // products with those of the earlier run are not known
	}
}

// Len returns the number of vectors that are divided.
func (d *Division) Len() int { return len(d.which) }

// Of returns the centre of each vector, in the order of Start.
func (d *Division) Of() []uint32 {
	of := make([]uint32, len(d.of))
	for at, j := range d.place {
		of[j] = d.of[at]
	}
	return of
}

// Each calls f with each vector and its centre.
func (d *Division) Each(f func(vector int, centre uint32)) {
	for at, i := range d.which {
		f(i, d.of[at])
	}
}

// Centres returns the centres.
func (d *Division) Centres() []int8 { return d.centres }

func (d *Division) centre(k int) []int8 { return d.centres[k*d.vectors.dim:][:d.vectors.dim] }

// Move moves each centre to the mean of its vectors. One without a mean stays.
func (d *Division) Move() {
	v := d.vectors
	other := make([]bool, len(d.sizes)) // centres with other vectors than before
	for j, k := range d.of {
		if d.counted != nil && d.counted[j] == k {
			continue
		}
		if d.counted != nil {
			d.count(d.which[j], d.counted[j], -1)
			other[d.counted[j]] = true
		}
		d.count(d.which[j], k, 1)
		other[k] = true
	}
	d.counted = append(d.counted[:0], d.of...)
	mean, grid := make([]float64, v.dim), make([]int8, 0, v.dim)
	for k, size := range d.sizes {
		d.moved[k] = false
		if !other[k] || size == 0 {
			continue
		}
		zero := true
		for c, x := range d.sums[k*v.dim:][:v.dim] {
			mean[c] = float64(x)
			zero = zero && x == 0
		}
		if zero {
			continue
		}
		grid = int8grid.Append(grid[:0], mean)
		centre := d.centre(k)
		d.moved[k] = !slices.Equal(grid, centre)
		copy(centre, grid)
	}
}

// count adds a vector to a centre's sum, or takes it away.
func (d *Division) count(vector int, k uint32, sign int) {
	v := d.vectors
	inner.Add(d.sums[int(k)*v.dim:][:v.dim], v.data, vector, int64(sign))
	d.sizes[k] += sign
}
