// Package pairs links releases of two adjacent words, word by word, to their texts: exactly, for
// channels whose rows have two chances.
package pairs

import (
	"errors"
	"math/bits"
	"math/rand/v2"
	"slices"

	"github.com/sotto-dp/sotto/attack"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism"
)

// Linked returns the chance that the likeliest of some pairs of adjacent words, one for each text
// that has two, is the one that was released. The sets of likelier outputs are known, so it is
// counted, not drawn, for the places that rng chose in the texts. It is the mean over the whole
// groups of candidates, whose number it returns too.
func Linked(m mechanism.Channel, texts []attack.Text, among int, rng *rand.Rand) (chance float64, candidates int, err error) {
	var pairs [][]embedding.ID
	for _, t := range texts {
		if n := len(t.Words); n >= 2 {
			at := rng.IntN(n - 1)
			pairs = append(pairs, t.Words[at:at+2])
		}
	}
	candidates = min(among, len(pairs))
	if candidates < 2 {
		return 0, 0, errors.New("pairs: fewer than two texts have two words")
	}
	c, err := read(m, slices.Concat(pairs...))
	if err != nil {
		return 0, 0, err
	}
	groups := len(pairs) / candidates
	for g := range groups {
		chance += c.named(pairs[g*candidates:(g+1)*candidates]) / float64(groups)
	}
	return chance, candidates, nil
}

// channel has the rows of some words: the outputs with the larger of two weights.
type channel struct {
	sets  map[embedding.ID][]embedding.ID
	words int // of a row
	shape
}

// shape is what all rows share: the two weights, their sum, and the outputs with either.
type shape struct {
	high, low, total uint64
	outputs          int
}

// read reads the rows of words. It refuses channels whose rows have other chances.
func read(m mechanism.Channel, words []embedding.ID) (*channel, error) {
	c := &channel{sets: map[embedding.ID][]embedding.ID{}}
	var row []uint64
	for _, x := range words {
		if _, known := c.sets[x]; known {
			continue
		}
		row = m.Weights(row[:0], x)
		set, of := []embedding.ID{}, shape{high: slices.Max(row)}
		for y, w := range row {
			switch {
			case w == of.high:
				set = append(set, embedding.ID(y))
			case w > 0 && of.low == 0:
				of.low = w
			case w != of.low && w > 0:
				return nil, errors.New("pairs: the channel has more than two chances, and cannot be linked exactly")
			}
			if w > 0 {
				of.outputs++
			}
			of.total += w
		}
		if len(c.sets) > 0 && of != c.shape {
			return nil, errors.New("pairs: the rows of the channel have different chances, and cannot be linked exactly")
		}
		c.sets[x], c.words, c.shape = set, len(row), of
	}
	return c, nil
}

// named returns the chance that the likeliest of some pairs, each as likely, is the true one: the
// mean over them of the sum over outputs of the largest chance that one of them gives.
func (c *channel) named(pairs [][]embedding.ID) float64 {
	holders := map[embedding.ID][]int{} // of a first output: the pairs whose first set has it
	sets := make([]bitset, len(pairs))  // of second outputs
	seconds := newBitset(c.words)
	for i, pair := range pairs {
		for _, y := range c.sets[pair[0]] {
			holders[y] = append(holders[y], i)
		}
		sets[i] = newBitset(c.words)
		for _, y := range c.sets[pair[1]] {
			sets[i].add(y)
		}
		seconds.join(sets[i])
	}
	both := 0 // outputs that some pair has in its sets, first and second
	union := newBitset(c.words)
	for _, held := range holders {
		clear(union)
		for _, i := range held {
			union.join(sets[i])
		}
		both += union.count()
	}
	none := (c.outputs - len(holders)) * (c.outputs - seconds.count()) // in no set of any pair
	one := c.outputs*c.outputs - none - both
	inside, outside := float64(c.high)/float64(c.total), float64(c.low)/float64(c.total)
	sum := float64(float64(both)*inside*inside) + float64(float64(one)*inside*outside) + float64(float64(none)*outside*outside)
	return sum / float64(len(pairs))
}

// bitset is a set of outputs.
type bitset []uint64

func newBitset(n int) bitset { return make(bitset, (n+63)/64) }

func (s bitset) add(y embedding.ID) { s[y/64] |= 1 << (y % 64) }

func (s bitset) join(other bitset) {
	for i, w := range other {
		s[i] |= w
	}
}

func (s bitset) count() (n int) {
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}
