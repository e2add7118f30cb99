package restore

import (
	"math"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/language"
)

// hit is a listed word that the model has seen after a context.
type hit struct {
	word embedding.ID
	at   int32 // in the run of the context
	log  float64
	// chance is exp(log) in unbiased lattices, times what shorter contexts are weighted by.
	chance float64
}

// hits finds the listed words of a column that the model has seen after contexts. Those
// of a context are found once per position.
type hits struct {
	model   *language.Model
	chances bool // whether hits have chances
	column  *column
	set     []uint64   // a bit for each word, 1 if it is listed at this position; 0 for </s>
	own     []uint64   // the set of a column that has none
	place   []int32    // of each word of such a column: its index in listed
	known   index      // of contexts
	ranges  [][2]int32 // of all, by the number of the context
	all     []hit
	places  []int32 // in the run of a context
}

func newHits(m *language.Model, chances bool) hits {
	n := m.Vocabulary().Len()
	own := make([]uint64, n/64+1)
	return hits{model: m, chances: chances, place: make([]int32, n), set: own, own: own, column: &column{}}
}

// begin sets the column of a position.
func (h *hits) begin(c *column) {
	if h.column.bits() == nil {
		for _, w := range h.column.listed {
			h.own[w/64] = 0
		}
	}
	h.column = c
	if h.set = c.bits(); h.set == nil {
		h.set = h.own
		for i, w := range c.listed {
			h.place[w] = int32(i)
			h.own[w/64] |= 1 << (w % 64)
		}
	}
	h.known.reset()
	h.ranges, h.all = h.ranges[:0], h.all[:0]
}

// lists reports whether a word is listed.
func (h *hits) lists(w embedding.ID) bool { return h.set[w/64]>>(w%64)&1 != 0 }

// index returns the index of a listed word in listed.
func (h *hits) index(w embedding.ID) int {
	if h.column.ranks != nil {
		return h.column.ranks.index(w)
	}
	return int(h.place[w])
}

// chance returns the chance of a listed word in the column.
func (h *hits) chance(w embedding.ID) float64 {
	if h.column.chance == nil {
		return h.column.level
	}
	return h.column.chance[h.index(w)]
}

// after returns the hits of a context, which is not the empty one.
func (h *hits) after(s language.State) []hit {
	at, known := h.known.number(uint64(s))
	if known {
		return h.all[h.ranges[at][0]:h.ranges[at][1]]
	}
	from := len(h.all)
	run := h.model.Seen(s)
	h.places = run.Among(h.places[:0], h.set)
	for _, at := range h.places {
		x := hit{word: embedding.ID(run.Words[at]), at: at, log: run.LogProbs[at]}
		if h.chances {
			x.chance = math.Exp(x.log)
		}
		h.all = append(h.all, x)
	}
	h.ranges = append(h.ranges, [2]int32{int32(from), int32(len(h.all))})
	return h.all[from:]
}
