package vectors

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"runtime"

	"gonum.org/v1/gonum/mat"

	"github.com/sotto-dp/sotto/internal/simd/gemm"
	"github.com/sotto-dp/sotto/progress"
)

const (
	// oversample is the number of dimensions beyond those wanted.
	oversample = 20
	// factorSeed is the seed of the first subspace.
	factorSeed = 1
	// rounds is the number of multiplications by the matrix and its transpose.
	rounds = 3
	// power is that of the singular values.
	power = 0.5
)

// factor returns the leading left singular vectors, each times a power of its singular
// value: a row of dim numbers for each word. Dimensions beyond the number of words are 0.
func factor(ctx context.Context, m *information, dim int, report progress.Func) ([]float32, error) {
	n := len(m.counts.list)
	wide := min(n, dim+oversample)
	rng := rand.New(rand.NewPCG(factorSeed, 0))
	q, next := make([]float32, n*wide), make([]float32, n*wide)
	for i := range q {
		q[i] = float32(rng.NormFloat64())
	}
	products, total := 0, 2*rounds+2
	times := func(transposed bool) error {
		report.At(products, total)
		products++
		err := m.times(ctx, next, q, wide, transposed)
		q, next = next, q
		return err
	}
	if err := times(false); err != nil {
		return nil, err
	}
	for range 2 * rounds {
		if err := orthonormal(q, next, wide); err != nil {
			return nil, err
		}
		if err := times(products%2 == 1); err != nil {
			return nil, err
		}
	}
	if err := orthonormal(q, next, wide); err != nil {
		return nil, err
	}
	basis := make([]float32, n*wide)
	copy(basis, q)
	if err := times(true); err != nil {
		return nil, err
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(gramOf(q, wide), true) {
		return nil, errors.New("vectors: the factorisation did not converge")
	}
	report.At(total, total)
	return turned(basis, &eigen, n, wide, dim), nil
}

// turned returns basis, whose products with the matrix have the eigenvalues and vectors
// of eigen, in singular vectors times the power of their values.
func turned(basis []float32, eigen *mat.EigenSym, n, wide, dim int) []float32 {
	squares := eigen.Values(nil) // ascending
	var v mat.Dense
	eigen.VectorsTo(&v)
	turn := make([]float32, wide*dim)
	for k := range min(dim, wide) {
		at := wide - 1 - k
		scale := math.Pow(max(0, squares[at]), power/2)
		for i := range wide {
			turn[i*dim+k] = float32(v.At(i, at) * scale)
		}
	}
	out := make([]float32, n*dim)
	gemm.Multiply(gemm.Of(out, n, dim), gemm.Of(basis, n, wide), gemm.Of(turn, wide, dim), false, runtime.GOMAXPROCS(0))
	return out
}

// orthonormal replaces the columns of q by an orthonormal basis of their span, by the
// Cholesky factor of their products, twice for the digits that the first loses
// (Yamamoto, Nakatsukasa, Yanagisawa and Fukaya 2015). It overwrites work.
func orthonormal(q, work []float32, wide int) error {
	n := len(q) / wide
	for range 2 {
		c, err := choleskyOf(gramOf(q, wide))
		if err != nil {
			return err
		}
		var root, inverse mat.TriDense
		c.UTo(&root)
		if err := inverse.InverseTri(&root); err != nil {
			return err
		}
		turn := make([]float32, wide*wide)
		for i := range wide {
			for k := i; k < wide; k++ {
				turn[i*wide+k] = float32(inverse.At(i, k))
			}
		}
		gemm.Multiply(gemm.Of(work, n, wide), gemm.Of(q, n, wide), gemm.Of(turn, wide, wide), false, runtime.GOMAXPROCS(0))
		copy(q, work)
	}
	return nil
}

// choleskyOf returns the Cholesky factor of products of columns. Where columns depend on
// each other except for rounding, it adds the least of some shares of the trace to the
// diagonal that gives one: columns beyond the rank then stay small.
func choleskyOf(gram *mat.SymDense) (*mat.Cholesky, error) {
	var c mat.Cholesky
	trace := mat.Trace(gram)
	for share := 1e-12; share < 1e-2; share *= 10 {
		for i := range gram.SymmetricDim() {
			gram.SetSym(i, i, gram.At(i, i)+share*trace)
		}
		if c.Factorize(gram) {
			return &c, nil
		}
	}
	return nil, errors.New("vectors: the factorisation has columns that are not finite")
}

// productRows is the number of rows whose products are summed in float32.
const productRows = 512

// gramOf returns the products of the columns of q, summed in float64.
func gramOf(q []float32, wide int) *mat.SymDense {
	n := len(q) / wide
	sum, part := make([]float64, wide*wide), make([]float32, wide*wide)
	for from := 0; from < n; from += productRows {
		rows := min(productRows, n-from)
		block := gemm.Of(q[from*wide:], rows, wide)
		gemm.Multiply(gemm.Of(part, wide, wide), block.T(), block, false, runtime.GOMAXPROCS(0))
		for i, v := range part {
			sum[i] += float64(v)
		}
	}
	s := mat.NewSymDense(wide, nil)
	for i := range wide {
		for k := i; k < wide; k++ {
			s.SetSym(i, k, sum[i*wide+k])
		}
	}
	return s
}
