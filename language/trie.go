package language

import "math"

// emptyContext is the state of no context.
const emptyContext State = math.MaxUint32

// trie holds n-grams by number. The unigrams are first: the words by their IDs, </s>,
// <s>. The n-grams of each length follow, sorted by their words, so that the n-grams
// that extend one by a word are a run, sorted by that word. Those below the greatest
// length are contexts too, and their number is a state.
type trie struct {
	order int
	words uint32
	// starts[k] is the number of the first n-gram of length k+1; starts[order] is their count.
	starts []uint32
	word   []uint32  // last word of each n-gram of length 2 or more
	log    []float64 // natural logarithm of the probability of the last word after the others
	// context has an element for each context, and one more that ends the last extensions.
	context []node
	// after is the longest proper suffix of each n-gram of the greatest length.
	after []State
	// ranked lists the extensions of each context by falling probability, </s> left out;
	// see rank.
	ranked []follower
	ended  []uint64   // a bit for each context, 1 if one of its extensions is </s>
	common []follower // words by falling unigram probability
	goesOn []float64  // of each context: the chance that a text does not end there
	marks  []uint64   // of each context: see mark
	dense  dense

	multiplied multiplied
}

// node is what next needs of a context, in 16 bytes: one access to memory.
type node struct {
	backoff float64 // the weight of what follows the suffix, as a logarithm
	suffix  State   // the longest proper suffix; emptyContext for a unigram
	first   uint32  // first extension
}

func (t *trie) end() uint32      { return t.words }
func (t *trie) begin() uint32    { return t.words + 1 }
func (t *trie) unigrams() uint32 { return t.words + 2 }
func (t *trie) contexts() uint32 { return t.starts[t.order-1] }
func (t *trie) size() uint32     { return t.starts[t.order] }

// run returns the first extension of a context, and the end of its extensions.
func (t *trie) run(context uint32) (from, to uint32) {
	return t.context[context].first, t.context[context+1].first
}

// state returns the state after an n-gram: the n-gram, or its suffix if it is no context.
func (t *trie) state(e uint32) State {
	if contexts := t.contexts(); e >= contexts {
		return t.after[e-contexts]
	}
	return State(e)
}

// suffix returns the longest proper suffix of an n-gram of length 2 or more.
func (t *trie) suffix(e uint32) uint32 {
	if e < t.contexts() {
		return uint32(t.context[e].suffix)
	}
	return uint32(t.after[e-t.contexts()])
}

// find returns the extension of a context by a word, 0 for none.
func (t *trie) find(context, word uint32) uint32 {
	if t.marks != nil && t.marks[context]&mark(word) == 0 {
		return 0
	}
	base := t.unigrams()
	lo, hi := t.run(context)
	if at := t.dense.of(context); at >= 0 {
		if i := t.dense.index(at, word); i >= 0 {
			return lo + uint32(i)
		}
		return 0
	}
	words := t.word[lo-base : hi-base]
	from, n := 0, len(words)
	for n > 1 {
		half := n / 2
		if words[from+half-1] < word {
			from += half
		}
		n -= half
	}
	if n == 1 && words[from] == word {
		return lo + uint32(from)
	}
	return 0
}

// mark is one of the 64 bits of a context that its extensions set. Most contexts have few, and
// most words are none of them: one access to memory is enough to know.
func mark(word uint32) uint64 { return 1 << (word * 0x9e3779b1 >> 26) }

// next returns the log-probability of a word or </s> after a state, and the state after.
func (t *trie) next(s State, word uint32) (float64, State) {
	sum := 0.0
	for s != emptyContext {
		if e := t.find(uint32(s), word); e != 0 {
			return sum + t.log[e], t.state(e)
		}
		n := &t.context[s]
		sum += n.backoff
		s = n.suffix
	}
	return sum + t.log[word], State(word)
}

// ending returns the log-probability of </s> after a state. It is the last of the words
// after a context.
func (t *trie) ending(s State) float64 {
	sum := 0.0
	for s != emptyContext {
		if from, to := t.run(uint32(s)); to > from && t.ends(to-1) {
			return sum + t.log[to-1]
		}
		n := &t.context[s]
		sum += n.backoff
		s = n.suffix
	}
	return sum + t.log[t.end()]
}

// link finds the suffixes. N-grams are linked in the order of their lengths, since the
// suffix of an extension is found from that of its context.
func (t *trie) link() {
	t.after = make([]State, t.size()-t.contexts())
	for c := range t.contexts() {
		if c < t.unigrams() {
			t.context[c].suffix = emptyContext
		}
		from, to := t.run(c)
		for e := from; e < to; e++ {
			s := State(t.longest(t.context[c].suffix, t.word[e-t.unigrams()]))
			if e < t.contexts() {
				t.context[e].suffix = s
			} else {
				t.after[e-t.contexts()] = s
			}
		}
	}
}

// longest returns the longest n-gram that extends a state, or a suffix of it, by a word.
func (t *trie) longest(s State, word uint32) uint32 {
	for ; s != emptyContext; s = t.context[s].suffix {
		if e := t.find(uint32(s), word); e != 0 {
			return e
		}
	}
	return word
}
