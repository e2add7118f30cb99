package directions

import (
	"math"
	"testing"

	"github.com/sotto-dp/sotto/internal/int8grid"
)

// The mean square over codebooks of each component of the residual is at most the mean
// squared length over d - 1, along the input and across it, as the note of privunit proves.
// Seeds are fixed. The mean of 100 squares of a nearly normal number has a relative standard
// deviation of 0.14, and 1.5 is 3.5 above.
func TestNoComponentOfTheResidualIsLargerThanTheRest(t *testing.T) {
	const books = 100
	for _, c := range []struct{ dim, m, k int }{{2, 64, 10}, {5, 128, 64}, {10, 128, 100}, {30, 256, 4}} {
		x := make([]float64, c.dim)
		copy(x, []float64{0.8, 0.6}) // neither along an axis nor across
		query, bound := int8grid.Append(nil, x), 0.0
		squares, along := make([]float64, c.dim), 0.0
		for seed := range uint64(books) {
			book := NewCodebook(c.dim, c.m, 1000+seed)
			constants := book.Measure(c.k, 1, 1000+seed)
			bound += constants.Residual / float64(c.dim-1) / books
			set, err := book.Nearest(nil, query, c.k)
			if err != nil {
				t.Fatal(err)
			}
			r, unit := make([]float64, c.dim), make([]float64, c.dim)
			for _, y := range set {
				book.Unit(unit, int(y))
				for j, u := range unit {
					r[j] += u / float64(c.k) / constants.Dot
				}
			}
			inner := 0.0
			for j := range r {
				r[j] -= x[j]
				squares[j] += r[j] * r[j] / books
				inner += r[j] * x[j]
			}
			along += inner * inner / books
		}
		for j, square := range append(squares, along) {
			if !(square < 1.5*bound) || math.IsNaN(bound) {
				t.Errorf("%+v: component %d has the mean square %g, at most %g is allowed for", c, j, square, bound)
			}
		}
	}
}
