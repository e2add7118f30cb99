package metrics

import (
	"context"
	"fmt"

	"github.com/sotto-dp/sotto/embedding"
	"gonum.org/v1/gonum/mat"
)

// Shape factors lambda Sigma + (1 - lambda) I, refusing one that is singular.
func Shape(ctx context.Context, who string, table *embedding.Table, lambda float64) (*mat.Cholesky, error) {
	dim := table.Dim()
	sigma := mat.NewSymDense(dim, nil)
	trace := 0.0
	if lambda > 0 {
		if err := covariance(ctx, sigma, table); err != nil {
			return nil, err
		}
		trace = mat.Trace(sigma)
	}
	for i := range dim {
		for j := i; j < dim; j++ {
			v := 0.0
			if trace > 0 {
				v = lambda * sigma.At(i, j) * float64(dim) / trace
			}
			if i == j {
				v += 1 - lambda
			}
			sigma.SetSym(i, j, v)
		}
	}
	var chol mat.Cholesky
	// A condition beyond 2^40 would leave no digits in float32.
	if !chol.Factorize(sigma) || chol.Cond() > 0x1p40 {
		return nil, Lambda.Bad(who, lambda, "below 1: the table's covariance is singular")
	}
	return &chol, nil
}

// covariance computes the covariance of the table's vectors, times the number of words.
func covariance(ctx context.Context, dst *mat.SymDense, table *embedding.Table) error {
	dim, n := table.Dim(), table.Len()
	mean := make([]float64, dim)
	var v []float32
	for x := range n {
		v = table.Vector(v[:0], embedding.ID(x))
		for k, c := range v {
			mean[k] += float64(c) / float64(n)
		}
	}
	const block = 512 // the table is never held in float64 as a whole
	columns := mat.NewDense(dim, block, nil)
	for from := 0; from < n; from += block {
		if err := ctx.Err(); err != nil {
			return err
		}
		columns.Zero()
		for x := from; x < min(n, from+block); x++ {
			v = table.Vector(v[:0], embedding.ID(x))
			for k, c := range v {
				columns.Set(k, x-from, float64(c)-mean[k])
			}
		}
		dst.SymRankK(dst, 1, columns)
	}
	return nil
}

// MahalanobisName returns the distance's name, which includes lambda: another lambda is another unit.
func MahalanobisName(lambda float64) string { return fmt.Sprintf("mahalanobis(%g)", lambda) }
