package attack

import (
	"math"
	"slices"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/language"
)

// following has the chances of some words after the contexts of a step, by one model. Each
// context is looked up once for all words, and so is each suffix that contexts share.
type following struct {
	slot   []int32 // of each word of the model: 1 + its index among the words; 0 for others
	words  []embedding.ID
	states []language.State
	known  [tableSize]uint16 // of hashes of states: 1 + a place in states
	chance []float64         // of each word after each state, times the weight of the model
	after  []int32           // of the same: the state after the word, as a place in next
	next   [][]language.State
	of     []int32 // of each place: its state
}

// tableSize is more than twice as many as the states of a step: adaptedBeam contexts with all
// their suffixes.
const tableSize = 1024

// rareRun is the most words after a context that are looked up among the words of the step;
// after a context with more it is the other way round.
const rareRun = 128

// notOf is a word that a model does not have.
const notOf = ^embedding.ID(0)

// begin takes the words of a step, as the model has them. unseen is the log-probability of
// those that it does not have, after which there is no context.
func (f *following) begin(m *language.Model, words []embedding.ID, unseen, weight float64) {
	if n := m.Words() + 1; len(f.slot) < n { // and </s>
		f.slot = make([]int32, n)
	}
	clear(f.known[:])
	f.words, f.states, f.chance, f.after, f.of = words, f.states[:0], f.chance[:0], f.after[:0], f.of[:0]
	for len(f.next) < len(words) {
		f.next = append(f.next, nil)
	}
	f.add(m.Empty())
	for i, w := range words {
		log, after := unseen, m.Empty()
		if w != notOf {
			log, after = m.Next(m.Empty(), w)
			f.slot[w] = int32(i) + 1
		}
		f.chance, f.after, f.next[i] = append(f.chance, weight*math.Exp(log)), append(f.after, 0), append(f.next[i][:0], after)
	}
}

// end forgets the words of a step.
func (f *following) end() {
	for _, w := range f.words {
		if w != notOf {
			f.slot[w] = 0
		}
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

// add gives a state its place.
func (f *following) add(s language.State) int32 {
	f.states = append(f.states, s)
	*f.slotOf(s) = uint16(len(f.states))
	return int32(len(f.states) - 1)
}

// row returns the place of a state, with the chances after it.
func (f *following) row(m *language.Model, s language.State, weight float64) int32 {
	if p := *f.slotOf(s); p > 0 {
		return int32(p) - 1
	}
	_, shorter, _ := m.Backoff(s)
	n := len(f.words)
	from := int(f.row(m, shorter, weight)) * n
	at, factor := f.add(s), m.Weight(s)
	f.after = append(f.after, f.after[from:from+n]...)
	f.chance = slices.Grow(f.chance, n)[:len(f.chance)+n]
	before, chance, after := f.chance[from:from+n], f.chance[int(at)*n:][:n], f.after[int(at)*n:][:n]
	for i, p := range before {
		chance[i] = factor * p
	}
	run := m.Seen(s)
	chances := run.Chances()
	found := func(i, in int) {
		chance[i] = weight * chances[in]
		f.next[i], after[i] = number(f.next[i], run.Next(in))
	}
	if len(run.Words) <= rareRun {
		for in, w := range run.Words {
			if i := f.slot[w]; i > 0 {
				found(int(i)-1, in)
			}
		}
		return at
	}
	for i, w := range f.words {
		if w == notOf {
			continue
		}
		if in, ok := slices.BinarySearch(run.Words, uint32(w)); ok {
			found(i, in)
		}
	}
	return at
}

// number returns the place of a state in a list, and the list with it.
func number(list []language.State, s language.State) ([]language.State, int32) {
	i := slices.Index(list, s)
	if i < 0 {
		i, list = len(list), append(list, s)
	}
	return list, int32(i)
}
