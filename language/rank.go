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

// follower is an n-gram by its number, with a bound of the logarithm of its probability that
// says most of what a reader asks, so that it need not look there.
type follower struct {
	gram uint32
	most float32 // at least the logarithm, and the next number below is less
}

func (t *trie) follower(e uint32) follower {
	most := float32(t.log[e])
	if float64(most) < t.log[e] {
		most = math.Nextafter32(most, float32(math.Inf(1)))
	}
	return follower{e, most}
}

// rank fills ranked, common, ended, goesOn and marks. Equal probabilities are in the order of the
// words. The extension by </s> is the last of its context, whatever its probability.
func (t *trie) rank(ctx context.Context) error {
	t.common = make([]follower, t.words)
	for w := range t.common {
		t.common[w] = t.follower(uint32(w))
	}
	slices.SortFunc(t.common, t.byLog)
	t.ranked = make([]follower, t.size()-t.unigrams())
	t.goesOn = make([]float64, t.contexts())
	marks := make([]uint64, t.contexts())
	t.ended = make([]uint64, (t.contexts()+rankBlock-1)/rankBlock*rankBlock/64)
	err := parallel.Blocked(ctx, int(t.contexts()), rankBlock, func(_ context.Context, from, to int) error {
		for c := from; c < to; c++ {
			t.goesOn[c] = 1 - math.Exp(t.ending(State(c)))
			run, end := t.run(uint32(c))
			all := t.ranked[run-t.unigrams() : end-t.unigrams()]
			for i := range all {
				all[i] = t.follower(run + uint32(i))
				marks[c] |= mark(t.last(all[i].gram))
			}
			if len(all) > 0 && t.ends(end-1) { // </s> is the last of the run
				t.ended[c/64] |= 1 << (c % 64)
				all = all[:len(all)-1]
			}
			slices.SortFunc(all, t.byLog)
		}
		return nil
	})
	t.marks = marks
	return err
}

func (t *trie) byLog(a, b follower) int {
	switch {
	case a.most > b.most:
		return -1
	case a.most < b.most:
		return 1
	}
	return cmp.Or(cmp.Compare(t.log[b.gram], t.log[a.gram]), cmp.Compare(a.gram, b.gram))
}

// ends reports whether an n-gram of length 2 or more ends with </s>.
func (t *trie) ends(e uint32) bool { return t.word[e-t.unigrams()] == t.end() }

// extensions returns the n-grams that extend a context by a word, by falling probability.
func (t *trie) extensions(s State) []follower {
	if t.ranked == nil {
		panic("language: the model was trained without ranks")
	}
	if s == emptyContext {
		return t.common
	}
	from, to := t.run(uint32(s))
	to -= uint32(t.ended[s/64] >> (s % 64) & 1)
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
			if !yield(embedding.ID(m.trie.last(e.gram)), m.trie.log[e.gram]) {
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
			if !t.any(longer, t.last(e.gram)) {
				most = max(most, sum+t.log[e.gram])
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
