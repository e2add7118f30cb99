package language

import (
	"math/bits"
	"slices"
)

// dense holds the words after contexts that have many, as bits, so that those of a set are
// found by blocks of 64. For each such context it takes less memory than its n-grams do.
type dense struct {
	blocks int
	place  []int32 // of each context up to the last that is dense: 1 + where its blocks begin; 0 for others
	bits   []uint64
	before []uint32 // the number of words in the blocks of the context before each
}

// isDense reports whether a context of some words is dense. Of fewer words than these, a
// pass over them is as fast as one over the blocks.
func (t *trie) isDense(n int) bool { return n > 64 && n > int(t.words)/32 }

func newDense(t *trie) dense {
	d := dense{blocks: int(t.end())/64 + 1}
	for c := range t.contexts() {
		from, to := t.run(c)
		if !t.isDense(int(to - from)) {
			continue
		}
		at := len(d.bits)
		d.place = append(d.place, make([]int32, int(c)+1-len(d.place))...)
		d.place[c] = int32(at + 1)
		d.bits = append(d.bits, make([]uint64, d.blocks)...)
		for _, w := range t.word[from-t.unigrams() : to-t.unigrams()] {
			d.bits[at+int(w/64)] |= 1 << (w % 64)
		}
		n := 0
		for _, block := range d.bits[at:] {
			d.before = append(d.before, uint32(n))
			n += bits.OnesCount64(block)
		}
	}
	return d
}

// of returns where the blocks of a context begin, -1 for one that is not dense.
func (d *dense) of(context uint32) int {
	if int(context) >= len(d.place) {
		return -1
	}
	return int(d.place[context]) - 1
}

// index returns the number of a word among those of the context whose blocks begin at a place, -1
// for one that it has not.
func (d *dense) index(at int, word uint32) int {
	block, bit := d.bits[at+int(word/64)], uint64(1)<<(word%64)
	if block&bit == 0 {
		return -1
	}
	return int(d.before[at+int(word/64)]) + bits.OnesCount64(block&(bit-1))
}

// Among appends the places in Words of those words that a set has: a bit for each word,
// and one for </s>.
func (r Run) Among(places []int32, set []uint64) []int32 {
	t := r.trie
	if !t.isDense(len(r.Words)) {
		// No branch depends on the set, since which words it has cannot be foretold.
		n := len(places)
		places = slices.Grow(places, len(r.Words))[:n+len(r.Words)]
		for i, w := range r.Words {
			places[n] = int32(i)
			n += int(set[w/64] >> (w % 64) & 1)
		}
		return places[:n]
	}
	at := t.dense.of(r.context)
	own := t.dense.bits[at : at+t.dense.blocks]
	for i, block := range set[:len(own)] {
		for both := block & own[i]; both != 0; both &= both - 1 {
			lower := own[i] & (both&-both - 1)
			places = append(places, int32(t.dense.before[at+i])+int32(bits.OnesCount64(lower)))
		}
	}
	return places
}
