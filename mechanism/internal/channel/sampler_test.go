package channel

import (
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/canceltest"
	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/internal/cache"
	"github.com/sotto-dp/sotto/mechanism/internal/oracle"
	"github.com/sotto-dp/sotto/noise"
)

// Nothing is drawn from a row whose sum wraps.
func TestRowThatWrapsIsRefused(t *testing.T) {
	for _, w := range [][]uint64{{1 << 63, 1 << 63, 5}, {1 << 62, 1 << 62}, {0, 0}} {
		sum, fits := RowSum(w)
		if new(Sampler).CheckTotal(sum, fits) == nil {
			t.Errorf("a row of %d is drawn from", w)
		}
	}
}

// A sampler that draws the tail uniformly, one that draws from the row of the
// nearest other word a hundredth of the time, and one that keeps the input a
// hundredth of the time too often are all caught.
func TestMutantSamplersAreCaught(t *testing.T) {
	stage.Unraced(t)
	table := oracle.RandomTable(t, 700, 8)
	m, err := temEntry.New(t.Context(), table, mechanism.Spec{Epsilon: 2, Published: true})
	if err != nil {
		t.Fatal(err)
	}
	c := m.(*Distance)
	c.Prepare(t.Context(), []embedding.ID{0, 1})
	for name, mutant := range map[string]func(x embedding.ID, rng rand.Source) embedding.ID{
		"uniform tail": func(x embedding.ID, rng rand.Source) embedding.ID {
			r := c.rows.Get(x)
			y := c.draw(r, x, rng)
			if c.Weight(x, y) <= r.threshold {
				y = embedding.ID(noise.Below(rng, uint64(table.Len())))
			}
			return y
		},
		"other row": func(x embedding.ID, rng rand.Source) embedding.ID {
			if noise.Bernoulli(rng, 1, 50) {
				x = 1
			}
			return c.draw(c.rows.Get(x), x, rng)
		},
		"keeps the input": func(x embedding.ID, rng rand.Source) embedding.ID {
			if noise.Bernoulli(rng, 1, 100) {
				return x
			}
			return c.draw(c.rows.Get(x), x, rng)
		},
	} {
		rng := noise.Seeded(7, 7)
		const draws = 200000
		counts := oracle.DrawCounts(t, table.Len(), draws, 0, func(dst, src []embedding.ID) []embedding.ID {
			for _, x := range src {
				dst = append(dst, mutant(x, rng))
			}
			return dst
		})
		if p := oracle.ChiSquare(counts, c.Weights(nil, 0), draws); p >= oracle.FalseFailure {
			t.Errorf("the mutant %q passes, p = %g", name, p)
		}
	}
}

// Levels decide about a number as the weight does, where they decide, and they leave few
// numbers open.
func TestLevelsDecideAsWeightsDo(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	open, all := 0, 0
	for range 300 {
		weights := make([]uint64, 1+rng.IntN(60))
		for i := range weights {
			weights[i] = 1 + rng.Uint64N(1<<(1+rng.IntN(62)))
		}
		threshold := weights[rng.IntN(len(weights))]
		l := levelsOf(weights, threshold)
		for y, w := range weights {
			near := []uint64{0, 1, w - 1, w, w + 1, threshold - 1, w>>l.shift<<l.shift - 1, w >> l.shift << l.shift, (w>>l.shift+1)<<l.shift - 1, (w>>l.shift + 1) << l.shift}
			for range 20 {
				below := rng.Uint64N(threshold)
				if _, decided := l.accept(embedding.ID(y), below); !decided && threshold > 255 {
					open++
				}
				all, near = all+1, append(near, below)
			}
			for _, below := range near {
				if below >= threshold {
					continue
				}
				accepted, decided := l.accept(embedding.ID(y), below)
				if want := w <= threshold && below < w; decided && accepted != want {
					t.Fatalf("weight %d below %d: %d is accepted: %t", w, threshold, below, accepted)
				}
			}
		}
	}
	if share := float64(open) / float64(all); share > 0.02 {
		t.Errorf("%.3f of the numbers are left open", share)
	}
}

func TestKthSmallestWeightOfARowIsFound(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 16))
	var s Scratch
	for range 2000 {
		weights := make([]uint64, 1+rng.IntN(300))
		var at []uint32
		var sorted []uint64
		for i := range weights {
			weights[i] = 1 + rng.Uint64()>>rng.IntN(64)
			if weights[i] == 0 {
				weights[i] = math.MaxUint64
			}
			if i == 0 || rng.IntN(3) > 0 {
				at = append(at, uint32(i))
				sorted = append(sorted, weights[i])
			}
		}
		slices.Sort(sorted)
		k := 1 + rng.IntN(len(at))
		if got := s.smallest(weights, at, k); got != sorted[k-1] {
			t.Fatalf("the %d-th smallest of %v is %d, got %d", k, sorted, sorted[k-1], got)
		}
	}
}

// With room for a few rows only, a channel draws the same words from the same
// randomness, from many goroutines too.
func TestDrawsDoNotDependOnTheRowsKept(t *testing.T) {
	table := oracle.RandomTable(t, 300, 4)
	words := make([]embedding.ID, 500)
	rng := noise.Seeded(3, 4)
	for i := range words {
		words[i] = embedding.ID(noise.Below(rng, 300))
	}
	open := func(room int) *Distance {
		m, err := exponentialEntry.New(t.Context(), table, mechanism.Spec{Epsilon: 3, Published: true})
		if err != nil {
			t.Fatal(err)
		}
		c := m.(*Distance)
		rowSize := func(r *row) int { return rowBytes(len(r.heads)) }
		c.rows = cache.New(300, rowSize(&row{heads: make([]uint32, headLimit)}), room, rowSize)
		return c
	}
	want, err := open(cache.Bytes).Replace(nil, words, noise.Seeded(5, 6))
	if err != nil {
		t.Fatal(err)
	}
	for _, room := range []int{0, 500, 5000} {
		m := open(room)
		var group sync.WaitGroup
		for range 4 {
			group.Go(func() {
				m.Prepare(t.Context(), words[:200])
				got, err := m.Replace(nil, words, noise.Seeded(5, 6))
				if err != nil || !slices.Equal(got, want) {
					t.Errorf("with room for %d bytes other words are drawn: %v", room, err)
				}
			})
		}
		group.Wait()
	}
}

// A Prepare that ended early releases its claims: the next one makes all rows.
func TestPrepareOfRowsThatEndedEarlyHoldsNothingBack(t *testing.T) {
	table := oracle.RandomTable(t, 300, 6)
	var words []embedding.ID
	for x := range embedding.ID(200) {
		words = append(words, x)
	}
	for n := 1; n < 20; n++ {
		made, err := temEntry.New(t.Context(), table, mechanism.Spec{Epsilon: 2, Published: true})
		if err != nil {
			t.Fatal(err)
		}
		rows := &made.(*Distance).Sampler
		rows.Prepare(canceltest.After(t.Context(), n), words)
		rows.Prepare(t.Context(), words)
		for _, x := range words {
			if rows.rows.Get(x) == nil {
				t.Fatalf("ended at look %d: word %d was not made", n, x)
			}
		}
	}
}
