package grid

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"github.com/sotto-dp/sotto/internal/scratch"
	"github.com/sotto-dp/sotto/internal/simd"
	"github.com/sotto-dp/sotto/internal/simd/maxima"
)

// The first pass of a search multiplies int8 by int8. It bounds the score of every
// vector y for a query x, |y|^2/2 - x.y in steps: the nearest vector has the least.
// With x near s*a and y near c*b, where a and b are int8 and S = a.b is exact,
//
//	|x.y - s c S| <= |x - s a| |y| + |s a| |y - c b|
//
// by the inequality of Cauchy and Schwarz. Package maxima computes the greatest S of each
// lane, of four vectors. A few of the greatest give the query its reach, and the vectors of
// a lane are looked at if its S is above a limit, which depends on the span. The limit is
// below the S of every vector whose score may be among the least.

// firstPass is the scratch of the first pass for one block of queries.
type firstPass struct {
	queries  []roundedQuery
	padded   []float32 // a query
	small    []int8    // the rounded queries, as rows
	packed   maxima.Queries
	maxima   []int32
	peaks    []int32
	best     maxima.Best
	offsets  []float32
	limits   []int32
	masks    []uint16
	lanes    []int32 // the first place of each
	products []int32
}

// hasFirstPass reports whether the first pass is faster than tiles in float32. With
// AVX-512 but without VNNI it is not.
func hasFirstPass() bool {
	return simd.Have(simd.VNNI) || simd.Have(simd.AVX2) && !simd.Have(simd.AVX512)
}

// reset makes room for as many queries.
func (f *firstPass) reset(r *rounded, n int) {
	if len(f.queries) < n {
		f.queries = append(f.queries, make([]roundedQuery, n-len(f.queries))...)
	}
	f.padded, f.small = scratch.Resize(f.padded, r.stride), scratch.Resize(f.small, n*r.stride)
	clear(f.padded)
	f.peaks, f.offsets = scratch.Resize(f.peaks, r.table.Stride()/maxima.Span), scratch.Resize(f.offsets, len(r.spans))
	f.limits, f.masks = scratch.Resize(f.limits, len(r.spans)), scratch.Resize(f.masks, len(r.spans))
}

// take rounds a query, the n-th of those that the pass takes. It reports false if the
// pass does not serve for it.
func (f *firstPass) take(r *rounded, n, index int, x []float32, inverse float64) bool {
	copy(f.padded, x)
	return f.queries[n].round(f.small[n*r.stride:][:r.stride], index, f.padded, inverse)
}

// maximaKept is the number of maxima that are kept at once: they stay in the L2 cache.
const maximaKept = 1 << 17

// run finds, for the first n queries, every vector that may be among the want nearest.
func (f *firstPass) run(r *rounded, n, want int) {
	stride := r.table.Stride()
	some := max(12, min(queryBlock, maximaKept/stride/12*12))
	for first := 0; first < n; first += some {
		now := min(some, n-first)
		f.packed.Pack(f.small[first*r.stride:], now, r.dim, r.stride)
		f.maxima = scratch.Resize(f.maxima, maxima.Room(some)*stride)
		for s := range r.spans {
			f.packed.Maxima(f.maxima, r.table, s, s+1)
		}
		for i := range now {
			mine := f.maxima[i*stride:][:stride]
			r.table.Fill(mine)
			f.sift(r, first+i, mine, want)
		}
	}
}

// most is the number of lanes of a query from which on tiles in float32 take less time.
func (r *rounded) most() int { return 64 + len(r.places)/16 }

// atOnce is the number of lanes after which the limits are computed again.
const atOnce = 32

// sift finds, for query n, every vector that may be among the nearest, from the maxima of
// all lanes. It leaves a query with too many.
func (f *firstPass) sift(r *rounded, n int, mine []int32, want int) {
	q, row := &f.queries[n], f.small[n*r.stride:][:r.stride]
	q.restart()
	f.begin(r, q, row, mine, want)
	if q.left = math.IsInf(q.reach, 1); q.left {
		return
	}
	q.limits(f.limits, r)
	maxima.Over(f.masks, f.peaks, f.limits)
	lanes := 0
	for s, mask := range f.masks {
		for ; mask != 0; mask &= mask - 1 {
			lane := bits.TrailingZeros16(mask)
			for g := s * maxima.Span; g < min((s+1)*maxima.Span, r.table.Groups()); g++ {
				if at := g*maxima.Lanes + lane; mine[at] > f.limits[s] {
					f.lanes = append(f.lanes, int32(4*at))
				}
			}
		}
		if len(f.lanes) >= atOnce {
			lanes += len(f.lanes)
			f.look(r, q, row, f.limits, want)
			if q.left = lanes > r.most(); q.left {
				return
			}
			q.limits(f.limits, r)
		}
	}
	f.look(r, q, row, f.limits, want)
}

// begin sets the reach by a few of the lanes with the greatest products. It sets none if too
// few lanes compare, as for queries so short that their offsets are infinite in float32.
func (f *firstPass) begin(r *rounded, q *roundedQuery, row []int8, mine []int32, want int) {
	q.offsets(f.offsets, r)
	maxima.Peaks(&f.best, f.peaks, mine, int32(q.shift), r.scales, f.offsets)
	f.lanes = f.lanes[:0]
	for range want + 1 {
		lane := 0
		for l, v := range f.best.Value {
			if v > f.best.Value[lane] {
				lane = l
			}
		}
		if math.IsInf(float64(f.best.Value[lane]), -1) {
			break
		}
		f.best.Value[lane] = float32(math.Inf(-1))
		span := int(f.best.Span[lane])
		for g := span * maxima.Span; g < min((span+1)*maxima.Span, r.table.Groups()); g++ {
			if at := g*maxima.Lanes + lane; mine[at] == f.peaks[span*maxima.Lanes+lane] {
				f.lanes = append(f.lanes, int32(4*at))
				break
			}
		}
	}
	f.look(r, q, row, nil, want)
	q.upper, q.found = unbounded, q.found[:0] // they come again
}

// look computes the products of the vectors of the lanes, and keeps those within reach.
// Products that are not above the limits, if there are limits, are not within reach.
func (f *firstPass) look(r *rounded, q *roundedQuery, row []int8, limits []int32, want int) {
	h, shift := float64(float64(r.dim+8)/(1<<52)), int32(q.shift)
	f.products = scratch.Resize(f.products, 4*len(f.lanes))
	maxima.Fours(f.products, row, r.rows, f.lanes)
	for i, first := range f.lanes {
		limit := int32(math.MinInt32)
		if limits != nil {
			limit = limits[first/spanWords]
		}
		for j, product := range f.products[4*i:][:4] {
			if product+shift <= limit {
				continue
			}
			at := int(first) + j
			if at >= len(r.places) {
				break
			}
			low, high := q.bounds(&r.places[at], product)
			if low <= q.reach {
				q.found = append(q.found, candidate{low, int32(at)})
				q.lessen(high, want, h)
			}
		}
	}
	f.lanes = f.lanes[:0]
}

// near returns the candidates within reach.
func (q *roundedQuery) near() []candidate {
	near := q.found[:0]
	for _, c := range q.found {
		if c.lower <= q.reach {
			near = append(near, c)
		}
	}
	return near
}

// among offers candidates, those with the least bounds first.
func (b *best) among(r *rounded, near []candidate, square float64) {
	slices.SortFunc(near, func(x, y candidate) int { return cmp.Compare(x.lower, y.lower) })
	var ids [4]int
	for len(near) > 0 && !(near[0].lower > b.reach(square)) {
		n := min(len(ids), len(near))
		for i, c := range near[:n] {
			ids[i] = int(r.places[c.place].word)
		}
		b.offer(ids[:n])
		near = near[n:]
	}
}

// Queries per block: few enough that their bounds stay in cache.
const queryBlock = 96
