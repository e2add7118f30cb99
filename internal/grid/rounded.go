package grid

import (
	"cmp"
	"math"
	"slices"

	"github.com/sotto-dp/sotto/internal/simd/maxima"
)

// spanWords is the number of vectors that a query is compared with under one limit.
const spanWords = maxima.Span * maxima.Group

// above is more than the relative error of a sum of 4,096 squares in float64, and of
// the dozen roundings after it.
const above = 1e-12

// rounded holds the vectors rounded to int8, each on its own scale, for the first pass
// of a search. Those of a span need similar products to be within reach of a query.
type rounded struct {
	dim, stride int
	rows        []int8 // in the order of places, stride apart, with zeros at the end
	table       *maxima.Table
	places      []place
	spans       []span
	scales      []float32 // by span, the mean
	knots       [5]float64
}

// place is one vector y, in steps, and its rounded vector r: y is near scale*r.
type place struct {
	half  float64 // |y|^2/2, up to above
	norm  float32 // at least |y|
	rest  float32 // at least |y - scale*r|
	scale float32
	word  int32 // number of the vector
}

// span bounds the figures of spanWords places. A vector scores at most -d if the product
// of a query with its rounded vector is at least (half + d)/scale, except for slack. The least
// of these over the places is concave in d, so it is above the chord of two of its values.
type span struct {
	at          [5]float64 // the least (half + d)/scale for d of knots
	flat, steep float64    // the least and the greatest 1/scale
	norm, rest  float64    // the greatest norm/scale and rest/scale
	half        float64    // the greatest half
	typical     float64    // the mean half
}

func (v *Vectors) rounded() *rounded {
	v.small.once.Do(func() {
		if v.narrow != nil {
			v.small.table = round(v.narrow, v.dim)
			return
		}
		v.small.table = round(v.wide, v.dim)
	})
	return v.small.table
}

// round returns the vectors of a grid, rounded. Components of int8 stay as they are.
func round[T int8 | float32](grid []T, dim int) *rounded {
	n := len(grid) / dim
	r := &rounded{dim: dim, stride: (dim + 15) / 16 * 16, table: maxima.NewTable(n, dim), places: make([]place, n)}
	row, mean := make([]int8, dim), 0.0
	for i := range r.places {
		p := &r.places[i]
		vector := grid[i*dim : (i+1)*dim]
		for _, y := range vector {
			p.half += float64(float64(y) * float64(y))
		}
		p.half = float64(p.half / 2)
		p.word, p.norm = int32(i), roundUp(math.Sqrt(2*p.half))
		p.scale, p.rest = roundRow(row, vector)
		mean += float64(p.half / float64(n))
	}
	for i := range r.knots {
		r.knots[i] = mean * [...]float64{-0.5, 0, 1, 4, 16}[i]
	}
	// A vector within reach of its noisy self scores about -half.
	slices.SortStableFunc(r.places, func(a, b place) int { return cmp.Compare(a.need(mean), b.need(mean)) })
	r.rows = make([]int8, r.table.Groups()*maxima.Group*r.stride)
	for i, p := range r.places {
		row := r.rows[i*r.stride:][:dim]
		roundRow(row, grid[int(p.word)*dim:][:dim]) // again, in place of memory for all
		r.table.Set(i, row)
	}
	for places := range slices.Chunk(r.places, spanWords) {
		r.spans = append(r.spans, r.span(places))
		scale := 0.0
		for _, p := range places {
			scale += float64(p.scale)
		}
		r.scales = append(r.scales, float32(scale/float64(len(places))))
	}
	return r
}

func (p *place) need(d float64) float64 { return (p.half + d) / float64(p.scale) }

func (r *rounded) span(places []place) span {
	s := span{flat: math.Inf(1)}
	for i, d := range r.knots {
		s.at[i] = places[0].need(d)
		for _, p := range places {
			s.at[i] = min(s.at[i], p.need(d))
		}
	}
	for _, p := range places {
		s.typical += p.half / float64(len(places))
		scale := float64(p.scale)
		s.flat, s.steep = min(s.flat, 1/scale), max(s.steep, 1/scale)
		s.norm, s.rest, s.half = max(s.norm, float64(p.norm)/scale), max(s.rest, float64(p.rest)/scale), max(s.half, p.half)
	}
	return s
}

// roundRow writes the multiples of scale nearest to the components of y into row. The
// vector that is left is no longer than rest.
func roundRow[T int8 | float32](row []int8, y []T) (scale, rest float32) {
	if narrow, ok := any(y).([]int8); ok {
		copy(row, narrow)
		return 1, 0
	}
	largest := float32(0)
	for _, v := range y {
		if v := float32(v); v > largest {
			largest = v
		} else if -v > largest {
			largest = -v
		}
	}
	scale = largest / 127
	if scale == 0 {
		scale = 1
	}
	const whole = 3 << 51 // to add it and subtract it is to round to an integer
	square, each, inverse := 0.0, float64(scale), 1/float64(scale)
	for k, v := range y {
		m := float64(float64(v)*inverse) + whole - whole // at most 127: scale errs by 2^-24
		row[k] = int8(m)
		left := float64(v) - float64(m*each)
		square += float64(left * left)
	}
	return scale, roundUp(math.Sqrt(square))
}

// roundUp returns a float32 above x, by more than a sum of 4,096 squares errs.
func roundUp(x float64) float32 {
	return math.Nextafter32(float32(x*(1+1e-9)), float32(math.Inf(1)))
}
