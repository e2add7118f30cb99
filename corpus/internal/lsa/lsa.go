// Package lsa fits latent semantic analysis: the leading right singular vectors of a
// sparse matrix of documents by terms (Deerwester et al. 1990), by randomised subspace
// iteration (Halko, Martinsson and Tropp 2011).
//
// The result is the same on every machine and for any number of processors. All sums of
// products run in a fixed order, and each product is rounded before it is added. The only
// function of package math used is the square root, which is exactly rounded everywhere.
package lsa

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/sotto-dp/sotto/internal/parallel"
	"github.com/sotto-dp/sotto/internal/simd/multiples"
	"github.com/sotto-dp/sotto/internal/symmetric"
	"github.com/sotto-dp/sotto/progress"
)

// Matrix is a sparse matrix, row after row.
type Matrix struct {
	Cols   int
	Starts []int    // of each row in Col and Value, and the end of the last
	Col    []uint32 // ascending in a row
	Value  []float64
}

// Rows returns the number of rows.
func (m *Matrix) Rows() int { return len(m.Starts) - 1 }

// transpose returns the transposed matrix.
func (m *Matrix) transpose() *Matrix {
	t := &Matrix{Cols: m.Rows(), Starts: make([]int, m.Cols+1), Col: make([]uint32, len(m.Col)), Value: make([]float64, len(m.Value))}
	for _, c := range m.Col {
		t.Starts[c+1]++
	}
	for c := range m.Cols {
		t.Starts[c+1] += t.Starts[c]
	}
	next := append([]int(nil), t.Starts...)
	for r := range m.Rows() {
		for i := m.Starts[r]; i < m.Starts[r+1]; i++ {
			at := next[m.Col[i]]
			t.Col[at], t.Value[at] = uint32(r), m.Value[i]
			next[m.Col[i]]++
		}
	}
	return t
}

// Basis is the result of Fit.
type Basis struct {
	Dim      int
	Vectors  []float64 // Cols x Dim: right singular vectors as columns
	Singular []float64 // Dim singular values, largest first
}

const (
	extra  = 10 // extra columns, for accuracy
	rounds = 4
	seed   = 1
)

// Fit returns the first dim singular vectors of m, or fewer if m has fewer rows or
// columns. report, if not nil, is called with the number of passes over m that are
// done.
func Fit(ctx context.Context, m *Matrix, dim int, report progress.Func) (*Basis, error) {
	dim = min(dim, m.Cols, m.Rows())
	wide := min(dim+extra, m.Cols, m.Rows())
	if dim <= 0 {
		return &Basis{}, nil
	}
	t := m.transpose()
	q := newDense(m.Cols, wide)
	rng := rand.New(rand.NewPCG(seed, 0))
	for i := range q.data { // uniform in [-1, 1), exactly
		q.data[i] = float64(int64(rng.Uint64()>>10)-1<<53) / (1 << 53)
	}
	y := newDense(m.Rows(), wide)
	total := 2*rounds + 1
	step := func(done int) error {
		report.At(done, total)
		return ctx.Err()
	}
	for round := range rounds {
		if err := m.times(ctx, y, q); err != nil {
			return nil, err
		}
		if err := step(2*round + 1); err != nil {
			return nil, err
		}
		if err := t.times(ctx, q, y); err != nil {
			return nil, err
		}
		if err := q.orthonormalise(ctx); err != nil {
			return nil, err
		}
		if err := step(2*round + 2); err != nil {
			return nil, err
		}
	}
	if err := m.times(ctx, y, q); err != nil {
		return nil, err
	}
	products, err := y.gram(ctx)
	if err != nil {
		return nil, err
	}
	values, turn := symmetric.Eigen(products.data, wide)
	b := &Basis{Dim: dim, Vectors: make([]float64, m.Cols*dim), Singular: make([]float64, dim)}
	for k := range dim {
		b.Singular[k] = math.Sqrt(max(0, values[k]))
	}
	all := numbers(wide)
	err = parallel.Blocked(ctx, m.Cols, blockRows, func(_ context.Context, from, to int) error {
		for r := from; r < to; r++ {
			multiples.Sum(b.Vectors[r*dim:(r+1)*dim], q.row(r), turn, all, wide)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	b.orient()
	return b, step(total)
}

// orient gives each vector the sign that makes its largest component positive.
func (b *Basis) orient() {
	for k := range b.Dim {
		largest := 0.0
		for i := k; i < len(b.Vectors); i += b.Dim {
			if math.Abs(b.Vectors[i]) > math.Abs(largest) {
				largest = b.Vectors[i]
			}
		}
		for i := k; largest < 0 && i < len(b.Vectors); i += b.Dim {
			b.Vectors[i] = -b.Vectors[i]
		}
	}
}

// times computes dst = m q.
func (m *Matrix) times(ctx context.Context, dst, q *dense) error {
	return parallel.Blocked(ctx, m.Rows(), blockRows, func(_ context.Context, from, to int) error {
		for r := from; r < to; r++ {
			out := dst.row(r)
			clear(out)
			from, to := m.Starts[r], m.Starts[r+1]
			multiples.Sum(out, m.Value[from:to], q.data, m.Col[from:to], q.cols)
		}
		return nil
	})
}
