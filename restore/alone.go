package restore

import (
	"math"
	"slices"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/language"
)

// Alone guesses words from single outputs, with the model's probabilities without context.
// It is for one goroutine.
type Alone struct {
	channel *Channel
	log     []float64 // chance of each word
	common  []embedding.ID
	guesses map[embedding.ID]embedding.ID
}

// NewAlone returns the guesses under a model of the words of a channel. They name none of
// the words of never, which some others must remain beside.
func NewAlone(m *language.Model, c *Channel, never ...embedding.ID) *Alone {
	a := &Alone{channel: c, log: make([]float64, c.words), guesses: map[embedding.ID]embedding.ID{}}
	for w, p := range m.Continuations(m.Empty()) {
		if slices.Contains(never, w) {
			a.log[w] = math.Inf(-1)
			continue
		}
		a.log[w] = p
		a.common = append(a.common, w)
	}
	return a
}

// Blind returns the best guess without an output: the likeliest word.
func (a *Alone) Blind() embedding.ID { return a.common[0] }

// Guess returns the likeliest word given an output that the channel was read for.
func (a *Alone) Guess(y embedding.ID) embedding.ID {
	if w, ok := a.guesses[y]; ok {
		return w
	}
	c := a.channel.columns[y]
	best, guess := math.Inf(-1), a.Blind()
	for i, x := range c.listed {
		if p := a.log[x] + c.of(i); p > best {
			best, guess = p, x
		}
	}
	if c.set != nil {
		if at := slices.IndexFunc(a.common, c.lists); at >= 0 {
			best, guess = a.log[a.common[at]]+c.level, a.common[at]
		}
	}
	for _, x := range a.common {
		if p := a.log[x] + c.base; !(p > best) {
			break
		} else if !c.lists(x) {
			best, guess = p, x
		}
	}
	a.guesses[y] = guess
	return guess
}

// Log returns the logarithm of the probability that a text of words x becomes y; -Inf for
// texts of different lengths. The columns for the words of y must have been read.
func (c *Channel) Log(x, y []embedding.ID) float64 {
	if len(x) != len(y) {
		return math.Inf(-1)
	}
	sum := 0.0
	for t, w := range x {
		sum += c.columns[y[t]].at(w)
	}
	return sum
}
