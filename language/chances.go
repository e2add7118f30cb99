package language

import (
	"math"
	"sync"
)

// Chances holds the probabilities and weights of a model instead of their logarithms, for a
// reader that multiplies them. What belongs to a context lies together, since to wait for
// memory takes longer than to multiply. It takes 16 bytes for each n-gram and each context.
type Chances struct {
	trie      *trie
	followers []Follower // of each n-gram: its last word
	contexts  []weighted // and one more, that ends the last followers
}

// Follower is a word after a context.
type Follower struct {
	Chance float64
	Word   uint32 // </s> is the number of words
	After  State  // the state after it
}

type weighted struct {
	weight float64
	suffix State
	first  uint32 // follower
}

// multiplied are the chances of a trie, once they were asked for.
type multiplied struct {
	once sync.Once
	all  Chances
}

// Chances returns the model's chances, which are computed at the first call.
func (m *Model) Chances() *Chances {
	t := m.trie
	t.multiplied.once.Do(func() {
		c := &t.multiplied.all
		c.trie, c.followers, c.contexts = t, make([]Follower, t.size()), make([]weighted, len(t.context))
		for e := range t.size() {
			c.followers[e] = Follower{math.Exp(t.log[e]), t.last(e), t.state(e)}
		}
		for s, n := range t.context {
			c.contexts[s] = weighted{math.Exp(n.backoff), n.suffix, n.first}
		}
	})
	return &t.multiplied.all
}

// Alone returns a word without context.
func (c *Chances) Alone(w uint32) Follower { return c.followers[w] }

// Of returns the words that the model has seen after a context, which is not the empty one,
// by ascending ID, and the weight with which all others follow its longest proper suffix. They
// must not be changed.
func (c *Chances) Of(s State) (seen []Follower, weight float64, shorter State) {
	n := &c.contexts[s]
	return c.followers[n.first:c.contexts[s+1].first], n.weight, n.suffix
}

// Find returns a word of those that Of returns.
func (c *Chances) Find(s State, w uint32) (x Follower, ok bool) {
	if e := c.trie.find(uint32(s), w); e != 0 {
		return c.followers[e], true
	}
	return x, false
}
