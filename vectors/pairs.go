package vectors

import (
	"slices"

	"github.com/sotto-dp/sotto/embedding"
)

// A pair is a row, a column and a number of occurrences.
type pair struct {
	row, column uint32
	count       uint64
}

const (
	// dense is the number of the most frequent words whose pairs are counted in an
	// array.
	dense = 1 << 11
	// mostKeys is the number of other pairs that are held before they are sorted.
	mostKeys = 1 << 23
	// MaxWords is the largest number of words of a table: a key has 24 bits for each
	// word of a pair, and 16 for its weight.
	MaxWords = 1<<24 - 1
)

// pairs counts pairs of words in both directions. It is for one goroutine.
type pairs struct {
	words  int
	window int
	top    int      // number of frequent words
	dense  []uint64 // counts of their pairs, top x top, row <= column
	keys   []uint64
	counts []int64 // of each word
	tokens int64   // words and unknown tokens
}

func newPairs(words, window, top int) *pairs {
	return &pairs{words: words, window: window, top: top, dense: make([]uint64, top*top), counts: make([]int64, words)}
}

// add counts the pairs of a text. IDs from words on are unknown tokens: they have their
// places and no pairs.
func (p *pairs) add(ids []embedding.ID) {
	n, d := embedding.ID(p.words), embedding.ID(p.top)
	p.tokens += int64(len(ids))
	for i, x := range ids {
		if x >= n {
			continue
		}
		p.counts[x]++
		for j := 1; j <= p.window && i+j < len(ids); j++ {
			y := ids[i+j]
			weight := uint64(p.window + 1 - j)
			switch {
			case y >= n:
			case x < d && y < d:
				p.dense[min(x, y)*d+max(x, y)] += weight
			default:
				p.keys = append(p.keys, uint64(x)<<40|uint64(y)<<16|weight, uint64(y)<<40|uint64(x)<<16|weight)
			}
		}
	}
}

// full reports whether the keys should be taken.
func (p *pairs) full() bool { return len(p.keys) >= mostKeys }

// takeKeys calls give with the pairs of the keys in order, and forgets them. A pair of
// a word with itself is counted in both directions, like any other.
func (p *pairs) takeKeys(give func(pair) error) error {
	slices.Sort(p.keys)
	for i := 0; i < len(p.keys); {
		at, count := p.keys[i]>>16, uint64(0)
		for ; i < len(p.keys) && p.keys[i]>>16 == at; i++ {
			count += p.keys[i] & 0xffff
		}
		if err := give(pair{uint32(at >> 24), uint32(at & 0xffffff), count}); err != nil {
			return err
		}
	}
	p.keys = p.keys[:0]
	return nil
}

// takeDense calls give with the pairs of frequent words in order, and forgets them.
func (p *pairs) takeDense(give func(pair) error) error {
	d := p.top
	for x := range d {
		for y := range d {
			count := p.dense[min(x, y)*d+max(x, y)]
			if x == y {
				count *= 2
			}
			if count == 0 {
				continue
			}
			if err := give(pair{uint32(x), uint32(y), count}); err != nil {
				return err
			}
		}
	}
	clear(p.dense)
	return nil
}
