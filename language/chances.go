package language

import (
	"math"
	"sync"
)

// chances are the exponentials of a model's logarithms, for readers that multiply. They are
// computed when they are first asked for.
type chances struct {
	once   sync.Once
	words  []float64 // of each n-gram
	weight []float64 // of each context
}

func (t *trie) chances() *chances {
	c := &t.multiplied
	c.once.Do(func() {
		c.words, c.weight = make([]float64, len(t.log)), make([]float64, t.contexts())
		for e, log := range t.log {
			c.words[e] = math.Exp(log)
		}
		for s := range c.weight {
			c.weight[s] = math.Exp(t.context[s].backoff)
		}
	})
	return c
}

// Chances returns the probabilities of the words of the run. They must not be changed.
func (r Run) Chances() []float64 {
	return r.trie.chances().words[r.first:][:len(r.Words)]
}

// Weight returns the backoff weight of a context, which is not the empty one: the exponential
// of that of [Model.Backoff].
func (m *Model) Weight(s State) float64 { return m.trie.chances().weight[s] }
