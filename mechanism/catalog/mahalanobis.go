package catalog

import (
	"context"
	"math/rand/v2"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/internal/additive"
	"github.com/sotto-dp/sotto/mechanism/internal/metrics"
	"github.com/sotto-dp/sotto/mechanism/internal/parameters"
	"github.com/sotto-dp/sotto/noise"
	"github.com/sotto-dp/sotto/privacy"
	"gonum.org/v1/gonum/mat"
)

var mahalanobisEntry = mechanism.Entry{
	Name:       "mahalanobis",
	Summary:    "elliptical noise shaped by the table's covariance on the word's vector, then the nearest word",
	Paper:      "Xu, Aggarwal, Feyisetan, Teissier 2020, arXiv:2010.11947, Theorem 1",
	Notion:     privacy.Metric,
	Standing:   privacy.Proved,
	Reviewed:   "3c30a5ff8a950280",
	Stops:      mechanism.Steps(1, 20, 1),
	Cost:       mechanism.Pass,
	Parameters: []mechanism.Parameter{metrics.Lambda},
	New:        newMahalanobis,
}

// newMahalanobis adds S^(1/2) u r: S = lambda Sigma + (1 - lambda) I, Sigma the
// covariance of the public table scaled to trace d, u uniform on the sphere, r
// from Gamma(d, 1/epsilon). Any square root of S gives the same distribution,
// since u is uniform; this one is Cholesky's.
func newMahalanobis(ctx context.Context, table *embedding.Table, spec mechanism.Spec) (mechanism.Mechanism, error) {
	p := parameters.Read("mahalanobis", spec)
	lambda := p.Number(metrics.Lambda)
	settings, err := p.Close()
	if err != nil {
		return nil, err
	}
	root, err := shapeRoot(ctx, "mahalanobis", table, lambda)
	if err != nil {
		return nil, err
	}
	m, err := additive.Spherical("mahalanobis", table, spec.Epsilon, settings)
	if err != nil {
		return nil, err
	}
	m.Promise.Distance = metrics.MahalanobisName(lambda)
	dim := table.Dim()
	m.Fill = func(dst []float32, src rand.Source) {
		noise.FillSpherical(dst, dim, spec.Epsilon, src)
		for ; len(dst) > 0; dst = dst[dim:] {
			root.multiply(dst[:dim])
		}
	}
	return m, nil
}

// lower is a lower triangular matrix in float32, row by row without the zeros.
type lower struct{ rows [][]float32 }

// multiply replaces v by the product of the matrix and v. It proceeds from the
// last row up: row i needs the old components 0 ... i.
func (l lower) multiply(v []float32) {
	for i := len(l.rows) - 1; i >= 0; i-- {
		var sum [4]float32
		row, k := l.rows[i], 0
		for ; k+4 <= len(row); k += 4 {
			r, w := row[k:k+4:k+4], v[k:k+4:k+4]
			sum[0] += r[0] * w[0]
			sum[1] += r[1] * w[1]
			sum[2] += r[2] * w[2]
			sum[3] += r[3] * w[3]
		}
		for ; k < len(row); k++ {
			sum[0] += row[k] * v[k]
		}
		v[i] = sum[0] + sum[1] + sum[2] + sum[3]
	}
}

// shapeRoot returns Cholesky's factor of lambda Sigma + (1 - lambda) I.
func shapeRoot(ctx context.Context, who string, table *embedding.Table, lambda float64) (lower, error) {
	chol, err := metrics.Shape(ctx, who, table, lambda)
	if err != nil {
		return lower{}, err
	}
	var l mat.TriDense
	chol.LTo(&l)
	root := lower{make([][]float32, table.Dim())}
	for i := range root.rows {
		for k := range i + 1 {
			root.rows[i] = append(root.rows[i], float32(l.At(i, k)))
		}
	}
	return root, nil
}
