package nearest

import (
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

func vectors(r *rand.Rand, n, dim, largest int) []int8 {
	v := make([]int8, n*dim)
	for i := range v {
		v[i] = int8(r.IntN(2*largest+1) - largest)
	}
	return v
}

func table(rows []int8, dim int) *Table {
	data := inner.NewBlocks(len(rows)/dim, dim)
	for i := range len(rows) / dim {
		inner.Set(data, i, rows[i*dim:(i+1)*dim])
	}
	return New(data, len(rows)/dim, dim)
}

// ranked is the definition: all vectors by inner product, then by index.
func ranked(rows, query []int8) []Match {
	dim := len(query)
	all := make([]Match, len(rows)/dim)
	for i := range all {
		all[i].Index = uint32(i)
		for k, v := range query {
			all[i].Score += int32(v) * int32(rows[i*dim+k])
		}
	}
	slices.SortStableFunc(all, func(a, b Match) int { return int(b.Score) - int(a.Score) })
	return all
}

func TestNearestAreExact(t *testing.T) {
	simdtest.Each(t, func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
			dim := rapid.IntRange(1, 9).Draw(t, "dim")
			n := rapid.OneOf(rapid.IntRange(1, 40), rapid.IntRange(1000, 5000)).Draw(t, "n")
			k := rapid.OneOf(rapid.IntRange(1, n), rapid.Just(1), rapid.Just(n)).Draw(t, "k")
			queries := rapid.IntRange(1, 20).Draw(t, "queries")
			largest := rapid.SampledFrom([]int{0, 1, 127}).Draw(t, "largest") // few values: many ties
			rows, xs := vectors(r, n, dim, largest), vectors(r, queries, dim, largest)
			if r.IntN(2) == 0 { // ever nearer, so that every vector is a candidate
				slices.SortFunc(rows, func(a, b int8) int { return int(a) - int(b) })
			}
			tab := table(rows, dim)
			tab.Nearest(nil, xs[:dim], n) // scratch that was used
			got := tab.Nearest([]uint32{7}, xs, k)
			if len(got) != 1+queries*k || got[0] != 7 {
				t.Fatalf("%d indices, want %d", len(got), 1+queries*k)
			}
			for i := range queries {
				want := ranked(rows, xs[i*dim:(i+1)*dim])[:k]
				if found := tab.Ranked(xs[i*dim:(i+1)*dim], k); !slices.Equal(found, want) {
					t.Fatalf("query %d: ranked %v, want %v", i, found, want)
				}
				set := make([]uint32, k)
				for j, m := range want {
					set[j] = m.Index
				}
				slices.Sort(set)
				if found := got[1+i*k : 1+(i+1)*k]; !slices.Equal(found, set) {
					t.Fatalf("query %d: set %v, want %v", i, found, set)
				}
			}
		})
	})
}

// A pass holds as many queries as their candidates have room; more take several.
func TestManyQueriesTakeSeveralPasses(t *testing.T) {
	stage.Unraced(t)
	r := rand.New(rand.NewPCG(2, 1))
	const n, dim, k = 200000, 4, 150000
	rows, xs := vectors(r, n, dim, 127), vectors(r, 30, dim, 127)
	tab := table(rows, dim)
	got := tab.Nearest(nil, xs, k)
	for i := range 30 {
		if one := tab.Nearest(nil, xs[i*dim:(i+1)*dim], k); !slices.Equal(one, got[i*k:(i+1)*k]) {
			t.Fatalf("query %d has another set alone than with others", i)
		}
	}
}

func TestLeastOfTheGreatestIsExact(t *testing.T) {
	var s selection
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.OneOf(rapid.IntRange(1, 60), rapid.IntRange(1, 3000)).Draw(t, "n")
		k := rapid.IntRange(1, n).Draw(t, "k")
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		keys := make([]uint64, n)
		switch r.IntN(3) {
		case 0: // evenly far apart, over all 64 bits
			for i, v := range r.Perm(n) {
				keys[i] = uint64(v) * (math.MaxUint64 / uint64(n))
			}
		case 1: // scores that differ little, then indices
			for i := range keys {
				keys[i] = key(int32(r.IntN(3)), uint32(i))
			}
		case 2: // crowds within crowds
			for i := range keys {
				keys[i] = uint64(1)<<(i%64) + uint64(i/64)<<20
			}
			slices.Sort(keys)
			keys = slices.Compact(keys)
			k = min(k, len(keys))
			r.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
		}
		before := slices.Clone(keys)
		sorted := slices.Sorted(slices.Values(keys))
		want := sorted[len(sorted)-k]
		if got := s.least(keys, k); got != want || !slices.Equal(keys, before) {
			t.Fatalf("the %d-th greatest is %d, found %d; keys moved: %v", k, want, got, !slices.Equal(keys, before))
		}
		kept := slices.DeleteFunc(before, func(key uint64) bool { return key < want })
		if got := keep(keys, want); !slices.Equal(got, kept) {
			t.Fatalf("%d keys are kept, want %d in their order", len(got), len(kept))
		}
	})
}

func TestRoughScoreIsReachedByEnough(t *testing.T) {
	var s selection
	rapid.Check(t, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		scores := make([]int32, 1024)
		spread := rapid.SampledFrom([]uint32{1, 100, 1 << 20, math.MaxUint32}).Draw(t, "spread")
		for i := range scores {
			scores[i] = int32(r.Uint32N(spread)) - int32(spread/2)
		}
		rank := rapid.IntRange(1, 1023).Draw(t, "rank")
		limit, reached := s.roughly(scores, rank), 0
		for _, score := range scores {
			if score >= limit {
				reached++
			}
		}
		if reached < rank {
			t.Fatalf("%d of the scores reach it, want %d", reached, rank)
		}
	})
}

func BenchmarkNearest(b *testing.B) {
	for _, c := range []struct{ n, dim, k, queries int }{{50000, 100, 500, 256}, {50000, 200, 500, 256}, {50000, 200, 13000, 64}, {33500, 100, 600, 1}, {1000000, 384, 500, 64}} {
		for _, level := range simdtest.Levels() {
			b.Run(fmt.Sprintf("%dx%d,k=%d,queries=%d/%s", c.n, c.dim, c.k, c.queries, level), func(b *testing.B) {
				simdtest.At(b, level)
				r := rand.New(rand.NewPCG(1, 1))
				tab := table(vectors(r, c.n, c.dim, 60), c.dim)
				xs := vectors(r, c.queries, c.dim, 60)
				var dst []uint32
				for b.Loop() {
					dst = tab.Nearest(dst[:0], xs, c.k)
				}
				b.ReportMetric(float64(b.N)*float64(c.queries)/b.Elapsed().Seconds(), "texts/s")
			})
		}
	}
}

// The blocks that are sampled are nearer than all others: what they suggest finds
// too few.
func TestMisleadingSampleChangesNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	const n, dim, k = 8192, 4, 2000
	rows := vectors(r, n, dim, 50)
	blocks := n / inner.Block
	for i := range tile {
		at := i * blocks / tile * inner.Block * dim
		for j := range inner.Block * dim {
			rows[at+j] = int8(100 + r.IntN(28))
		}
	}
	query := []int8{90, 80, 70, 60}
	tab := table(rows, dim)
	s := tab.scratch()
	if found := len(tab.pass(s, nil, query, k, tab.sample)[0].found[0].keys); found >= k {
		t.Fatalf("the sample does not mislead: %d found", found)
	}
	if !slices.Equal(tab.Ranked(query, k), ranked(rows, query)[:k]) {
		t.Error("other vectors than the nearest")
	}
}
