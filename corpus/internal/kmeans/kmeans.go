// Package kmeans divides int8 vectors among centres by spherical k-means: each vector
// belongs to the centre with the greatest inner product, the first of equal ones, and a
// centre is the mean of its vectors. Products and sums are integers, so the result is the
// same on every machine.
//
// After the first round, most products need not be computed: a vector whose own centre
// stayed can only move to one that moved.
package kmeans

import (
	"cmp"
	"slices"

	"github.com/sotto-dp/sotto/internal/int8grid"
	"github.com/sotto-dp/sotto/internal/simd/inner"
)

const together = 256 // vectors per block

// Vectors are packed vectors (see package inner) that are divided. It is safe for
// concurrent use.
type Vectors struct {
	data   []uint8
	n, dim int
}

// New returns n vectors of dim components, packed in data, which must not change.
func New(data []uint8, n, dim int) *Vectors { return &Vectors{data: data, n: n, dim: dim} }

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
	which   []int    // ascending, so that those of a block come together
	place   []int    // of each of them in the order of Start
	of      []uint32 // the centre of each of them
	best    []int32  // the product with it
	others  []int32  // no less than the products with other centres
	centres []int8
	moved   []bool   // that differ from those of the last Assign
	counted []uint32 // of, as sums and sizes have it; nil before the first Move
	sums    []int64
	sizes   []int
}

// Start returns the division of some vectors among count centres, which are the first
// count of them. Assign has to be called first.
func (v *Vectors) Start(which []int, count int) *Division {
	d := &Division{vectors: v, place: make([]int, len(which)), of: make([]uint32, len(which)), best: make([]int32, len(which)), others: make([]int32, len(which)),
		moved: slices.Repeat([]bool{true}, count), sums: make([]int64, count*v.dim), sizes: make([]int, count)}
	for _, i := range which[:count] {
		d.centres = v.row(d.centres, i)
	}
	for j := range d.place {
		d.place[j] = j
	}
	slices.SortFunc(d.place, func(a, b int) int { return cmp.Compare(which[a], which[b]) })
	for at, j := range d.place {
		d.which = append(d.which, which[j])
		d.best[at], d.others[at] = least, least
	}
	return d
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
	var row []int8
	for j, k := range d.of {
		if d.counted != nil && d.counted[j] == k {
			continue
		}
		row = v.row(row[:0], d.which[j])
		if d.counted != nil {
			d.count(row, d.counted[j], -1)
			other[d.counted[j]] = true
		}
		d.count(row, k, 1)
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
func (d *Division) count(row []int8, k uint32, sign int) {
	sum := d.sums[int(k)*len(row):][:len(row)]
	for c, x := range row {
		sum[c] += int64(sign) * int64(x)
	}
	d.sizes[k] += sign
}
