package grid

import (
	"math"

	"github.com/sotto-dp/sotto/internal/simd/lower"
	"github.com/sotto-dp/sotto/internal/simd/maxima"
	"github.com/sotto-dp/sotto/internal/simd/rounding"
)

// roundedQuery is a query x rounded to int8, and what the search has found for it.
type roundedQuery struct {
	index  int        // of the query in its block
	scale  float64    // s
	off    float64    // at least |x - s a|, and the rounding of bounds
	norm   float64    // at least |s a|
	square float64    // |x|^2, up to above
	shift  float64    // by which maxima are above products
	upper  [2]float64 // the least upper bounds of scores so far
	reach  float64    // a vector with a greater score is not among the nearest
	found  []candidate
	left   bool // there are too many
}

// candidate is a place in the table and a lower bound of its score.
type candidate struct {
	lower float64
	place int32
}

// round rounds query x, whose steps are of size 1/inverse, into row. Both have zeros up to a
// multiple of rounding.Multiple. It reports false if the bounds do not hold for x.
func (q *roundedQuery) round(row []int8, index int, x []float32, inverse float64) bool {
	largest, square := rounding.Measure(x)
	inSteps := float64(square * inverse * inverse) // exact, of a power of two
	if !(square > 0 && inSteps > 0 && inSteps <= lower.MaxNorm*lower.MaxNorm) {
		return false
	}
	most := float64(maxima.Largest())
	left, sum := rounding.Round(row, x, largest/most, most/largest)
	off := float64(math.Sqrt(left) * inverse * (1 + 1e-9))
	norm := float64((math.Sqrt(inSteps) + off) * (1 + 1e-9))
	*q = roundedQuery{
		index: index, scale: largest / most * inverse, off: off + float64(above*norm), norm: norm, square: inSteps,
		shift: 128 * float64(sum), found: q.found,
	}
	return true
}

// restart discards the results so far.
func (q *roundedQuery) restart() {
	q.upper, q.reach, q.found = unbounded, math.Inf(1), q.found[:0]
}

var unbounded = [2]float64{math.Inf(1), math.Inf(1)}

// bounds returns bounds of the score of a vector.
func (q *roundedQuery) bounds(p *place, product int32) (low, high float64) {
	dot := float64(q.scale * float64(p.scale) * float64(product))
	slack := float64(q.off*float64(p.norm)) + float64(q.norm*float64(p.rest)) + float64(above*p.half)
	return p.half - dot - slack, p.half - dot + slack
}

// lessen takes the upper bound of another vector's score, and reduces the reach to what
// may be among the want nearest.
//
// A computed sum of squares is within h/2 of its real number D, to first order. So where
// U bounds the worst score of want vectors, the D of each one among the nearest is at most
// (2U + |x|^2) (1+h).
func (q *roundedQuery) lessen(upper float64, want int, h float64) {
	if upper >= q.upper[want-1] {
		return
	}
	q.upper[want-1] = upper
	if q.upper[1] < q.upper[0] {
		q.upper[0], q.upper[1] = q.upper[1], q.upper[0]
	}
	worst := q.upper[want-1]
	q.reach = min(q.reach, worst+float64(h*(math.Abs(worst)+float64(2*q.square)))+float64(above*q.square)+lower.Tiny)
}

// offsets writes what makes the products of different spans comparable: their scores are
// about -s (scale product - offset).
func (q *roundedQuery) offsets(dst []float32, r *rounded) {
	for i := range dst {
		dst[i] = float32(r.spans[i].typical / q.scale)
	}
}

// limits writes, for each span, a number that the product of every vector with a score within
// reach is above, shifted as maxima are.
func (q *roundedQuery) limits(dst []int32, r *rounded) {
	d, inverse := -q.reach, 1/q.scale
	last := len(r.knots) - 1
	after := 0 // the first knot above d
	for after <= last && r.knots[after] <= d {
		after++
	}
	part := 0.0
	if after > 0 && after <= last {
		part = (d - r.knots[after-1]) / (r.knots[after] - r.knots[after-1])
	}
	wide := math.Abs(q.reach) + r.knots[last]
	for i := range dst {
		s := &r.spans[i]
		var need float64 // at most the least (half + d)/scale
		switch after {
		case 0:
			need = s.at[0] + float64((d-r.knots[0])*s.steep)
		case last + 1:
			need = s.at[last] + float64((d-r.knots[last])*s.flat)
		default:
			need = s.at[after-1] + float64((s.at[after]-s.at[after-1])*part)
		}
		margin := float64(float64(2*above*(s.half+wide)) * s.steep)
		least := need - float64(q.off*s.norm) - float64(q.norm*s.rest) - margin
		scaled := float64(least * inverse)
		dst[i] = int32(min(max(math.Floor(scaled-float64(math.Abs(scaled)*above))-2+q.shift, math.MinInt32), math.MaxInt32))
	}
}
