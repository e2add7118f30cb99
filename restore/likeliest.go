package restore

import (
	"cmp"
	"iter"
	"math"
	"math/bits"
	"slices"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/scratch"
	"github.com/sotto-dp/sotto/internal/selection"
)

// mostListed bounds the inputs that a column lists. A channel of two levels lists
// every input that has the output in its set; other channels keep the likeliest.
const mostListed = 4096

// columnMaker makes columns from the chances of all inputs. Its memory serves one after the
// other.
type columnMaker struct {
	listed []embedding.ID
	keys   []uint32
	marked []uint64 // a bit for each input
	finder selection.Finder[uint32]
	cut    bool // a column is not complete
}

// columnOf lists the inputs that are likelier than the least likely one, the likeliest
// of them if there are too many.
func (m *columnMaker) columnOf(chances []float64) *column {
	least, as := chances[0], 0 // as many have the least chance
	for _, p := range chances {
		if p < least {
			least, as = p, 0
		}
		if p <= least {
			as++
		}
	}
	if len(chances)-as > mostListed {
		m.cut = true
		rest := m.likeliestOf(chances, least)
		others := len(chances) - mostListed
		least = (rest + float64(least*float64(as))) / float64(others)
	} else {
		m.listed = m.listed[:0]
		for x, p := range chances {
			if p > least {
				m.listed = append(m.listed, embedding.ID(x))
			}
		}
	}
	c := &column{base: math.Log(least), listed: slices.Clone(m.listed), count: len(m.listed), chance: make([]float64, len(m.listed))}
	for i, x := range c.listed {
		c.chance[i] = math.Log(chances[x])
	}
	c.rank()
	return c
}

// likeliestOf lists the mostListed likeliest of more inputs, of equally likely ones the first,
// and returns the sum of the chances of the others that are above the least. The bits of chances
// are in their order: inputs are found by the first of them, and those that agree in these are
// compared.
func (m *columnMaker) likeliestOf(chances []float64, least float64) (rest float64) {
	m.keys, m.marked = scratch.Resize(m.keys, len(chances)), scratch.Resize(m.marked, (len(chances)+63)/64)
	for x, p := range chances {
		m.keys[x] = keyOf(p)
	}
	clear(m.marked)
	m.finder.Mark(m.marked, m.keys, mostListed)
	last := uint32(0) // the largest key that is marked
	for x := range m.each() {
		last = max(last, m.keys[x])
	}
	m.settle(chances, last)
	m.listed = m.listed[:0]
	for x := range m.each() {
		m.listed = append(m.listed, embedding.ID(x))
	}
	for x, p := range chances {
		if m.marked[x/64]>>(x%64)&1 == 0 && p > least {
			rest += p
		}
	}
	return rest
}

// keyOf returns a key that falls with the chance: of its bits the first but the sign, which is
// 0, and the first of the exponent, which is that of numbers above 1.
func keyOf(p float64) uint32 { return math.MaxUint32 - uint32(math.Float64bits(p)>>30) }

// settle marks, of the inputs with one key, the likeliest in place of as many that are marked.
func (m *columnMaker) settle(chances []float64, key uint32) {
	var same []int
	room := 0
	for x, k := range m.keys {
		if k == key {
			same = append(same, x)
			room += int(m.marked[x/64] >> (x % 64) & 1)
			m.marked[x/64] &^= 1 << (x % 64)
		}
	}
	if room < len(same) {
		slices.SortStableFunc(same, func(a, b int) int { return cmp.Compare(chances[b], chances[a]) })
	}
	for _, x := range same[:room] {
		m.marked[x/64] |= 1 << (x % 64)
	}
}

// each yields the marked inputs, ascending.
func (m *columnMaker) each() iter.Seq[int] {
	return func(yield func(int) bool) {
		for i, block := range m.marked {
			for ; block != 0; block &= block - 1 {
				if !yield(64*i + bits.TrailingZeros64(block)) {
					return
				}
			}
		}
	}
}
