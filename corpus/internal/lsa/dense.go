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

// gram returns the products of all pairs of columns. Blocks of rows are summed separately
// and then added in order.
func (d *dense) gram(ctx context.Context) (*dense, error) {
	parts := make([][]float64, (d.rows+blockRows-1)/blockRows)
	err := parallel.Blocked(ctx, d.rows, blockRows, func(_ context.Context, from, to int) error {
		sum := make([]float64, d.cols*d.cols)
		for r := from; r < to; r++ {
			row := d.row(r)
			for i, v := range row {
				multiples.Add(sum[i*d.cols+i:(i+1)*d.cols], v, row[i:])
			}
		}
		parts[from/blockRows] = sum
		return nil
	})
	if err != nil {
		return nil, err
	}
	g := newDense(d.cols, d.cols)
	for _, p := range parts {
		for i, v := range p {
			g.data[i] += v
		}
	}
	for i := range d.cols {
		for j := range i {
			g.data[i*d.cols+j] = g.data[j*d.cols+i]
		}
	}
	return g, nil
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
		// g = R'R with R upper triangular, in place.
		for i := range n {
			for k := range i {
				multiples.Add(g.data[i*n+i:(i+1)*n], -g.data[k*n+i], g.data[k*n+i:])
			}
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
		err = parallel.Blocked(ctx, d.rows, blockRows, func(_ context.Context, from, to int) error { // row R^-1
			for r := from; r < to; r++ {
				row := d.row(r)
				for i := range row {
					if g.data[i*n+i] == 0 {
						row[i] = 0
						continue
					}
					row[i] /= g.data[i*n+i]
					multiples.Add(row[i+1:], -row[i], g.data[i*n+i+1:])
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}
