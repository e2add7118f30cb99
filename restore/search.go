package restore

import "math"

// perNode is how many candidates are merged for a node that is kept: several states
// often lead to the same one.
const perNode = 2

// lazyListed: of columns that list more than such a part of all words, no more is read
// after a context than is needed.
const lazyListed = 16

// The worst of the best candidates is expected at most slack farther from the top than at the
// last position, then moreSlack farther. That decides the time, not the result.
const (
	slack      = 2.0
	moreSlack  = 4.0
	mostTrials = 3
)

// search finds the best candidates. Most words are below the worst of them, which is known only
// at the end. So those far below where it is expected are left out. Where it is lower, as too
// few were found, the search begins again with more.
func (d *Decoder) search(c *view) {
	top := math.Inf(-1)
	for i := range d.front {
		top = max(top, d.scored(i).mass)
	}
	top += c.most
	n := perNode * d.options.Beam
	d.readings.reset()
	d.states = d.states[:0]
	for _, h := range d.front {
		d.states = append(d.states, h.state)
	}
	d.touched = d.model.Touch(d.states)
	spread := d.spread + slack
	for trial := 1; ; trial++ {
		d.found.reset(n, top, top-spread)
		d.searchFrom(c)
		if math.IsInf(spread, 1) || len(d.found.all) >= n && !d.found.equal {
			break
		}
		// Which of many equal ones are kept depends on all that were found.
		if spread += moreSlack; trial == mostTrials || d.found.equal {
			spread = math.Inf(1)
		}
	}
	if d.spread = top - d.found.least; len(d.found.all) < n {
		d.spread = math.Inf(1)
	}
}

// searchFrom finds the best of the candidates that are not left out, in order. A state is left
// when no further word after it can be among them, since its words are sorted by decreasing
// probability.
func (d *Decoder) searchFrom(c *view) {
	few := c.count <= d.channel.words/lazyListed
	for i := range d.front { // falling, except for the rest
		h := d.scored(i)
		if h.mass+c.most < d.found.least {
			continue
		}
		if few {
			d.everyListed(c, int32(i), h)
		} else {
			d.likelyListed(c, int32(i), h)
		}
	}
	if !few { // their words come in order
		inOrder(d.found.all)
	}
	for i := range d.front {
		if h := d.scored(i); !math.IsInf(c.base, -1) && h.mass+c.base >= d.found.least {
			d.others(c, int32(i), h)
		}
	}
	d.found.cut(d.found.most)
}

// scored returns a node of the front with the mass that scores the words after it.
func (d *Decoder) scored(i int) hypothesis {
	h := d.front[i]
	if i == d.rest {
		h.mass += restHandicap
	}
	return h
}

// everyListed adds all listed words after a node that can be among the best.
func (d *Decoder) everyListed(c *view, from int32, h hypothesis) {
	above := d.seenListed(from, h)
	for j := 0; d.reach(c, j); j++ {
		w, score := c.places[j].word, above+c.places[j].value
		if score < d.found.least {
			break
		}
		if d.seen[w] != d.round {
			d.found.add(candidate{next: d.order.next[w], word: w, from: from, weight: score - h.mass, score: score})
		}
	}
}

// seenListed adds the listed words that the model has seen after the state of a node or
// after a suffix of it, and marks them as seen in a new round. It returns the logarithm
// of the node's weight with which all other words follow without context.
func (d *Decoder) seenListed(from int32, h hypothesis) float64 {
	d.round++
	d.marked = d.marked[:0]
	above, factor := 0.0, 1.0
	for s := h.state; ; {
		weight, shorter, ok := d.model.Backoff(s)
		if !ok {
			return h.mass + above
		}
		run := d.model.Seen(s)
		for _, x := range d.hits.after(s) {
			if d.seen[x.word] != d.round {
				d.seen[x.word] = d.round
				x.log += above
				x.chance *= factor
				if d.hits.chances {
					d.marked = append(d.marked, x)
				}
				edge := x.log + d.hits.chance(x.word)
				if score := h.mass + edge; score >= d.found.least {
					d.found.add(candidate{next: run.Next(int(x.at)), word: x.word, from: from, weight: edge, score: score})
				}
			}
		}
		above, s = above+weight, shorter
		if d.hits.chances {
			factor = math.Exp(above)
		}
	}
}

// others adds the words after a node that the column does not list: first those that
// the model has seen after the state, then after its longest suffix, and so on.
func (d *Decoder) others(c *view, from int32, h hypothesis) {
	d.round++
	above := h.mass + c.base // and the weights of the contexts so far
	for s, more := h.state, true; more; {
		ranked := d.model.Ranked(s)
		for i := range ranked.Len() {
			if above+ranked.Most(i) < d.found.least {
				break
			}
			w := ranked.Word(i)
			if d.hits.lists(w) || d.seen[w] == d.round || above+ranked.Log(i) < d.found.least {
				continue
			}
			d.seen[w] = d.round
			own, next := d.model.Next(h.state, w)
			d.found.add(candidate{next: next, word: w, from: from, weight: own + c.base, score: h.mass + own + c.base})
		}
		var weight float64
		weight, s, more = d.model.Backoff(s)
		above += weight
	}
}
