package maxima

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/sotto-dp/sotto/internal/simd/simdtest"
)

// queriesOf draws n x dim components of queries.
func queriesOf(r *rand.Rand, n, dim int, extreme bool) []int8 {
	v := vectors(r, n, dim, extreme)
	for i := range v {
		v[i] = max(-Largest(), min(Largest(), v[i]))
	}
	return v
}

// vectors draws n x dim components; with extreme ones the sums are as large as
// they can be.
func vectors(r *rand.Rand, n, dim int, extreme bool) []int8 {
	v := make([]int8, n*dim)
	for i := range v {
		v[i] = int8(r.IntN(256) - 128)
		if extreme {
			v[i] = int8(127 - 255*r.IntN(2))
		}
	}
	return v
}

func packed(rows []int8, dim int) *Table {
	t := NewTable(len(rows)/dim, dim)
	for i := range len(rows) / dim {
		t.Set(i, rows[i*dim:(i+1)*dim])
	}
	return t
}

func TestKernelsEqualTheirSpecification(t *testing.T) {
	simdtest.Each(t, func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			dim, n, queries := rapid.IntRange(1, 70).Draw(t, "dim"), rapid.IntRange(1, 1200).Draw(t, "n"), rapid.IntRange(1, 30).Draw(t, "queries")
			r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
			extreme := rapid.Bool().Draw(t, "extreme")
			rows, apart := vectors(r, n, dim, extreme), (dim+3)/4*4+r.IntN(9)
			xs := make([]int8, queries*apart)
			for i := range queries {
				copy(xs[i*apart:], queriesOf(r, 1, dim, extreme))
			}
			table := packed(rows, dim)
			var q Queries
			q.Pack(queriesOf(r, 31, 72, false), 31, 72, 72) // memory that was used
			q.Pack(xs, queries, dim, apart)
			stride, spans := table.Stride(), table.Spans()
			got, intact := simdtest.Guarded[int32](Room(queries)*stride, -77)
			middle := r.IntN(spans)
			q.Maxima(got, table, middle, spans)
			q.Maxima(got, table, 0, middle)
			want := make([]int32, stride)
			for x := range queries {
				narrow := make([]uint8, (dim+3)/4*4)
				for i := range dim {
					narrow[i] = uint8(xs[x*apart+i])
				}
				maximaGo(want, narrow, table.data, table.groups, table.quads, stride)
				table.Fill(want)
				mine := got[x*stride:][:stride]
				table.Fill(mine)
				if !slices.Equal(mine, want) {
					t.Fatalf("query %d: %d, want %d", x, mine, want)
				}
				kernelsOfRowsEqualTheirSpecification(t, r, mine, spans)
			}
			if !intact() {
				t.Fatal("maxima are written beyond the last row")
			}
			foursEqualTheirSpecification(t, r)
		})
	})
}

func kernelsOfRowsEqualTheirSpecification(t *rapid.T, r *rand.Rand, row []int32, spans int) {
	scales, offsets, limits := make([]float32, spans), make([]float32, spans), make([]int32, spans)
	for i := range offsets {
		scales[i], offsets[i] = float32(r.ExpFloat64()), float32(1e5*r.NormFloat64())
		limits[i] = row[r.IntN(len(row))] // equal is not over
	}
	var best, wantBest Best
	peaks, peaksIntact := simdtest.Guarded[int32](spans*Lanes, -77)
	masks, masksIntact := simdtest.Guarded[uint16](spans, 777)
	wantPeaks, wantMasks := make([]int32, spans*Lanes), make([]uint16, spans)
	shift := int32(r.IntN(1<<20) - 1<<19)
	Peaks(&best, peaks, row, shift, scales, offsets)
	peaksGo(&wantBest.Value, &wantBest.Span, wantPeaks, row, shift, scales, offsets)
	Over(masks, peaks, limits)
	overGo(wantMasks, wantPeaks, limits)
	if best != wantBest || !slices.Equal(peaks, wantPeaks) || !slices.Equal(masks, wantMasks) || !peaksIntact() || !masksIntact() {
		t.Fatalf("best %v, want %v; peaks %v, want %v; masks %v, want %v", best, wantBest, peaks, wantPeaks, masks, wantMasks)
	}
}

func foursEqualTheirSpecification(t *rapid.T, r *rand.Rand) {
	n, rows := 16*(1+r.IntN(8)), 4+r.IntN(30)
	x, y, at := vectors(r, 1, n, false), vectors(r, rows, n, false), make([]int32, r.IntN(9))
	for i := range at {
		at[i] = int32(r.IntN(rows - 3))
	}
	got, intact := simdtest.Guarded[int32](4*len(at), -77)
	want := make([]int32, 4*len(at))
	Fours(got, x, y, at)
	foursGo(want, x, y, at)
	if !slices.Equal(got, want) || !intact() {
		t.Fatalf("%d, want %d", got, want)
	}
}

// A maximum is the greatest inner product of its lane, shifted.
func TestMaximaAreTheGreatestProducts(t *testing.T) {
	simdtest.Each(t, func(t *testing.T) {
		const n, dim, queries = 1000, 36, 13
		r := rand.New(rand.NewPCG(1, 1))
		rows, xs := vectors(r, n, dim, false), queriesOf(r, queries, dim, false)
		table := packed(rows, dim)
		var q Queries
		q.Pack(xs, queries, dim, dim)
		maxima := make([]int32, Room(queries)*table.Stride())
		q.Maxima(maxima, table, 0, table.Spans())
		for x := range queries {
			row, shift := xs[x*dim:(x+1)*dim], int32(0)
			for _, v := range row {
				shift += zero * int32(v)
			}
			for lane := range n / 4 {
				want := int32(math.MinInt32)
				for w := 4 * lane; w < 4*lane+4; w++ {
					product := int32(0)
					for k, v := range row {
						product += int32(v) * int32(rows[w*dim+k])
					}
					want = max(want, product)
				}
				if got := maxima[x*table.Stride()+lane] - shift; got != want {
					t.Fatalf("query %d: the maximum of vectors %d to %d is %d, want %d", x, 4*lane, 4*lane+3, got, want)
				}
			}
		}
	})
}

// The greatest sums fit, and unused lanes are below the least.
func TestLargestSumsFit(t *testing.T) {
	simdtest.Each(t, func(t *testing.T) {
		row, other := make([]int8, MaxDim), make([]int8, MaxDim)
		for i := range row {
			row[i], other[i] = -Largest(), 127
		}
		table := NewTable(Group, MaxDim)
		for i := range Group {
			table.Set(i, other)
		}
		var q Queries
		q.Pack(row, 1, MaxDim, MaxDim)
		maxima := make([]int32, Room(1)*table.Stride())
		q.Maxima(maxima, table, 0, 1)
		table.Fill(maxima)
		if want := int64(MaxDim) * -int64(Largest()) * 255; int64(maxima[0]) != want || maxima[0] <= unused || maxima[Lanes] != unused {
			t.Errorf("maxima are %d and %d, want %d and %d", maxima[0], maxima[Lanes], want, unused)
		}
	})
}

func BenchmarkMaxima(b *testing.B) {
	const n, queries = 4096, 96
	for _, dim := range []int{100, 300} {
		r := rand.New(rand.NewPCG(1, 1))
		rows, xs := vectors(r, n, dim, false), queriesOf(r, queries, dim, false)
		for _, level := range simdtest.Levels() {
			b.Run(fmt.Sprintf("%s/%d", level, dim), func(b *testing.B) {
				simdtest.At(b, level)
				table := packed(rows, dim)
				var q Queries
				q.Pack(xs, queries, dim, dim)
				maxima := make([]int32, Room(queries)*table.Stride())
				for b.Loop() {
					for s := range table.Spans() {
						q.Maxima(maxima, table, s, s+1)
					}
				}
				b.ReportMetric(float64(b.N)*n*queries*float64(dim)/b.Elapsed().Seconds()/1e9, "GMAC/s")
			})
		}
	}
}
