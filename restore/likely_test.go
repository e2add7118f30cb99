package restore

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/language"
)

// randomModel returns a model of random texts of the first words of a table, some of them frequent.
func randomModel(t *testing.T, rng *rand.Rand, words, first int) *language.Model {
	t.Helper()
	m, err := language.Train(t.Context(), firstWords(t, words), func(yield func([]embedding.ID, error) bool) {
		for range 200 {
			text := make([]embedding.ID, 12)
			for i := range text {
				text[i] = embedding.ID(rng.IntN(1 + rng.IntN(first)))
			}
			if !yield(text, nil) {
				return
			}
		}
	}, language.Options{Order: 3, Public: true})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// randomColumn returns a column of a round: of two levels or of many, of many words or of few.
func randomColumn(rng *rand.Rand, words, round int) *column {
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
		if round%2 == 0 {
			c.ranks = ranksOf(c.listed, words)
		}
	}
	c.rank()
	return c
}

// randomFront returns nodes with contexts of two words, of one, and of none.
func randomFront(m *language.Model, rng *rand.Rand, words int) []hypothesis {
	front := []hypothesis{{m.Start(), 0}}
	for i := range 8 {
		_, s := m.Next(m.Empty(), embedding.ID(rng.IntN(1+rng.IntN(words))))
		_, s = m.Next(s, embedding.ID(rng.IntN(1+rng.IntN(words))))
		front = append(front, hypothesis{s, -float64(i) / 2})
	}
	return front
}

// Reading the words after a context as far as they are needed finds the candidates that
// reading all of them finds, in the same order.
func TestLikelyWordsAreThoseOfAllWords(t *testing.T) {
	const words, beam = 300, 10
	rng := rand.New(rand.NewPCG(5, 6))
	m := randomModel(t, rng, words, words)
	for round := range 200 {
		c := randomColumn(rng, words, round)
		d, err := NewDecoder(m, NewChannel(nil, words), Options{Beam: beam})
		if err != nil {
			t.Fatal(err)
		}
		front := randomFront(m, rng, words)
		found := func(add func(*view, int32, hypothesis)) []candidate {
			d.found.reset(perNode*beam, c.most, math.Inf(-1))
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
