package channel

import (
	"slices"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/canceltest"
	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/internal/cache"
	"github.com/sotto-dp/sotto/mechanism/internal/oracle"
	"github.com/sotto-dp/sotto/noise"
)

// unseeded opens tem over an int8 table long enough for heads from the nearest words, and
// over a table of wider numbers.
func unseeded(t *testing.T, epsilon float64) map[string]*Distance {
	channels := map[string]*Distance{}
	for name, table := range map[string]*embedding.Table{"narrow": oracle.EnglishSample(t, 1500), "wide": oracle.RandomTable(t, 900, 8)} {
		m, err := temEntry.New(t.Context(), table, mechanism.Spec{Epsilon: epsilon, Published: true})
		if err != nil {
			t.Fatal(err)
		}
		channels[name] = m.(*Distance)
	}
	return channels
}

// The heads of a proposal are all words heavier than its threshold, with their weights, and
// a few of a row at most.
func TestProposalsAreThoseOfTheRow(t *testing.T) {
	for _, epsilon := range []float64{0.5, 3, 12} {
		for name, c := range unseeded(t, epsilon) {
			for x := embedding.ID(0); uint64(x) < c.n; x += 37 {
				p, err := c.proposals(t.Context(), []embedding.ID{x})
				if err != nil {
					t.Fatal(err)
				}
				var heads []uint32
				var sums []uint64
				sum := uint64(0)
				for y, w := range c.Weights(nil, x) {
					if w > p.threshold {
						sum += w
						heads, sums = append(heads, uint32(y)), append(sums, sum)
					}
				}
				if !slices.Equal(p.heads, heads) || !slices.Equal(p.sums, sums) || len(heads) > headLimit {
					t.Fatalf("%s at %g, word %d: %d heads above %d, want %d", name, epsilon, x, len(p.heads), p.threshold, len(heads))
				}
				if p.head != sum || p.most != sum+c.n*p.threshold {
					t.Fatalf("%s at %g, word %d: %d numbers are proposed", name, epsilon, x, p.most)
				}
			}
		}
	}
}

// Unseeded draws follow the row: by proposals, by levels, and by rows without a
// proposal. The false-failure chance of each Pearson test is oracle.FalseFailure, and the
// numbers are fixed.
func TestUnseededDrawsFollowTheirRows(t *testing.T) {
	stage.Unraced(t)
	const draws = 200000
	for _, epsilon := range []float64{0.5, 3, 12} {
		for name, c := range unseeded(t, epsilon) {
			for _, way := range []string{"proposal", "levels", "row"} {
				x := embedding.ID(slices.Index([]string{"proposal", "levels", "row"}, way))
				switch way {
				case "levels":
					c.PrepareUnseeded(t.Context(), slices.Repeat([]embedding.ID{x}, often))
					if c.frequent.rows[x].Load() == nil {
						t.Fatal("a frequent word has no levels")
					}
				case "row":
					c.proposed.Put(x, new(proposal))
				}
				rng := noise.Seeded(3, uint64(x))
				counts := oracle.DrawCounts(t, int(c.n), draws, x, func(dst, src []embedding.ID) []embedding.ID {
					dst, err := c.ReplaceUnseeded(dst, src, rng)
					if err != nil {
						t.Fatal(err)
					}
					return dst
				})
				if p := oracle.ChiSquare(counts, c.Weights(nil, x), draws); p < oracle.FalseFailure {
					t.Errorf("%s at %g: draws by %s do not follow the row, p = %g", name, epsilon, way, p)
				}
			}
		}
	}
}

// Each word of a mixed text is drawn from its own row.
func TestUnseededDrawsGoToTheirPlaces(t *testing.T) {
	const draws = 100000
	c := unseeded(t, 6)["narrow"]
	c.PrepareUnseeded(t.Context(), slices.Repeat([]embedding.ID{5}, often))
	src := []embedding.ID{5, 700, 5, 1400}
	rng := noise.Seeded(9, 9)
	counts := make([][]int, len(src))
	for i := range counts {
		counts[i] = make([]int, c.n)
	}
	dst := []embedding.ID{42}
	for range draws {
		out, err := c.ReplaceUnseeded(dst, src, rng)
		if err != nil || len(out) != 1+len(src) || out[0] != 42 {
			t.Fatalf("got %v, %v", out, err)
		}
		for i, y := range out[1:] {
			counts[i][y]++
		}
	}
	for i, x := range src {
		if p := oracle.ChiSquare(counts[i], c.Weights(nil, x), draws); p < oracle.FalseFailure {
			t.Errorf("draws at place %d do not follow the row of its word, p = %g", i, p)
		}
	}
}

// A word that is not of the table leaves nothing behind: each place of the next texts is
// drawn. The room after dst holds a word that no draw returns.
func TestUnseededDrawsAfterAPanicReachAllPlaces(t *testing.T) {
	c := unseeded(t, 2)["narrow"]
	words := []embedding.ID{5, 6, 5}
	for range 50 { // whatever working memory the pool hands out
		func() {
			defer func() {
				if recover() == nil {
					t.Fatal("a word that is not of the table was drawn for")
				}
			}()
			_, _ = c.ReplaceUnseeded(nil, []embedding.ID{5, 6, embedding.ID(c.n)}, nil)
		}()
		none := embedding.ID(c.n)
		out, err := c.ReplaceUnseeded([]embedding.ID{none, none, none}[:0], words, nil)
		if err != nil || slices.Contains(out, none) {
			t.Fatalf("got %v, %v", out, err)
		}
	}
}

// Without a source the draws are secure: two sequences of 64 words of a flat row agree with
// chance below 1e-100.
func TestUnseededDrawsWithoutASourceNeverRepeat(t *testing.T) {
	c := unseeded(t, 0.1)["wide"]
	src := make([]embedding.ID, 64)
	a, err := c.ReplaceUnseeded(nil, src, nil)
	b, second := c.ReplaceUnseeded(nil, src, nil)
	if err != nil || second != nil || slices.Equal(a, b) {
		t.Errorf("two calls without a source drew the same words: %v, %v", err, second)
	}
}

// Proposals of weights that wrap are not used.
func TestProposalThatWrapsIsNotMade(t *testing.T) {
	for _, weights := range [][]uint64{{1 << 63, 1 << 63, 1}, {1 << 62, 1 << 62}} {
		if p := propose(100, []uint32{0, 1, 2}[:len(weights)], weights, slices.Min(weights)); p.most != 0 {
			t.Errorf("%v: proposes below %d", weights, p.most)
		}
	}
}

// A short sum is the row's, and notices that it wraps.
func TestShortSumIsTheRows(t *testing.T) {
	for _, weights := range [][]uint64{nil, {5}, {1, 2, 3, 4, 5, 6, 7}, {1 << 62, 1 << 62, 1 << 62, 1 << 62, 3}, {1 << 63, 7, 9}, {1 << 63, 0, 0, 0, 1 << 63}} {
		sum, fits := RowSum(weights)
		if got, ok := shortSum(weights); got != sum || ok != fits {
			t.Errorf("%d sum to %d (%t), want %d (%t)", weights, got, ok, sum, fits)
		}
	}
}

// A PrepareUnseeded that ended early releases its claims, and rows beyond the memory are
// made again.
func TestPrepareUnseededThatEndedEarlyHoldsNothingBack(t *testing.T) {
	words := slices.Repeat([]embedding.ID{7}, often)
	for x := range embedding.ID(200) {
		words = append(words, x)
	}
	for n := 1; n < 30; n++ {
		c := unseeded(t, 2)["narrow"]
		c.PrepareUnseeded(canceltest.After(t.Context(), n), words)
		c.PrepareUnseeded(t.Context(), words)
		for _, x := range words {
			if c.proposed.Get(x) == nil {
				t.Fatalf("ended at look %d: word %d was not made", n, x)
			}
		}
		if left := newFrequent(int(c.n)).left.Load() - 1; c.frequent.left.Load() != left {
			t.Fatalf("ended at look %d: room for %d frequent words is left, want %d", n, c.frequent.left.Load(), left)
		}
		if c.frequent.rows[7].Load() == nil {
			t.Fatalf("ended at look %d: the frequent word has no levels", n)
		}
	}
	c := unseeded(t, 2)["narrow"]
	c.proposed = cache.New(int(c.n), rowBytes(headLimit), 5000, func(p *proposal) int { return rowBytes(len(p.heads)) })
	c.PrepareUnseeded(t.Context(), words)
	if out, err := c.ReplaceUnseeded(nil, words, noise.Secure()); err != nil || len(out) != len(words) {
		t.Errorf("with little memory: %d words, %v", len(out), err)
	}
}

// The chance to stay is that of the row, for all words and for a few.
func TestStayIsThatOfTheRow(t *testing.T) {
	for name, c := range unseeded(t, 3) {
		for _, count := range []int{3, int(c.n) - 5} {
			var words []embedding.ID
			var want []float64
			for x := range embedding.ID(count) {
				weights := c.Weights(nil, x)
				total, _ := RowSum(weights)
				words, want = append(words, x), append(want, float64(weights[x])/float64(total))
			}
			if got, err := c.Stay(t.Context(), words); err != nil || !slices.Equal(got, want) {
				t.Errorf("%s: other chances for %d words, %v", name, count, err)
			}
		}
	}
}

// The chance to stay is the same from a proposal and from a row.
func TestStayIsTheSameAfterUnseededDraws(t *testing.T) {
	words := []embedding.ID{0, 3, 800}
	for name, c := range unseeded(t, 3) {
		before, err := c.Stay(t.Context(), words)
		if err != nil {
			t.Fatal(err)
		}
		c = unseeded(t, 3)[name]
		c.PrepareUnseeded(t.Context(), words[:2])
		after, err := c.Stay(t.Context(), words)
		if err != nil || !slices.Equal(before, after) {
			t.Errorf("%s: %v before and %v after, %v", name, before, after, err)
		}
	}
}
