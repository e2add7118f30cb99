package attack

import (
	"math"
	"slices"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/scratch"
	"github.com/sotto-dp/sotto/language"
)

// following has the chances of some words after the contexts of a step, by one model. Each
// context is looked up once for all words, and so is each suffix that contexts share.
type following struct {
	from     *language.Chances
	slot     []int32 // of each word of the model: 1 + its index among the words; 0 for others
	words    []embedding.ID
	states   []language.State
	contexts []looked           // of each state
	known    [tableSize]uint16  // of hashes of states: 1 + a place in states
	chance   []float64          // of each word after each state, times the weight of the model
	after    []int32            // of the same: the state after the word, as a place in next
	next     [][]language.State // of each word
	of       []int32            // of each place: its state
	touched  uint32
}

// looked is what a model has of a state.
type looked struct {
	seen   []language.Follower
	weight float64
	suffix int32 // the place of the longest proper suffix
}

// tableSize is more than twice as many as the states of a step: adaptedBeam contexts with all
// their suffixes.
const tableSize = 1024

// rareRun is the most words after a context that are looked up among the words of the step;
// after a context with more it is the other way round.
const rareRun = 128

// notOf is a word that a model does not have.
const notOf = ^embedding.ID(0)

// begin takes a model, and the words of a step as it has them. unseen is the log-probability
// of those that it does not have, after which there is no context.
func (f *following) begin(m *language.Model, words []embedding.ID, unseen, weight float64) {
	if n := m.Words() + 1; len(f.slot) < n { // and </s>
		f.slot = make([]int32, n)
	}
	clear(f.known[:])
	f.from, f.words, f.of = m.Chances(), words, f.of[:0]
	f.states, f.contexts = f.states[:0], f.contexts[:0]
	f.chance, f.after = scratch.Resize(f.chance, len(words)), scratch.Resize(f.after, len(words))
	for len(f.next) < len(words) {
		f.next = append(f.next, nil)
	}
	f.add(m.Empty(), looked{})
	for i, w := range words {
		x := language.Follower{Chance: math.Exp(unseen), After: m.Empty()}
		if w != notOf {
			x = f.from.Alone(uint32(w))
			f.slot[w] = int32(i) + 1
		}
		f.chance[i], f.after[i], f.next[i] = weight*x.Chance, 0, append(f.next[i][:0], x.After)
	}
}

// slotOf returns where a state is in known, or where it belongs.
func (f *following) slotOf(s language.State) *uint16 {
	for at := uint32(s) * 0x9e3779b1 >> 16; ; at++ {
		if p := &f.known[at%tableSize]; *p == 0 || f.states[*p-1] == s {
			return p
		}
	}
}

// add gives a state the next place.
func (f *following) add(s language.State, c looked) int32 {
	f.states, f.contexts = append(f.states, s), append(f.contexts, c)
	*f.slotOf(s) = uint16(len(f.states))
	return int32(len(f.states) - 1)
}

// place returns the place of a state. Its suffixes have smaller ones.
func (f *following) place(s language.State) int32 {
	if p := *f.slotOf(s); p > 0 {
		return int32(p) - 1
	}
	seen, weight, shorter := f.from.Of(s)
	return f.add(s, looked{seen, weight, f.place(shorter)})
}

// fill computes the chances after all states, and forgets the words.
func (f *following) fill(weight float64) {
	// The first word after each context is read before any of them is needed, so that the
	// processor waits for the memory of all together.
	for i := range f.contexts {
		if seen := f.contexts[i].seen; len(seen) > 0 {
			f.touched += seen[0].Word
		}
	}
	n := len(f.words)
	f.chance, f.after = slices.Grow(f.chance, n*len(f.states))[:n*len(f.states)], slices.Grow(f.after, n*len(f.states))[:n*len(f.states)]
	for at := 1; at < len(f.states); at++ {
		c := &f.contexts[at]
		from := int(c.suffix) * n
		chance, after := f.chance[at*n:][:n], f.after[at*n:][:n]
		for i, p := range f.chance[from : from+n] {
			chance[i] = c.weight * p
		}
		copy(after, f.after[from:from+n])
		if len(c.seen) <= rareRun {
			for k := range c.seen {
				if i := f.slot[c.seen[k].Word] - 1; i >= 0 {
					chance[i], after[i] = weight*c.seen[k].Chance, f.number(i, c.seen[k].After)
				}
			}
			continue
		}
		for i, w := range f.words {
			if w == notOf {
				continue
			}
			if x, ok := f.from.Find(f.states[at], uint32(w)); ok {
				chance[i], after[i] = weight*x.Chance, f.number(int32(i), x.After)
			}
		}
	}
	for _, w := range f.words {
		if w != notOf {
			f.slot[w] = 0
		}
	}
}

// number returns the place of a state among those after a word.
func (f *following) number(word int32, s language.State) int32 {
	i := slices.Index(f.next[word], s)
	if i < 0 {
		i, f.next[word] = len(f.next[word]), append(f.next[word], s)
	}
	return int32(i)
}
