package sets

import (
	"math"
	"slices"
	"sync"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/grid"
	"github.com/sotto-dp/sotto/internal/scratch"
)

// squareRows has rows of squared distances, in 32 bits where the table has them.
type squareRows struct {
	width  int
	narrow []uint32 // nil for wide tables
	wide   []float64
}

var squares = sync.Pool{New: func() any { return new(squareRows) }}

// read computes the rows of xs, from the word from (included) to the word to (excluded).
func (s *squareRows) read(table *embedding.Table, xs []embedding.ID, from, to int) {
	s.width = to - from
	if n := len(xs) * s.width; grid.Narrow(table.Grid()) {
		s.narrow = scratch.Resize(s.narrow, n)
		grid.SquaredDistances32(table.Grid(), s.narrow, xs, from, to)
	} else {
		s.narrow, s.wide = nil, scratch.Resize(s.wide, n)
		table.SquaredDistances(s.wide, xs, from, to)
	}
}

// at returns one entry of row i.
func (s *squareRows) at(i, y int) float64 {
	if s.narrow != nil {
		return float64(s.narrow[i*s.width+y])
	}
	return s.wide[i*s.width+y]
}

// least returns the smallest entry of row i from start on, and the first place that has it;
// -1 for none.
func (s *squareRows) least(i, start int) (q float64, at int) {
	if s.narrow != nil {
		return leastOf(s.narrow[i*s.width:(i+1)*s.width], start)
	}
	return leastOf(s.wide[i*s.width:(i+1)*s.width], start)
}

func leastOf[T uint32 | float64](row []T, start int) (q float64, at int) {
	if start >= len(row) {
		return 0, -1
	}
	least := row[start]
	for _, v := range row[start:] {
		least = min(least, v)
	}
	return float64(least), start + slices.Index(row[start:], least)
}

// roots returns the sum of the square roots of row i from start on, in their order.
func (s *squareRows) roots(i, start int) float64 {
	if s.narrow != nil {
		return rootsOf(s.narrow[i*s.width : (i+1)*s.width][start:])
	}
	return rootsOf(s.wide[i*s.width : (i+1)*s.width][start:])
}

func rootsOf[T uint32 | float64](row []T) (sum float64) {
	for _, q := range row {
		sum += math.Sqrt(float64(q))
	}
	return sum
}
