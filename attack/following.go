package attack

import (
	"math"
	"slices"

	"github.com/sotto-dp/sotto/language"
	"github.com/sotto-dp/sotto/restore"
)

// following has the chances of some words after the contexts of a step, by one model. Each
// context is looked up once for all words, and so is each suffix that contexts share.
type following struct {
	slot   []int32 // of each word of the vocabulary: 1 + its index among the words; 0 for others
	states []language.State
	chance []float64 // of each word after each state, times the weight of the model
	after  []int32   // of the same: the state after the word, as a place in next
	next   [][]language.State
	of     []int32 // of each place: its state
}

// rareRun is the most words after a context that are looked up among the words of the step;
// after a context with more it is the other way round.
const rareRun = 128

// begin takes the words of a step.
func (f *following) begin(m *language.Model, words []restore.Guess, weight float64) {
	if f.slot == nil {
		f.slot = make([]int32, m.Vocabulary().Len()+1) // and </s>
	}
	f.states, f.chance, f.after, f.of = append(f.states[:0], m.Empty()), f.chance[:0], f.after[:0], f.of[:0]
	for len(f.next) < len(words) {
		f.next = append(f.next, nil)
	}
	for i, g := range words {
		log, after := m.Next(m.Empty(), g.Word)
		f.slot[g.Word] = int32(i) + 1
		f.chance, f.after, f.next[i] = append(f.chance, weight*math.Exp(log)), append(f.after, 0), append(f.next[i][:0], after)
	}
}

// end forgets the words of a step.
func (f *following) end(words []restore.Guess) {
	for _, g := range words {
		f.slot[g.Word] = 0
	}
}

// row returns the place of a state, with the chances after it.
func (f *following) row(m *language.Model, s language.State, words []restore.Guess, weight float64) int32 {
	if at := slices.Index(f.states, s); at >= 0 {
		return int32(at)
	}
	backoff, shorter, _ := m.Backoff(s)
	from := int(f.row(m, shorter, words, weight)) * len(words)
	at, factor := len(f.states), math.Exp(backoff)
	f.states = append(f.states, s)
	f.after = append(f.after, f.after[from:from+len(words)]...)
	for _, p := range f.chance[from : from+len(words)] {
		f.chance = append(f.chance, factor*p)
	}
	chance, after := f.chance[at*len(words):], f.after[at*len(words):]
	run := m.Seen(s)
	found := func(i, in int) {
		chance[i] = weight * math.Exp(run.LogProbs[in])
		f.next[i], after[i] = number(f.next[i], run.Next(in))
	}
	if len(run.Words) <= rareRun {
		for in, w := range run.Words {
			if i := f.slot[w]; i > 0 {
				found(int(i)-1, in)
			}
		}
		return int32(at)
	}
	for i, g := range words {
		if in, ok := slices.BinarySearch(run.Words, uint32(g.Word)); ok {
			found(i, in)
		}
	}
	return int32(at)
}

// number returns the place of a state in a list, and the list with it.
func number(list []language.State, s language.State) ([]language.State, int32) {
	i := slices.Index(list, s)
	if i < 0 {
		i, list = len(list), append(list, s)
	}
	return list, int32(i)
}
