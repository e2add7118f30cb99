package language_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/builtin"
	"github.com/sotto-dp/sotto/language"
)

// The words of a set that follow a context are those of its run, whether it has few words
// or many.
func TestWordsOfASetAreThoseOfTheRun(t *testing.T) {
	const words = 300
	english, err := builtin.English()
	if err != nil {
		t.Fatal(err)
	}
	table, err := english.First(words)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	m, err := language.Train(t.Context(), table, func(yield func([]embedding.ID, error) bool) {
		for range 500 {
			text := make([]embedding.ID, 20)
			for i := range text {
				text[i] = embedding.ID(rng.IntN(1 + rng.IntN(words))) // some words are frequent
			}
			if !yield(text, nil) {
				return
			}
		}
	}, language.Options{Order: 3, Public: true})
	if err != nil {
		t.Fatal(err)
	}
	set := make([]uint64, words/64+1)
	has := func(w uint32) bool { return set[w/64]>>(w%64)&1 != 0 }
	shortest, longest := words, 0
	for range 20 {
		for i := range set {
			set[i] = rng.Uint64() & rng.Uint64()
		}
		for w := range embedding.ID(words) {
			_, s := m.Next(m.Empty(), w)
			run := m.Seen(s)
			shortest, longest = min(shortest, len(run.Words)), max(longest, len(run.Words))
			want := []int32{-1} // what was in the slice stays
			for i, w := range run.Words {
				if has(w) {
					want = append(want, int32(i))
				}
			}
			if got := run.Among([]int32{-1}, set); !slices.Equal(got, want) {
				t.Fatalf("of %d words after word %d: places %v, want %v", len(run.Words), w, got, want)
			}
		}
	}
	if shortest > 20 || longest <= 64 {
		t.Errorf("contexts have %d to %d words", shortest, longest)
	}
}
