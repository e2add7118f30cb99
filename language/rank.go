package language

import (
	"cmp"
	"context"
	"iter"
	"math"
	"slices"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/parallel"
)

// rankBlock is the number of contexts that one goroutine ranks at a time.
const rankBlock = 1 << 14

// rank fills ranked and common. Equal probabilities are in the order of the words. The
// extension by </s> is the last of its context, whatever its probability.
func (t *trie) rank(ctx context.Context) error {
	t.common = make([]uint32, t.words)
	for w := range t.common {
		t.common[w] = uint32(w)
	}
	slices.SortFunc(t.common, t.byLog)
	t.ranked = make([]uint32, t.size()-t.unigrams())
	for i := range t.ranked {
		t.ranked[i] = uint32(i) + t.unigrams()
	}
	return parallel.Blocked(ctx, int(t.contexts()), rankBlock, func(_ context.Context, from, to int) error {
		for c := from; c < to; c++ {
			run, end := t.run(uint32(c))
			slices.SortFunc(t.ranked[run-t.unigrams():end-t.unigrams()], func(a, b uint32) int {
				if ends, other := t.ends(a), t.ends(b); ends != other {
					return cmp.Compare(btoi(ends), btoi(other))
				}
				return t.byLog(a, b)
			})
		}
		return nil
	})
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (t *trie) byLog(a, b uint32) int {
	return cmp.Or(cmp.Compare(t.log[b], t.log[a]), cmp.Compare(a, b))
}

// ends reports whether an n-gram of length 2 or more ends with </s>.
func (t *trie) ends(e uint32) bool { return t.word[e-t.unigrams()] == t.end() }

// extensions returns the n-grams that extend a context by a word, by falling probability.
func (t *trie) extensions(s State) []uint32 {
	if t.ranked == nil {
		panic("language: the model was trained without ranks")
	}
	if s == emptyContext {
		return t.common
	}
	from, to := t.run(uint32(s))
	if to > from && t.ends(to-1) { // </s> is the last of the run, and of the ranked ones
		to--
	}
	return t.ranked[from-t.unigrams() : to-t.unigrams()]
}

// last returns the last word of an n-gram.
func (t *trie) last(e uint32) uint32 {
	if e < t.unigrams() {
		return e
	}
	return t.word[e-t.unigrams()]
}

// Continuations yields the words that the model has seen after the context s, each with
// its log-probability, by falling probability (ties: by ID). After the empty context
// these are all words. [Model.Rest] bounds the others.
func (m *Model) Continuations(s State) iter.Seq2[embedding.ID, float64] {
	return func(yield func(embedding.ID, float64) bool) {
		for _, e := range m.trie.extensions(s) {
			if !yield(embedding.ID(m.trie.last(e)), m.trie.log[e]) {
				return
			}
		}
	}
}

// Rest returns the greatest log-probability after s among the words that
// [Model.Continuations] does not yield, or negative infinity if it yields all. It is
// exact, not only a bound. It takes time in proportion to the continuations.
func (m *Model) Rest(s State) float64 {
	t, most, sum := m.trie, math.Inf(-1), 0.0
	// The best word that no context from s down to one above c has is among the first
	// of c that they lack, or of a shorter context.
	var longer []State
	for c := s; c != emptyContext; {
		longer = append(longer, c)
		sum += t.context[c].backoff
		c = t.context[c].suffix
		for _, e := range t.extensions(c) {
			if !t.any(longer, t.last(e)) {
				most = max(most, sum+t.log[e])
				break
			}
		}
	}
	return most
}

// any reports whether one of some contexts has an extension by a word.
func (t *trie) any(contexts []State, word uint32) bool {
	for _, c := range contexts {
		if t.find(uint32(c), word) != 0 {
			return true
		}
	}
	return false
}
