package language

import "github.com/sotto-dp/sotto/embedding"

// Ranked holds the words that a model has seen after a context, as [Model.Continuations]
// yields them: by falling probability, equal ones by their IDs. Words are accessed by
// their place in this order, so that a reader can stop and resume.
type Ranked struct {
	all  []follower
	trie *trie
}

// Ranked returns the words that the model has seen after the context s. After the empty
// context these are all words.
func (m *Model) Ranked(s State) Ranked { return Ranked{m.trie.extensions(s), m.trie} }

// Len returns the number of words.
func (r Ranked) Len() int { return len(r.all) }

// Word returns the word at place i.
func (r Ranked) Word(i int) embedding.ID { return embedding.ID(r.trie.last(r.all[i].gram)) }

// Log returns the natural logarithm of the probability of the word at place i.
func (r Ranked) Log(i int) float64 { return r.trie.log[r.all[i].gram] }

// Most returns a number that is at least [Ranked.Log], and hardly more. It takes less time.
func (r Ranked) Most(i int) float64 { return float64(r.all[i].most) }

// Next returns the state after the word at place i.
func (r Ranked) Next(i int) State { return r.trie.state(r.all[i].gram) }

// After returns the natural logarithm of the probability of the word w after the context s,
// which is not the empty one, and the state after it. seen is false, and the rest zero, if
// the model has not seen w there.
func (m *Model) After(s State, w embedding.ID) (log float64, next State, seen bool) {
	e := m.trie.find(uint32(s), uint32(w))
	if e == 0 {
		return 0, 0, false
	}
	return m.trie.log[e], m.trie.state(e), true
}

// Saw reports whether the model has seen the word w after the context s, which is not the
// empty one.
func (m *Model) Saw(s State, w embedding.ID) bool { return m.trie.find(uint32(s), uint32(w)) != 0 }

// Touch reads what a search needs of some contexts and their suffixes. The accesses to memory
// overlap, unlike those of the search. The sum is of no use, but no compiler leaves it out.
func (m *Model) Touch(states []State) (sum float64) {
	t := m.trie
	for _, s := range states {
		for s != emptyContext {
			from, to := t.run(uint32(s))
			if from < to {
				sum += float64(t.word[from-t.unigrams()]) + t.log[from] + float64(t.ranked[from-t.unigrams()].most)
			}
			s = t.context[s].suffix
		}
	}
	return sum
}
