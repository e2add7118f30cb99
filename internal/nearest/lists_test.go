package nearest

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/sotto-dp/sotto/internal/simd/inner"
	"github.com/sotto-dp/sotto/internal/simd/simdtest"
	"github.com/sotto-dp/sotto/internal/stage"
)

func lists(rows, centres []int8, dim int, of []uint32) *Lists {
	return NewLists(table(rows, dim), table(centres, dim), of)
}

// scannedBy is the definition of a search: the indices of the k nearest of the vectors
// that it compares, ascending.
func scannedBy(rows, centres []int8, of []uint32, query []int8, k, scanned int) []uint32 {
	dim := len(query)
	var compared []Match
	for _, list := range ranked(centres, query) {
		for i, own := range of {
			if own == list.Index && len(compared) < scanned {
				m := ranked(rows[i*dim:(i+1)*dim], query)[0]
				compared = append(compared, Match{uint32(i), m.Score})
			}
		}
	}
	slices.SortFunc(compared, func(a, b Match) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Index, b.Index))
	})
	set := make([]uint32, k)
	for i := range set {
		set[i] = compared[i].Index
	}
	slices.Sort(set)
	return set
}

// Every query has exactly k vectors, those of the definition: with empty lists, lists of
// fewer than k, equal scores, zero vectors, centres far from their vectors, alone or with
// other queries.
func TestListsAreSearchedAsDefined(t *testing.T) {
	simdtest.Each(t, func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
			dim := rapid.IntRange(1, 9).Draw(t, "dim")
			n := rapid.OneOf(rapid.IntRange(1, 40), rapid.IntRange(400, 2500), rapid.IntRange(4100, 4600)).Draw(t, "n")
			count := rapid.IntRange(1, min(n, 60)).Draw(t, "lists")
			used := rapid.IntRange(1, count).Draw(t, "lists that have vectors")
			scanned := rapid.OneOf(rapid.IntRange(1, n), rapid.Just(n)).Draw(t, "scanned")
			k := rapid.OneOf(rapid.IntRange(1, scanned), rapid.Just(scanned)).Draw(t, "k")
			largest := rapid.SampledFrom([]int{0, 1, 127}).Draw(t, "largest")
			queries := rapid.IntRange(1, 20).Draw(t, "queries")
			rows, centres, xs := vectors(r, n, dim, largest), vectors(r, count, dim, largest), vectors(r, queries, dim, largest)
			clear(xs[:dim])
			of := make([]uint32, n)
			for i := range of {
				of[i] = uint32(r.IntN(used))
			}
			l := lists(rows, centres, dim, of)
			got := l.Nearest([]uint32{7}, xs, k, scanned)
			if len(got) != 1+queries*k || got[0] != 7 {
				t.Fatalf("%d indices, want %d", len(got), 1+queries*k)
			}
			for i := range queries {
				x, found := xs[i*dim:(i+1)*dim], got[1+i*k:1+(i+1)*k]
				if want := scannedBy(rows, centres, of, x, k, scanned); !slices.Equal(found, want) {
					t.Fatalf("query %d: set %v, want %v", i, found, want)
				}
				if alone := l.Nearest(nil, x, k, scanned); !slices.Equal(alone, found) {
					t.Fatalf("query %d has the set %v alone and %v with others", i, alone, found)
				}
			}
		})
	})
}

// A pass holds as many queries as their candidates have room; more take several. A list
// may have more vectors than a tile.
func TestManyQueriesOfListsTakeSeveralPasses(t *testing.T) {
	stage.Unraced(t)
	r := rand.New(rand.NewPCG(4, 1))
	const n, dim, k, scanned = 100000, 4, 60000, 90000
	rows, xs := vectors(r, n, dim, 127), vectors(r, 70, dim, 127)
	of := make([]uint32, n)
	for i := range of {
		of[i] = uint32(r.IntN(3))
	}
	l := lists(rows, vectors(r, 3, dim, 127), dim, of)
	got := l.Nearest(nil, xs, k, scanned)
	for i := range 70 {
		if one := l.Nearest(nil, xs[i*dim:(i+1)*dim], k, scanned); !slices.Equal(one, got[i*k:(i+1)*k]) {
			t.Fatalf("query %d has another set alone than with others", i)
		}
	}
}

// The sample suggests limits that all of the vectors that some queries are compared with
// are below: their lists have centres on the other side.
func TestAMisleadingSampleOfListsChangesNothing(t *testing.T) {
	const n, k, scanned = 5000, 10, 2000
	rows, of := make([]int8, n), make([]uint32, n)
	for i := range rows {
		rows[i], of[i] = int8(i%50), uint32(i%2)
		if of[i] == 1 {
			rows[i] = -rows[i]
		}
	}
	centres := []int8{-100, 100}
	l := lists(rows, centres, 1, of)
	xs := []int8{1, -1, 0, 3, 0, -7, 127}
	got := l.Nearest(nil, xs, k, scanned)
	for i := range xs {
		if want := scannedBy(rows, centres, of, xs[i:i+1], k, scanned); !slices.Equal(got[i*k:(i+1)*k], want) {
			t.Errorf("query %d: set %v, want %v", i, got[i*k:(i+1)*k], want)
		}
	}
}

// clustered returns packed vectors of 384 dimensions around 5,120 centres, and 1,024
// queries: a component is the centre's plus noise of the same size.
func clustered(n, dim int) (data []uint8, centres *Table, of []uint32, queries []int8) {
	const count = 5120
	r := rand.New(rand.NewPCG(5, 1))
	from := vectors(r, count, dim, 40)
	near := func(dst []int8, list int) []int8 {
		for d := 0; d < dim; d += 8 {
			noise := r.Uint64()
			for j := range min(8, dim-d) {
				dst = append(dst, int8(int(from[list*dim+d+j])+int(int8(noise>>(8*j)))/3))
			}
		}
		return dst
	}
	data = inner.NewBlocks(n, dim)
	row := make([]int8, 0, dim)
	for i := range n {
		list := r.IntN(count)
		of = append(of, uint32(list))
		inner.Set(data, i, near(row, list))
	}
	for range 1024 {
		queries = near(queries, r.IntN(count))
	}
	return data, table(from, dim), of, queries
}

// The search of a million vectors by lists, for sets of 500 and of as many as epsilon 4
// takes, beside the exact one.
func BenchmarkLists(b *testing.B) {
	const dim = 384
	for _, n := range []int{1_000_000, 2_000_000, 4_000_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			data, centres, of, queries := clustered(n, dim)
			table := New(data, n, dim)
			l := NewLists(table, centres, of)
			var found []uint32
			most := int(math.Round(float64(n) / (math.Exp(4) + 1)))
			for _, c := range []struct{ k, atOnce int }{{500, 1}, {500, 1024}, {most, 4 << 20 / most}} { // at once: as a draw does
				k, scanned := c.k, 4*c.k+n/32
				b.Run(fmt.Sprintf("k=%d/together=%d", k, c.atOnce), func(b *testing.B) {
					for b.Loop() {
						found = found[:0]
						for some := range slices.Chunk(queries, c.atOnce*dim) {
							found = l.Nearest(found, some, k, scanned)
						}
					}
					b.ReportMetric(float64(b.N*len(queries)/dim)/b.Elapsed().Seconds(), "texts/s")
					exact, hit := table.Nearest(nil, queries[:16*dim], k), 0
					for i := range 16 {
						for _, y := range exact[i*k : (i+1)*k] {
							if _, ok := slices.BinarySearch(found[i*k:(i+1)*k], y); ok {
								hit++
							}
						}
					}
					b.ReportMetric(float64(hit)/float64(16*k), "recall")
				})
			}
		})
	}
}
