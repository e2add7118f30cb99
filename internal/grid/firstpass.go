package grid

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"github.com/sotto-dp/sotto/internal/scratch"
	"github.com/sotto-dp/sotto/internal/simd"
	"github.com/sotto-dp/sotto/internal/simd/inner"
	"github.com/sotto-dp/sotto/internal/simd/lower"
)

// The first pass of a search multiplies int8 by int8. It bounds the score of every
// vector y for a query x, |y|^2/2 - x.y in steps: the nearest vector has the least.
// With x near s*a and y near c*b, where a and b are int8 and S = a.b is exact,
//
//	|x.y - s c S| <= |x - s a| |y| + |s a| |y - c b|
//
// by the inequality of Cauchy and Schwarz. The kernel of package inner computes S and
// reports the vectors of a span for which S is above a limit. The limit is below the S
// of every vector whose score may be among the least.

// firstPass is the scratch of the first pass for one block of queries.
type firstPass struct {
	queries []roundedQuery
	small   []int8
	rows    inner.Rows
	groups  []inner.Queries
	which   [inner.Group]uint32
	scores  []int32
	over    []uint16
}

// roundedQuery is a query x rounded to int8, and what the search has found for it.
type roundedQuery struct {
	index  int        // of the query in its block
	scale  float64    // s
	off    float64    // at least |x - s a|, and the rounding of bounds
	norm   float64    // at least |s a|
	square float64    // |x|^2, up to above
	upper  [2]float64 // the least upper bounds of scores so far
	reach  float64    // a vector with a greater score is not among the nearest
	found  []candidate
}

// candidate is a place in the table and a lower bound of its score.
type candidate struct {
	lower float64
	place int32
}

// hasFirstPass reports whether the first pass is faster than tiles in float32. With
// AVX-512 but without VNNI it is not.
func hasFirstPass() bool {
	return simd.Have(simd.VNNI) || simd.Have(simd.AVX2) && !simd.Have(simd.AVX512)
}

// most is the number of candidates of a query from which on tiles in float32 take less
// time than exact sums.
func (r *rounded) most() int { return 64 + len(r.places)/16 }

// reset makes room for as many queries.
func (f *firstPass) reset(n, dim int) {
	if len(f.queries) < n {
		f.queries = append(f.queries, make([]roundedQuery, n-len(f.queries))...)
		f.groups = append(f.groups, make([]inner.Queries, (n+inner.Group-1)/inner.Group-len(f.groups))...)
	}
	f.small = scratch.Resize(f.small, n*dim)
	f.scores = scratch.Resize(f.scores, inner.Group*spanWords)
	f.over = scratch.Resize(f.over, inner.Group*spanBlocks)
}

// round rounds query x, in steps, into row. Its square is positive.
func (q *roundedQuery) round(row []int8, index int, x []float64, square float64) {
	largest := 0.0
	for _, v := range x {
		largest = max(largest, math.Abs(v))
	}
	const whole = 3 << 51 // to add it and subtract it is to round to an integer
	scale, inverse, left := largest/127, 127/largest, 0.0
	for k, v := range x {
		m := float64(v*inverse) + whole - whole
		row[k] = int8(m)
		e := v - float64(m*scale)
		left += float64(e * e)
	}
	left = float64(math.Sqrt(left) * (1 + 1e-9))
	norm := float64((math.Sqrt(square) + left) * (1 + 1e-9))
	*q = roundedQuery{index: index, scale: scale, off: left + float64(above*norm), norm: norm, square: square,
		upper: [2]float64{math.Inf(1), math.Inf(1)}, reach: math.Inf(1), found: q.found[:0]}
}

// run finds, for the first n queries, every vector that may be among the want nearest. A
// query that has too many has more than most.
func (f *firstPass) run(r *rounded, n, dim, want int) {
	f.rows.Pack(f.small[:n*dim], dim)
	for from := 0; from < n; from += inner.Group {
		which := f.which[:min(inner.Group, n-from)]
		for i := range which {
			which[i] = uint32(from + i)
		}
		f.groups[from/inner.Group].Take(&f.rows, which)
	}
	h := float64(float64(dim+8) / (1 << 52))
	middle := len(r.spans) / 2
	for from := 0; from < n; from += inner.Group {
		some := f.queries[from:min(n, from+inner.Group)]
		limits := unlimited
		places := f.score(r, &f.groups[from/inner.Group], middle, &limits)
		for i := range some {
			some[i].begin(r, middle*spanWords, f.scores[i*spanWords:][:places], want, h)
		}
	}
	for s := range r.spans {
		for from := 0; from < n; from += inner.Group {
			some := f.queries[from:min(n, from+inner.Group)]
			limits := unlimited
			for i := range some {
				if len(some[i].found) <= r.most() {
					limits[i] = some[i].limit(r, &r.spans[s])
				}
			}
			places := f.score(r, &f.groups[from/inner.Group], s, &limits)
			f.take(r, some, s*spanWords, places, want, h)
		}
	}
}

var unlimited = [inner.Group]int32{math.MaxInt32, math.MaxInt32, math.MaxInt32, math.MaxInt32, math.MaxInt32, math.MaxInt32, math.MaxInt32, math.MaxInt32}

// score computes the scores of a span and returns the number of its vectors.
func (f *firstPass) score(r *rounded, group *inner.Queries, span int, limits *[inner.Group]int32) (places int) {
	places = min(spanWords, len(r.places)-span*spanWords)
	blocks := inner.Blocks(places)
	bytes := len(r.data) / inner.Blocks(len(r.places))
	group.Scores(f.scores, f.over, r.data[span*spanBlocks*bytes:][:blocks*bytes], limits, blocks, spanWords)
	return places
}

// begin sets the reach by the want vectors of a span with the greatest products.
func (q *roundedQuery) begin(r *rounded, first int, scores []int32, want int, h float64) {
	greatest := [2]int{-1, -1}
	for i, s := range scores {
		switch {
		case greatest[0] < 0 || s > scores[greatest[0]]:
			greatest = [2]int{i, greatest[0]}
		case greatest[1] < 0 || s > scores[greatest[1]]:
			greatest[1] = i
		}
	}
	for _, i := range greatest[:want] {
		if i >= 0 {
			_, upper := q.bounds(&r.places[first+i], scores[i])
			q.lessen(upper, want, h)
		}
	}
	q.upper = [2]float64{math.Inf(1), math.Inf(1)} // they come again
}

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

// limit returns a number that the product of every vector of the span with a score within
// reach is above.
func (q *roundedQuery) limit(r *rounded, s *span) int32 {
	margin := float64(float64(2*above*(s.half+math.Abs(q.reach)+r.knots[len(r.knots)-1])) * s.steep)
	least := s.need(&r.knots, -q.reach) - float64(q.off*s.norm) - float64(q.norm*s.rest) - margin
	return int32(min(max(math.Floor(least/q.scale)-2, math.MinInt32), math.MaxInt32))
}

// take looks at the vectors whose products are above the limits.
func (f *firstPass) take(r *rounded, some []roundedQuery, first, places, want int, h float64) {
	for b := range inner.Blocks(places) {
		over := f.over[b*inner.Group:][:inner.Group]
		one := uint64(over[0]) | uint64(over[1])<<16 | uint64(over[2])<<32 | uint64(over[3])<<48
		two := uint64(over[4]) | uint64(over[5])<<16 | uint64(over[6])<<32 | uint64(over[7])<<48
		if one|two == 0 {
			continue
		}
		for i := range some {
			q := &some[i]
			mask := over[i]
			if left := places - b*inner.Block; left < inner.Block {
				mask &= 1<<left - 1
			}
			for ; mask != 0; mask &= mask - 1 {
				at := b*inner.Block + bits.TrailingZeros16(mask)
				low, high := q.bounds(&r.places[first+at], f.scores[i*spanWords+at])
				if low <= q.reach {
					q.found = append(q.found, candidate{low, int32(first + at)})
					q.lessen(high, want, h)
				}
			}
		}
	}
}

// among offers the candidates of a query within reach, those with the least bounds first.
func (b *best) among(r *rounded, q *roundedQuery) {
	near := q.found[:0]
	for _, c := range q.found {
		if c.lower <= q.reach {
			near = append(near, c)
		}
	}
	slices.SortFunc(near, func(x, y candidate) int { return cmp.Compare(x.lower, y.lower) })
	var ids [4]int
	for len(near) > 0 && !(near[0].lower > b.reach(q.square)) {
		n := min(len(ids), len(near))
		for i, c := range near[:n] {
			ids[i] = int(r.places[c.place].word)
		}
		b.offer(ids[:n])
		near = near[n:]
	}
}
