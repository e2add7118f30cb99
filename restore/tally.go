package restore

import (
	"cmp"
	"slices"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/selection"
)

// tally adds up chances of words. A position has few words, so a small table finds them.
type tally struct {
	table   []int32 // of hashes: 1 + an index of guesses; never full
	guesses []Guess
	values  []float64
}

func (t *tally) reset() {
	clear(t.table)
	t.guesses = t.guesses[:0]
}

// slot returns where the table has a word, or where it would be.
func (t *tally) slot(w embedding.ID) *int32 {
	last := len(t.table) - 1
	for at := int(uint64(w)*0x9e3779b97f4a7c15>>32) & last; ; at = (at + 1) & last {
		if i := t.table[at]; i == 0 || t.guesses[i-1].Word == w {
			return &t.table[at]
		}
	}
}

// add adds to the chance of a word.
func (t *tally) add(w embedding.ID, chance float64) {
	if 2*len(t.guesses) >= len(t.table) {
		t.table = make([]int32, max(64, 2*len(t.table)))
		for i, g := range t.guesses {
			*t.slot(g.Word) = int32(i + 1)
		}
	}
	slot := t.slot(w)
	if *slot == 0 {
		t.guesses = append(t.guesses, Guess{Word: w})
		*slot = int32(len(t.guesses))
	}
	t.guesses[*slot-1].Chance += chance
}

// of returns the chance of a word, 0 for one that was not added.
func (t *tally) of(w embedding.ID) float64 {
	if len(t.guesses) == 0 {
		return 0
	}
	if i := *t.slot(w); i != 0 {
		return t.guesses[i-1].Chance
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
