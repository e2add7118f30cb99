package restore

import (
	"slices"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/language"
)

// reading is the listed words that the model has seen after a context, the likeliest
// first, as far as they were needed at this position.
type reading struct {
	ranked      language.Ranked
	read        int   // words of ranked that were looked at
	first, last int32 // their numbers in readings.hits; -1 for none
}

// ranked is a hit whose place is in the ranked words, with the number of the next one of
// its context, -1 for none yet.
type ranked struct {
	hit
	following int32
}

// readings are those of a position. Most contexts have far more words than can be among
// the best candidates, so they are read from the likeliest word on, and no further than
// the nodes need.
type readings struct {
	known index // of contexts
	all   []reading
	hits  []ranked
}

func (r *readings) reset() {
	r.known.reset()
	r.all, r.hits = r.all[:0], r.hits[:0]
}

// of returns the reading of a context.
func (r *readings) of(m *language.Model, s language.State) *reading {
	at, known := r.known.number(uint64(s))
	if !known {
		r.all = append(r.all, reading{ranked: m.Ranked(s), first: -1, last: -1})
	}
	return &r.all[at]
}

// next returns the number of the hit after another of a context, or of the first one
// after -1. It returns -1 where all further words have logarithms below least.
func (r *readings) next(x *reading, after int32, listed *hits, least float64) int32 {
	at := x.first
	if after >= 0 {
		at = r.hits[after].following
	}
	if at >= 0 {
		return at
	}
	for ; x.read < x.ranked.Len(); x.read++ {
		if x.ranked.Most(x.read) < least {
			return -1
		}
		w := x.ranked.Word(x.read)
		if !listed.lists(w) {
			continue
		}
		at := int32(len(r.hits))
		r.hits = append(r.hits, ranked{hit{word: w, at: int32(x.read), log: x.ranked.Log(x.read)}, -1})
		if x.last < 0 {
			x.first = at
		} else {
			r.hits[x.last].following = at
		}
		x.last = at
		x.read++
		return at
	}
	return -1
}

// rounding is more than sums of a few logarithms differ in another order.
const rounding = 1e-9

// likelyListed adds the listed words after a node that can be among the best: first those
// that the model has seen after its state, then those that it has seen after a suffix of
// it alone, and then the others.
func (d *Decoder) likelyListed(c *view, from int32, h hypothesis) {
	above := 0.0
	d.longer = d.longer[:0]
	for s := h.state; ; {
		weight, shorter, ok := d.model.Backoff(s)
		if !ok {
			d.listedAlone(c, from, h, h.mass+above)
			return
		}
		x := d.readings.of(d.model, s)
		place := uint32(len(d.longer)) << placeBits
		d.addTop(c, x, s, candidate{from: from, place: place}, h.mass, above)
		for at := d.readings.next(x, -1, &d.hits, d.least(h.mass+above+c.second)); at >= 0; {
			seen := d.readings.hits[at]
			edge := seen.log + above + d.hits.chance(seen.word)
			if score := h.mass + edge; score >= d.found.least && !slices.Contains(c.top, seen.word) && !d.sawLonger(seen.word) {
				d.found.add(candidate{x.ranked.Next(int(seen.at)), seen.word, from, place | uint32(seen.word), edge, score})
			}
			least := d.least(h.mass + above + c.second)
			if seen.log < least {
				break
			}
			at = d.readings.next(x, at, &d.hits, least)
		}
		d.longer = append(d.longer, s)
		above, s = above+weight, shorter
	}
}

// addTop adds the words of the top of a column, the likeliest first, that the model has seen
// after a context.
func (d *Decoder) addTop(c *view, x *reading, s language.State, y candidate, mass, above float64) {
	if x.ranked.Len() == 0 {
		return
	}
	most, place := x.ranked.Most(0), y.place
	for _, w := range c.top {
		chance := d.hits.chance(w)
		if most+chance < d.least(mass+above) {
			return
		}
		log, next, seen := d.model.After(s, w)
		if !seen {
			continue
		}
		y.next, y.word, y.place, y.weight = next, w, place|uint32(w), log+above+chance
		if y.score = mass + y.weight; y.score >= d.found.least && !d.sawLonger(w) {
			d.found.add(y)
		}
	}
}

// listedAlone adds the listed words that the model has not seen after any suffix of a
// state. above is the logarithm of the weight with which they follow.
func (d *Decoder) listedAlone(c *view, from int32, h hypothesis, above float64) {
	for j := 0; d.reach(c, j); j++ {
		w, score := c.places[j].word, above+c.places[j].value
		if score < d.found.least {
			return
		}
		if !d.sawLonger(w) {
			d.found.add(candidate{d.order.next[w], w, from, aloneBit | uint32(j), score - h.mass, score})
		}
	}
}

// least returns a number below which the logarithm of no candidate is that is above it
// by others.
func (d *Decoder) least(others float64) float64 { return d.found.least - others - rounding }

// sawLonger reports whether the model has seen a word after one of the contexts longer.
func (d *Decoder) sawLonger(w embedding.ID) bool {
	for _, s := range d.longer {
		if d.model.Saw(s, w) {
			return true
		}
	}
	return false
}

// The place of a candidate is the number of words by which its context was shortened and
// the word, or its rank for words without context.
const (
	placeBits = 28
	aloneBit  = 1 << 31
)

// inOrder sorts candidates by their nodes and places. They are nearly sorted.
func inOrder(all []candidate) {
	for i := 1; i < len(all); i++ {
		x := all[i]
		j := i
		for ; j > 0 && all[j-1].from == x.from && all[j-1].place > x.place; j-- {
			all[j] = all[j-1]
		}
		all[j] = x
	}
}
