package maxima

import "github.com/sotto-dp/sotto/internal/scratch"

// Queries are vectors that a table is searched for.
type Queries struct {
	parts []part
	data  []uint8 // by part: [quad][row][4]
}

// part is the queries from first on that one call of a kernel takes.
type part struct {
	rows
	first int
	at    int // of its packed components
}

// Room returns the number of rows of maxima that n queries need.
func Room(n int) int { return n + machine().tiles[0].n }

// Pack replaces the queries by n rows of x, stride apart. A row has dim components, none
// larger than Largest, and zeros up to a multiple of four.
func (q *Queries) Pack(x []int8, n, dim, stride int) {
	q.parts = q.parts[:0]
	k, quads, size := machine(), quadsOf(dim), 0
	for first := 0; first < n; {
		r := k.tallest(n - first)
		q.parts = append(q.parts, part{r, first, size})
		first, size = first+r.n, size+r.n*quads*4
	}
	q.data = scratch.Resize(q.data, size)
	for _, p := range q.parts {
		for r := range p.n {
			if p.first+r < n {
				p.pack(q, r, x[(p.first+r)*stride:][:quads*4])
			} else {
				p.pack(q, r, none[:quads*4])
			}
		}
	}
}

// none is a query beyond the last.
var none [MaxDim]int8

// pack packs row r of a part.
func (p *part) pack(q *Queries, r int, row []int8) {
	out, step := q.data[p.at+4*r:], 4*p.n
	for len(row) >= 4 {
		out[0], out[1], out[2], out[3] = uint8(row[0]), uint8(row[1]), uint8(row[2]), uint8(row[3])
		if row = row[4:]; len(row) > 0 {
			out = out[step:]
		}
	}
}

// tallest returns the kernel for the most of n rows, or for the fewest above.
func (k *kernels) tallest(n int) rows {
	for _, r := range k.tiles {
		if r.n <= n {
			return r
		}
	}
	return k.tiles[len(k.tiles)-1]
}

// Maxima computes the maxima of the groups of spans [from, to). dst holds a row of
// t.Stride() maxima per query, and [Room] rows. A maximum is above the inner product by
// 128 times the sum of the query's components.
func (q *Queries) Maxima(dst []int32, t *Table, from, to int) {
	stride, first, last := t.Stride(), from*Span, min(to*Span, t.groups)
	if first >= last {
		return
	}
	y := t.data[first*Group*t.quads*4 : last*Group*t.quads*4]
	for _, p := range q.parts {
		// The kernels check no bounds.
		out := dst[p.first*stride+first*Lanes:]
		_ = out[(p.n-1)*stride+(last-first)*Lanes-1]
		size := p.n * t.quads * 4
		p.maxima(out, q.data[p.at:][:size], y, last-first, t.quads, stride)
	}
}

// Fill sets the maxima of a row that belong to no group, which Maxima leaves.
func (t *Table) Fill(row []int32) {
	for i := t.groups * Lanes; i < t.Stride(); i++ {
		row[i] = unused
	}
}

// Best is the greatest figure of each lane, and its span.
type Best struct {
	Value [Lanes]float32
	Span  [Lanes]int32
}

// Peaks writes the greatest maximum of each lane of each span into peaks, from a row of
// maxima. The figure of a peak in span s is (peak - shift) scales[s] - offsets[s], each
// step rounded to float32.
func Peaks(best *Best, peaks, maxima []int32, shift int32, scales, offsets []float32) {
	_, _, _ = peaks[len(offsets)*Lanes-1], maxima[len(offsets)*Span*Lanes-1], scales[len(offsets)-1]
	machine().peaks(&best.Value, &best.Span, peaks, maxima, shift, scales, offsets)
}

// Over sets bit l of masks[s] if the peak of lane l in span s is greater than limits[s].
func Over(masks []uint16, peaks, limits []int32) {
	_, _ = masks[len(limits)-1], peaks[len(limits)*Lanes-1]
	machine().over(masks, peaks, limits)
}

// Fours computes the inner products of x with four rows of y at a time, one after the other
// from each row of at, and writes them to dst. The length of x is a multiple of 16.
func Fours(dst []int32, x, y []int8, at []int32) {
	if len(at) == 0 {
		return
	}
	_, _ = x[15], dst[4*len(at)-1]
	for _, row := range at {
		_ = y[int(row)*len(x):][4*len(x)-1]
	}
	machine().fours(dst, x, y, at)
}
