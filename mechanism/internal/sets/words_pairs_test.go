package sets

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
)

// pairsTable returns words on a small grid, of which many are at equal distances and some have
// one vector.
func pairsTable(t *testing.T, n int, narrow bool, rng *rand.Rand) *embedding.Table {
	t.Helper()
	words, grid, vectors := make([]string, n), make([]int8, 2*n), make([]float32, 2*n)
	for i := range grid {
		grid[i] = int8(rng.IntN(21) - 10)
		vectors[i] = float32(grid[i]) / 3 // not on a grid of int8
		words[i/2] = "w" + strconv.Itoa(i/2)
	}
	table, err := embedding.NewNarrow(embedding.Narrow{Name: "grid", Words: words, Dim: 2, Step: 0.25, Grid: grid})
	if !narrow {
		table, err = embedding.New(embedding.Source{Words: words, Dim: 2, Vectors: vectors})
	}
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// The pair of a certificate is the first of all pairs, and mean distances are those of all
// pairs, also where a second channel over the table finds what the first one computed. Marked members are
// those of each set.
func TestPairsOfATableAreThoseOfAPlainLoop(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, narrow := range []bool{true, false} {
		table := pairsTable(t, 150, narrow, rng)
		n := table.Len()
		var channels []*Words
		for _, m := range []int{2, 5, 40} {
			classes, err := NewClasses(t.Context(), table, m)
			if err != nil {
				t.Fatal(err)
			}
			c, err := NewClassWords("test", classes, 2)
			if err != nil {
				t.Fatal(err)
			}
			channels = append(channels, c)
		}
		scattered := Outputs{Table: table}
		scattered.Limit([]uint32{0, 1, 2, 40, 41, 90, 149})
		for _, rule := range []*Nearest{{Outputs: Outputs{Table: table}, K: 2}, {Outputs: Outputs{Table: table}, K: 30}, {Outputs: Outputs{Table: table}, K: n - 1}, {Outputs: scattered, K: 3}} {
			c, err := NewWords("test", rule, 2)
			if err != nil {
				t.Fatal(err)
			}
			channels = append(channels, c)
		}
		for i, c := range channels {
			var want nearestPair
			set, any := 0.0, 0.0
			for x := range embedding.ID(n) {
				for y := x + 1; int(y) < n; y++ {
					if p := (nearestPair{table.SquaredDistance(x, y), x, y, true}); p.before(want) && c.differ(x, y) {
						want = p
					}
				}
				marks := make([]uint64, n)
				c.MarkMembers(marks, x, 6)
				for _, y := range c.Members(x) {
					marks[y] -= 6
					set += table.Distance(x, y) / float64(n*int(c.size))
				}
				if slices.Max(marks) > 0 {
					t.Errorf("channel %d: the members of word %d are not those that are marked", i, x)
				}
				for y, w := range c.Weights(nil, x) {
					if w > 0 {
						any += table.Distance(x, embedding.ID(y)) / float64(n*c.Outputs.Len())
					}
				}
			}
			got, err := c.nearestApart(t.Context(), nil)
			if err != nil || got != want {
				t.Errorf("channel %d: the nearest words with other sets are %+v (%v), want %+v", i, got, err, want)
			}
			gotSet, gotAny, err := c.MeanDistances(t.Context(), nil)
			if err != nil || math.Abs(gotSet-set) > 1e-12*set || math.Abs(gotAny-any) > 1e-12*any {
				t.Errorf("channel %d: the mean distances are %g and %g (%v), want %g and %g", i, gotSet, gotAny, err, set, any)
			}
		}
	}
}
