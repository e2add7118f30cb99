package lsa

import (
	"context"
	"math"

	"github.com/sotto-dp/sotto/internal/parallel"
	"github.com/sotto-dp/sotto/internal/simd/multiples"
)

// dense is a matrix, row after row.
type dense struct {
	rows, cols int
	data       []float64
}

func newDense(rows, cols int) *dense { return &dense{rows, cols, make([]float64, rows*cols)} }

func (d *dense) row(r int) []float64 { return d.data[r*d.cols : (r+1)*d.cols] }

const blockRows = 256 // rows per block

// together is the number of rows whose products are summed before those of the next columns:
// the rows stay in the first cache.
const together = 16

// numbers returns the numbers below n.
func numbers(n int) []uint32 {
	all := make([]uint32, n)
	for i := range all {
		all[i] = uint32(i)
	}
	return all
}

// atOnce is the number of blocks that are summed before their sums are added.
const atOnce = 32

// gram returns the products of all pairs of columns. Blocks of rows are summed separately
// and then added in order.
func (d *dense) gram(ctx context.Context) (*dense, error) {
	parts, g := newDense(atOnce, d.cols*d.cols), newDense(d.cols, d.cols)
	for from := 0; from < d.rows; from += atOnce * blockRows {
		some := &dense{min(atOnce*blockRows, d.rows-from), d.cols, d.data[from*d.cols:]}
		if err := some.gramParts(ctx, parts); err != nil {
			return nil, err
		}
		for first := 0; first < some.rows; first += blockRows {
			for i, v := range parts.row(first / blockRows) {
				g.data[i] += v
			}
		}
	}
	for i := range d.cols {
		for j := range i {
			g.data[i*d.cols+j] = g.data[j*d.cols+i]
		}
	}
	return g, nil
}

// gramParts sums the products of pairs of columns, of each block of rows in a row of parts.
func (d *dense) gramParts(ctx context.Context, parts *dense) error {
	all := numbers(together)
	return parallel.Blocked(ctx, d.rows, blockRows, func(_ context.Context, from, to int) error {
		sum := parts.row(from / blockRows)
		clear(sum)
		var column [together]float64
		for first := from; first < to; first += together {
			rows := d.data[first*d.cols : min(first+together, to)*d.cols]
			for i := range d.cols {
				n := 0
				for at := i; at < len(rows); at += d.cols {
					column[n] = rows[at]
					n++
				}
				multiples.Sum(sum[i*d.cols+i:(i+1)*d.cols], column[:n], rows[i:], all, d.cols)
			}
		}
		return nil
	})
}

// orthonormalise replaces the columns by an orthonormal basis of their span, with the
// Cholesky factor of their products. It does so twice, for the digits that the first pass
// loses. A column that depends on earlier ones becomes zero.
func (d *dense) orthonormalise(ctx context.Context) error {
	for range 2 {
		g, err := d.gram(ctx)
		if err != nil {
			return err
		}
		n := d.cols
		trace := 0.0
		for i := range n {
			trace += g.data[i*n+i]
		}
		all, above := numbers(n), make([]float64, n)
		// g = R'R with R upper triangular, in place.
		for i := range n {
			for k := range i {
				above[k] = -g.data[k*n+i]
			}
			multiples.Sum(g.data[i*n+i:(i+1)*n], above[:i], g.data[i:], all, n)
			pivot := g.data[i*n+i]
			if !(pivot > 1e-13*trace/float64(n)) {
				for j := i; j < n; j++ {
					g.data[i*n+j] = 0
				}
				continue
			}
			root := math.Sqrt(pivot)
			for j := i; j < n; j++ {
				g.data[i*n+j] /= root
			}
		}
		err = parallel.Blocked(ctx, d.rows, blockRows, func(_ context.Context, from, to int) error {
			before := make([]float64, n)
			for r := from; r < to; r++ {
				d.solve(d.row(r), before, g.data, all)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// solve multiplies a row by the inverse of R. The columns of a strip are taken from those after
// it together. before has room for a row.
func (d *dense) solve(row, before, r []float64, all []uint32) {
	const strip = 8
	n := len(row)
	for first := 0; first < n; first += strip {
		end := min(first+strip, n)
		for i := first; i < end; i++ {
			if r[i*n+i] == 0 {
				row[i], before[i] = 0, 0
				continue
			}
			row[i] /= r[i*n+i]
			before[i] = -row[i]
			for j := i + 1; j < end; j++ {
				row[j] += float64(before[i] * r[i*n+j])
			}
		}
		if end < n {
			multiples.Sum(row[end:], before[first:end], r[first*n+end:], all, n)
		}
	}
}
