package restore

import (
	"cmp"
	"slices"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/selection"
)

// tally adds up chances of words.
type tally struct {
	words   index
	guesses []Guess // of each word, by its number
	values  []float64
}

func (t *tally) reset() {
	t.words.reset()
	t.guesses = t.guesses[:0]
}

// add adds to the chance of a word.
func (t *tally) add(w embedding.ID, chance float64) {
	i, came := t.words.number(uint64(w))
	if !came {
		t.guesses = append(t.guesses, Guess{Word: w})
	}
	t.guesses[i].Chance += chance
}

// of returns the chance of a word, 0 for one that was not added.
func (t *tally) of(w embedding.ID) float64 {
	if i := t.words.find(uint64(w)); i >= 0 {
		return t.guesses[i].Chance
	}
	return 0
}

// first returns the n likeliest words, the likeliest first, equally likely ones by their IDs.
func (t *tally) first(n int) []Guess {
	n = min(n, len(t.guesses))
	guesses := make([]Guess, 0, n)
	if n == len(t.guesses) {
		guesses = append(guesses, t.guesses...)
	} else if n > 0 {
		t.values = t.values[:0]
		for _, g := range t.guesses {
			t.values = append(t.values, -g.Chance)
		}
		least := -selection.Select(t.values, n)
		for _, g := range t.guesses {
			if g.Chance >= least {
				guesses = append(guesses, g)
			}
		}
	}
	slices.SortFunc(guesses, likelier)
	return guesses[:n]
}

// likelier compares guesses by falling chance, then by their words.
func likelier(a, b Guess) int {
	switch {
	case a.Chance > b.Chance:
		return -1
	case a.Chance < b.Chance:
		return 1
	}
	return cmp.Compare(a.Word, b.Word)
}
