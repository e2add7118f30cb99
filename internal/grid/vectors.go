// Package grid computes distances of vectors whose components are integers, in
// steps of a power of two, and finds the vectors nearest to queries. Squared
// distances are below 2^53, so they are exact in any order of summation.
package grid

import (
	"sync"
	"sync/atomic"

	"github.com/sotto-dp/sotto/internal/simd/blocks"
	"github.com/sotto-dp/sotto/internal/simd/lower"
	"github.com/sotto-dp/sotto/internal/simd/squares"
)

// Vectors are immutable and shared by all goroutines. They are packed for the
// kernels once, on first use.
type Vectors struct {
	dim, n int
	step   float64
	// Component k of vector i is at i*dim+k, in one of the two.
	narrow []int8
	wide   []float32

	packed  packed
	rows    lazyRows
	size    lazySize
	nearest lazyPanels
	small   lazyRounded
}

// New returns the vectors of grid, row after row, in steps of step, a power of two.
// It keeps grid, which must not change. Squared distances must be below 2^53, and
// below 2^31 for int8.
func New[T int8 | float32](grid []T, dim int, step float64) *Vectors {
	v := &Vectors{dim: dim, n: len(grid) / dim, step: step}
	switch grid := any(grid).(type) {
	case []int8:
		v.narrow = grid
	case []float32:
		v.wide = grid
	}
	return v
}

// Narrow reports whether the components are int8.
func Narrow(v *Vectors) bool { return v.narrow != nil }

// lazySize is computed when first needed.
type lazySize struct {
	once    sync.Once
	largest float32
}

// largest returns the largest absolute value of the components of wide vectors.
func (v *Vectors) largest() float32 {
	v.size.once.Do(func() { v.size.largest = squares.Largest(v.wide) })
	return v.size.largest
}

// component returns one component in steps.
func (v *Vectors) component(i, k int) float64 {
	if v.narrow != nil {
		return float64(v.narrow[i*v.dim+k])
	}
	return float64(v.wide[i*v.dim+k])
}

// lazyPanels holds the vectors packed for bounds, four bytes per component, built
// when first needed.
type lazyPanels struct {
	once   sync.Once
	panels *lower.Panels
}

// lazyRounded is built when first needed.
type lazyRounded struct {
	once  sync.Once
	table *rounded
}

// packed holds all vectors in the layout of the kernels that compute many distances.
type packed struct {
	once   sync.Once
	done   atomic.Bool
	single atomic.Int64   // rows computed without
	blocks *blocks.Table  // of int8 vectors; nil without a kernel
	wide   *squares.Table // of others
}

// lazyRows are int8 vectors, padded with zeros, for single distances and for machines without
// the kernel of blocks.
type lazyRows struct {
	once   sync.Once
	stride int
	narrow []int8
	norms  []int32 // squared, in steps squared
}
