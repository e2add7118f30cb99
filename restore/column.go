package restore

import (
	"math/bits"
	"slices"

	"github.com/sotto-dp/sotto/embedding"
)

// column is ln P(y|x) for one output y: base for most inputs x, and more for those that
// are listed, in ascending order. Of two levels, many are listed by the bits of set.
type column struct {
	base   float64 // -Inf where no other input becomes y
	listed []embedding.ID
	set    []uint64  // a bit for each word, 1 if it is listed; nil where listed has them
	count  int       // listed words
	chance []float64 // of each x of listed; nil where all have level
	ranks  *ranks    // of listed, if it is many with chances of their own
	level  float64
	most   float64 // the largest of all

	// top has the likeliest words of those that are listed, and second the largest chance of
	// the others. Most often an output is far likelier for itself than for other words.
	top    []embedding.ID
	second float64
}

// tops is the number of words of a column that are its top.
const tops = 4

// rank sets the words of the top, and the largest chances.
func (c *column) rank() {
	c.most, c.second = c.base, c.base
	if c.count > 0 && c.chance == nil {
		c.most, c.second = c.level, c.level
	}
	var chances []float64 // of the top, falling
	for i, p := range c.chance {
		at := len(chances)
		for at > 0 && chances[at-1] < p {
			at--
		}
		if at == tops {
			c.second = max(c.second, p)
			continue
		}
		chances, c.top = slices.Insert(chances, at, p), slices.Insert(c.top, at, c.listed[i])
		if len(chances) > tops {
			c.second = max(c.second, chances[tops])
			chances, c.top = chances[:tops], c.top[:tops]
		}
	}
	if len(chances) > 0 {
		c.most = max(c.most, chances[0])
	}
}

// of returns the chance of entry i of listed.
func (c *column) of(i int) float64 {
	if c.chance == nil {
		return c.level
	}
	return c.chance[i]
}

// ranks finds the indices of many words that ascend.
type ranks struct {
	set    []uint64 // a bit for each word, 1 if it is one of them
	before []int32  // how many are in the blocks before each
}

// ranksOf returns the ranks of some of the words of a table.
func ranksOf(listed []embedding.ID, words int) *ranks {
	r := &ranks{make([]uint64, words/64+1), make([]int32, words/64+1)}
	for _, w := range listed {
		r.set[w/64] |= 1 << (w % 64)
	}
	n := int32(0)
	for i, block := range r.set {
		r.before[i] = n
		n += int32(bits.OnesCount64(block))
	}
	return r
}

// index returns the index of a word.
func (r *ranks) index(w embedding.ID) int {
	return int(r.before[w/64]) + bits.OnesCount64(r.set[w/64]&(1<<(w%64)-1))
}

// bits returns a bit for each word, 1 if it is listed, or nil where listed alone has them.
func (c *column) bits() []uint64 {
	if c.ranks != nil {
		return c.ranks.set
	}
	return c.set
}

// in reports whether a set has a word.
func (c *column) in(w embedding.ID) bool { return c.set[w/64]>>(w%64)&1 != 0 }

// at returns the chance of a word.
func (c *column) at(w embedding.ID) float64 {
	if c.set != nil {
		if c.in(w) {
			return c.level
		}
		return c.base
	}
	if i, ok := slices.BinarySearch(c.listed, w); ok {
		return c.of(i)
	}
	return c.base
}

// lists reports whether a column lists a word.
func (c *column) lists(w embedding.ID) bool {
	if c.set != nil {
		return c.in(w)
	}
	_, ok := slices.BinarySearch(c.listed, w)
	return ok
}

// each calls a function with the listed words, ascending.
func (c *column) each(take func(w embedding.ID)) {
	for _, w := range c.listed {
		take(w)
	}
	for i, block := range c.set {
		for ; block != 0; block &= block - 1 {
			take(embedding.ID(64*i + bits.TrailingZeros64(block)))
		}
	}
}

// byWords returns the column with all words in listed.
func (c *column) byWords() *column {
	if c.set == nil {
		return c
	}
	own := *c
	own.listed, own.set = make([]embedding.ID, 0, c.count), nil
	c.each(func(w embedding.ID) { own.listed = append(own.listed, w) })
	return &own
}

// add lists the words from first on that a block has a bit for.
func (c *column) add(first embedding.ID, block uint64) {
	c.count += bits.OnesCount64(block)
	if c.set != nil {
		c.set[first/64] = block
		return
	}
	for ; block != 0; block &= block - 1 {
		c.listed = append(c.listed, first+embedding.ID(bits.TrailingZeros64(block)))
	}
}
