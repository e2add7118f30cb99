package language

import (
	"context"
	"math"
	"slices"
)

// tokens holds texts one after the other: <s>, the words, </s>.
type tokens struct {
	words uint32 // of the vocabulary
	all   []uint32
}

// mostTokens bounds the tokens of a training, so that positions fit 32 bits.
const mostTokens = math.MaxUint32 - 1

// word returns the k-th token from position i plus 1, or 0 behind the end of the text.
func (t *tokens) word(i uint32, k int) uint32 {
	for j := range uint32(k) {
		if t.all[i+j] == t.words {
			return 0
		}
	}
	return t.all[i+uint32(k)] + 1
}

// sorted returns the positions ordered by the n tokens from each of them, by a radix sort
// from the last token to the first.
func (t *tokens) sorted(ctx context.Context, n int) ([]uint32, error) {
	at, to := make([]uint32, len(t.all)), make([]uint32, len(t.all))
	for i := range at {
		at[i] = uint32(i)
	}
	ends := make([]uint32, t.words+4)
	for k := n - 1; k >= 0; k-- {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		clear(ends)
		for i := range at {
			ends[t.word(uint32(i), k)+1]++
		}
		for w := range len(ends) - 1 {
			ends[w+1] += ends[w]
		}
		for _, i := range at {
			w := t.word(i, k)
			to[ends[w]] = i
			ends[w]++
		}
		at, to = to, at
	}
	return at, nil
}

// level is the n-grams of one length, sorted.
type level struct {
	word  []uint32
	count []uint32
	first []uint32 // number of the first extension among those of the next length
}

// levels returns the n-grams of lengths 1 to order with their numbers of occurrences;
// those of unigrams are left at 0.
func (t *tokens) levels(ctx context.Context, order int) ([]level, error) {
	positions, err := t.sorted(ctx, order)
	if err != nil {
		return nil, err
	}
	all := make([]level, order)
	all[0].count = make([]uint32, t.words+2)
	var last, now [MaxOrder]uint32
	for _, i := range positions {
		same := true // as far as the n-gram of the last position
		for k := range order {
			now[k] = t.word(i, k)
			same = same && now[k] == last[k]
			if now[k] == 0 {
				clear(now[k:])
				break
			}
			if !same {
				t.add(all, k, now[k]-1)
			}
			if k > 0 {
				all[k].count[len(all[k].count)-1]++
			}
		}
		last = now
	}
	all[0].reach(int(t.words)+2, len(all[1].word))
	return all, nil
}

// add adds an n-gram of length k+1 that ends with a word, after all that precede it.
func (t *tokens) add(all []level, k int, word uint32) {
	l := &all[k]
	if k == 0 {
		l.reach(int(word)+1, len(all[1].word))
		return
	}
	l.word, l.count = append(l.word, word), append(l.count, 0)
	if k+1 < len(all) {
		l.first = append(l.first, uint32(len(all[k+1].word)))
	}
}

// reach lets n n-grams have their first extension at a number, unless they have one.
func (l *level) reach(n, first int) {
	l.first = slices.Grow(l.first, max(0, n-len(l.first)))
	for len(l.first) < n {
		l.first = append(l.first, uint32(first))
	}
}

// join returns the trie of all n-grams, without probabilities.
func join(words uint32, all []level) *trie {
	t := &trie{order: len(all), words: words, starts: make([]uint32, 1, len(all)+1)}
	for _, l := range all {
		t.starts = append(t.starts, t.starts[len(t.starts)-1]+uint32(len(l.count)))
	}
	t.word = make([]uint32, 0, t.size()-t.unigrams())
	t.context = make([]node, 0, t.contexts()+1)
	for k, l := range all {
		t.word = append(t.word, l.word...)
		for _, first := range l.first {
			t.context = append(t.context, node{first: t.starts[k+1] + first})
		}
	}
	t.context = append(t.context, node{first: t.size()})
	t.link()
	return t
}
