package sets

import (
	"slices"
	"sync"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/canceltest"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/internal/cache"
	"github.com/sotto-dp/sotto/mechanism/internal/oracle"
	"github.com/sotto-dp/sotto/noise"
)

// With room for a few sets only, a channel draws the same words from the same
// randomness, from many goroutines too.
func TestDrawsDoNotDependOnTheSetsKept(t *testing.T) {
	table := oracle.RandomTable(t, 300, 4)
	words := make([]embedding.ID, 500)
	rng := noise.Seeded(3, 4)
	for i := range words {
		words[i] = embedding.ID(noise.Below(rng, 300))
	}
	open := func(room int) *Words {
		m, err := neighboursEntry.New(t.Context(), table, mechanism.Spec{Epsilon: 3, Parameters: map[string]string{"neighbours": "40"}})
		if err != nil {
			t.Fatal(err)
		}
		c := m.(*Words)
		c.sets.(*nearestSets).kept = cache.New(300, setBytes(300), room, (*items).bytes)
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

// A Prepare that ended early releases its claims: the next one makes all sets.
func TestPrepareOfSetsThatEndedEarlyHoldsNothingBack(t *testing.T) {
	table := oracle.RandomTable(t, 300, 6)
	var words []embedding.ID
	for x := range embedding.ID(200) {
		words = append(words, x)
	}
	for n := 1; n < 20; n++ {
		made, err := neighboursEntry.New(t.Context(), table, mechanism.Spec{Epsilon: 2})
		if err != nil {
			t.Fatal(err)
		}
		sets := made.(*Words)
		sets.Prepare(canceltest.After(t.Context(), n), words)
		sets.Prepare(t.Context(), words)
		for _, x := range words {
			if sets.sets.(*nearestSets).kept.Get(x) == nil {
				t.Fatalf("ended at look %d: word %d was not made", n, x)
			}
		}
	}
}
