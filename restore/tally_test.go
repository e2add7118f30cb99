package restore

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
)

// A tally adds up chances as a map does, and its first words are those of all, sorted.
func TestATallyAddsUpAndSorts(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	var sums tally
	for round := range 200 {
		sums.reset()
		want := map[embedding.ID]float64{}
		for range rng.IntN(300) {
			w, chance := embedding.ID(rng.IntN(1+round)), float64(rng.IntN(4))
			sums.add(w, chance)
			want[w] += chance
		}
		var all []Guess
		for _, w := range slices.Sorted(maps.Keys(want)) {
			all = append(all, Guess{w, want[w]})
		}
		slices.SortStableFunc(all, func(a, b Guess) int { return int(b.Chance - a.Chance) })
		for _, n := range []int{0, 1, 7, 64, 1000} {
			if got := sums.first(n); !slices.Equal(got, all[:min(n, len(all))]) {
				t.Fatalf("round %d: the first %d are %v, want %v", round, n, got, all[:min(n, len(all))])
			}
		}
		if w := embedding.ID(1 + round); sums.of(w) != 0 || len(all) > 0 && sums.of(all[0].Word) != all[0].Chance {
			t.Fatalf("round %d: the chances of two words are %v and %v", round, sums.of(w), sums.of(all[0].Word))
		}
	}
}
