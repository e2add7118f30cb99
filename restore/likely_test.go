package restore

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/language"
)

// Reading the words after a context as far as they are needed finds the candidates that
// reading all of them finds, in the same order.
func TestLikelyWordsAreThoseOfAllWords(t *testing.T) {
	const words, beam = 300, 10
	table := firstWords(t, words)
	rng := rand.New(rand.NewPCG(5, 6))
	m, err := language.Train(t.Context(), table, func(yield func([]embedding.ID, error) bool) {
		for range 200 {
			text := make([]embedding.ID, 12)
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
	for round := range 200 {
		c := &column{base: math.Log(1e-4), level: math.Log(0.01 * float64(1+round%50))}
		for w := range words {
			if rng.IntN(1+round%7) == 0 {
				c.listed = append(c.listed, embedding.ID(w))
				c.count++
			}
		}
		if round%3 == 0 {
			for range c.listed {
				c.chance = append(c.chance, math.Log(rng.Float64()))
			}
			most := slices.Index(c.chance, slices.Max(c.chance))
			c.chance[most] += float64(round % 5)
		}
		c.rank()
		d, err := NewDecoder(m, NewChannel(nil, words), Options{Beam: beam})
		if err != nil {
			t.Fatal(err)
		}
		front := []hypothesis{{m.Start(), 0}}
		for i := range 8 { // contexts of two words, of one, and of none
			_, s := m.Next(m.Empty(), embedding.ID(rng.IntN(1+rng.IntN(words))))
			_, s = m.Next(s, embedding.ID(rng.IntN(1+rng.IntN(words))))
			front = append(front, hypothesis{s, -float64(i) / 2})
		}
		found := func(add func(*view, int32, hypothesis)) []candidate {
			d.found.reset(perNode*beam, c.most)
			v := d.newView(c)
			d.readings.reset()
			for i, h := range front {
				add(v, int32(i), h)
			}
			d.found.cut(perNode * beam)
			inOrder(d.found.all)
			all := slices.Clone(d.found.all)
			for i := range all {
				all[i].place = 0
			}
			return all
		}
		every, likely := found(d.everyListed), found(d.likelyListed)
		if !slices.Equal(every, likely) {
			t.Fatalf("round %d: %d candidates of %d listed words, want the %d of all", round, len(likely), len(c.listed), len(every))
		}
	}
}
