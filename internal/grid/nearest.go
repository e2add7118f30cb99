package grid

import (
	"fmt"
	"math"

	"github.com/sotto-dp/sotto/internal/scratch"
	"github.com/sotto-dp/sotto/internal/simd/lower"
)

func (v *Vectors) bounds() *lower.Panels {
	v.nearest.once.Do(func() {
		if v.narrow != nil {
			v.nearest.panels = lower.Pack(v.narrow, v.dim)
			return
		}
		v.nearest.panels = lower.Pack(v.wide, v.dim)
	})
	return v.nearest.panels
}

// Scratch is the working memory of a search. The zero value is ready to use. One
// goroutine at a time may use a scratch, for any vectors.
type Scratch struct {
	exact []float64 // queries in steps
	first firstPass
	left  []int // queries that the first pass leaves

	bounds  lower.Bounds
	grid    []float32 // the queries that are left, in steps
	norms   []float64
	squares []float64
	two     []Two
	words   []int
}

// Nearest writes the number of the vector nearest to each query into dst. Queries
// are len(dst) x dim, in the unit of step. It runs on the calling goroutine.
//
// The nearest vector y to a query q is the one with the smallest
//
//	sum over k, in order, of float64(q[k]-y[k])^2
//
// where the difference, the square and each sum are rounded to float64; ties go to the
// lowest number. The result is the same on every machine: products in int8, or tiles in
// float32, rule out vectors that cannot be nearest, by an error bound, and the sum decides
// among the rest.
func Nearest[I ~uint32](v *Vectors, dst []I, queries []float32, s *Scratch) {
	v.check(len(dst), len(queries))
	if s.two == nil {
		s.two = make([]Two, queryBlock)
	}
	for len(dst) > 0 {
		n := min(queryBlock, len(dst))
		v.search(s.two[:n], queries[:n*v.dim], s, 1)
		for i, two := range s.two[:n] {
			dst[i] = I(two.First)
		}
		dst, queries = dst[n:], queries[n*v.dim:]
	}
}

// NearestTwo is Nearest for the two nearest vectors. If there is only one vector, it is both.
func NearestTwo(v *Vectors, dst []Two, queries []float32, s *Scratch) {
	v.check(len(dst), len(queries))
	for len(dst) > 0 {
		n := min(queryBlock, len(dst))
		v.search(dst[:n], queries[:n*v.dim], s, 2)
		dst, queries = dst[n:], queries[n*v.dim:]
	}
}

func (v *Vectors) check(n, components int) {
	if components != n*v.dim {
		panic(fmt.Sprintf("grid: %d components for %d vectors of %d dimensions", components, n, v.dim))
	}
}

// search finds the two nearest vectors of a block of queries, or only the number of the
// nearest: want is 2 or 1.
func (v *Vectors) search(dst []Two, queries []float32, s *Scratch, want int) {
	s.exact = scratch.Resize(s.exact, queryBlock*v.dim)
	s.grid = scratch.Resize(s.grid, queryBlock*v.dim)
	s.left = s.left[:0]
	if hasFirstPass() {
		v.searchRounded(dst, queries, s, want)
	} else {
		for i := range dst {
			s.left = append(s.left, i)
		}
	}
	if len(s.left) > 0 {
		v.searchTiles(dst, queries, s, want)
	}
}

// searchRounded finds the nearest vectors by a first pass in int8, and leaves the queries
// for which it does not serve.
func (v *Vectors) searchRounded(dst []Two, queries []float32, s *Scratch, want int) {
	r, first, n := v.rounded(), &s.first, 0
	first.reset(r, len(dst))
	for i := range dst {
		if first.take(r, n, i, queries[i*v.dim:(i+1)*v.dim], 1/v.step) {
			n++
		} else {
			s.left = append(s.left, i)
		}
	}
	first.run(r, n, want)
	for i := range n {
		q := &first.queries[i]
		near := q.near()
		switch {
		case q.left:
			s.left = append(s.left, q.index)
		case want == 1 && len(near) == 1: // and no one asks for its distance
			dst[q.index] = Two{First: int(r.places[near[0].place].word)}
		default:
			x := s.exact[:v.dim]
			v.inSteps(x, queries[q.index*v.dim:(q.index+1)*v.dim])
			b := best{want: want, vectors: v, query: x}
			b.among(r, near, q.square)
			dst[q.index] = b.two(v.step * v.step)
		}
	}
}

// searchTiles finds the nearest vectors for the queries that are left, by tiles in float32.
func (v *Vectors) searchTiles(dst []Two, queries []float32, s *Scratch, want int) {
	panels, n := v.bounds(), len(s.left)
	s.norms, s.squares = scratch.Resize(s.norms, queryBlock)[:n], scratch.Resize(s.squares, queryBlock)[:n]
	for i, q := range s.left {
		x := s.exact[i*v.dim : (i+1)*v.dim]
		s.squares[i] = v.inSteps(x, queries[q*v.dim:(q+1)*v.dim])
		s.norms[i] = toGrid(s.grid[i*v.dim:(i+1)*v.dim], x, s.squares[i])
	}
	panels.Lower(&s.bounds, s.grid[:n*v.dim], s.norms)
	for i, q := range s.left {
		b := best{want: want, vectors: v, query: s.exact[i*v.dim : (i+1)*v.dim]}
		if s.norms[i] == 0 && s.squares[i] != 0 {
			b.scan()
		} else {
			s.words = b.within(panels, s.bounds.Row(i), s.squares[i], s.words)
		}
		dst[q] = b.two(v.step * v.step)
	}
}

// inSteps writes a query in steps and returns the square of its norm.
func (v *Vectors) inSteps(x []float64, query []float32) (square float64) {
	inverse := 1 / v.step // exact, of a power of two
	for k, q := range query {
		x[k] = float64(q) * inverse
		square += float64(x[k] * x[k])
	}
	return square
}

// toGrid writes a query in steps as float32 and returns its norm, rounded up. A query
// that float32 cannot represent exactly in steps, or whose bounds could overflow,
// becomes 0.
func toGrid(grid []float32, x []float64, square float64) (norm float64) {
	for k, e := range x {
		grid[k] = float32(e)
		if float64(grid[k]) != e {
			square = math.Inf(1)
		}
	}
	norm = math.Sqrt(square) * (1 + 1e-9)
	if norm <= lower.MaxNorm {
		return norm
	}
	clear(grid)
	return 0
}
