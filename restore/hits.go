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
	chances bool     // whether hits have chances
	place   []int32  // of each word of listed: its index there
	set     []uint64 // a bit for each word, 1 if it is listed at this position; 0 for </s>
	column  *column
	known   map[language.State][2]int32 // a range of all
	all     []hit
	places  []int32 // in the run of a context
}

func newHits(m *language.Model, chances bool) hits {
	n := m.Vocabulary().Len()
	return hits{model: m, chances: chances, place: make([]int32, n), set: make([]uint64, n/64+1), column: &column{}, known: map[language.State][2]int32{}}
}

// begin sets the column of a position.
func (h *hits) begin(c *column) {
	if h.column.set != nil {
		clear(h.set)
	}
	for _, w := range h.column.listed {
		h.set[w/64] = 0
	}
	h.column = c
	copy(h.set, c.set)
	for i, w := range c.listed {
		h.place[w] = int32(i)
		h.set[w/64] |= 1 << (w % 64)
	}
	clear(h.known)
	h.all = h.all[:0]
}

// lists reports whether a word is listed.
func (h *hits) lists(w embedding.ID) bool { return h.set[w/64]>>(w%64)&1 != 0 }

// chance returns the chance of a listed word in the column.
func (h *hits) chance(w embedding.ID) float64 {
	if h.column.chance == nil {
		return h.column.level
	}
	return h.column.chance[h.place[w]]
}

// after returns the hits of a context, which is not the empty one.
func (h *hits) after(s language.State) []hit {
	if at, ok := h.known[s]; ok {
		return h.all[at[0]:at[1]]
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
	h.known[s] = [2]int32{int32(from), int32(len(h.all))}
	return h.all[from:]
}
