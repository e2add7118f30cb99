package symmetric

import (
	"context"
	"math"
)

// leadingRounds bounds the rounds of Leading. It ends earlier where the values rest.
const leadingRounds = 50

// Leading returns the k largest eigenvalues of a positive semidefinite matrix of n rows and their
// eigenvectors, as the columns of a matrix of n rows, by orthogonal iteration: good for a k much
// smaller than n. Vectors of values that are close to each other, or that are not found at the
// end, are mixed. All are orthonormal, and those of zero are zero.
func Leading(ctx context.Context, a []float64, n, k int) (values, vectors []float64, err error) {
	// Columns are stored one after the other.
	basis, image := make([]float64, k*n), make([]float64, k*n)
	state := uint64(1)
	for i := range basis { // any vectors that are not at right angles to the leading ones will do
		state = state*6364136223846793005 + 1442695040888963407
		basis[i] = float64(int64(state)>>40) + 0.5
	}
	orthonormal(basis, n)
	before := 0.0
	for range leadingRounds {
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		multiply(image, a, basis, n)
		inner := make([]float64, k*k)
		for i := range k {
			for j := range k {
				inner[i*k+j] = dot(basis[i*n:(i+1)*n], image[j*n:(j+1)*n])
			}
		}
		for i := range k {
			for j := range i {
				inner[i*k+j] = inner[j*k+i]
			}
		}
		var turn []float64
		values, turn = Eigen(inner, k)
		sum := 0.0
		for _, x := range values {
			sum += x
		}
		vectors = turned(basis, turn, n, k)
		if math.Abs(sum-before) <= 1e-10*math.Abs(sum) {
			break
		}
		before = sum
		basis, image = image, basis
		orthonormal(basis, n)
	}
	return values, vectors, nil
}

// multiply writes the products of a symmetric matrix with columns.
func multiply(dst, a, columns []float64, n int) {
	for i := range n {
		row := a[i*n : (i+1)*n]
		for at := 0; at < len(columns); at += n {
			dst[at+i] = dot(row, columns[at:at+n])
		}
	}
}

// turned returns the rows of the matrix of k columns, stored one after the other, times turn.
func turned(columns, turn []float64, n, k int) []float64 {
	out := make([]float64, n*k)
	for r := range n {
		for c := range k {
			sum := 0.0
			for j := range k {
				sum += float64(columns[j*n+r] * turn[j*k+c])
			}
			out[r*k+c] = sum
		}
	}
	return out
}

// orthonormal makes columns orthonormal, by the modified Gram-Schmidt process, twice. One that
// depends on those before it becomes zero.
func orthonormal(columns []float64, n int) {
	for at := 0; at < len(columns); at += n {
		own := columns[at : at+n]
		length := math.Sqrt(dot(own, own))
		for range 2 {
			for from := 0; from < at; from += n {
				other := columns[from : from+n]
				along := dot(own, other)
				for i, x := range other {
					own[i] -= float64(along * x)
				}
			}
		}
		rest := math.Sqrt(dot(own, own))
		if rest <= 1e-12*length {
			clear(own)
			continue
		}
		for i := range own {
			own[i] /= rest
		}
	}
}

// dot returns the inner product, summed in four parts: an addition need not wait for the last.
func dot(a, b []float64) float64 {
	var s, t, u, v float64
	b = b[:len(a)]
	i := 0
	for ; i+4 <= len(a); i += 4 {
		s += float64(a[i] * b[i])
		t += float64(a[i+1] * b[i+1])
		u += float64(a[i+2] * b[i+2])
		v += float64(a[i+3] * b[i+3])
	}
	for ; i < len(a); i++ {
		s += float64(a[i] * b[i])
	}
	return (s + t) + (u + v)
}
