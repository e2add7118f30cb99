package restore

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/language"
)

// likelyWords returns how many words after a state are candidates of their own in an
// unbiased lattice, of those that the column lists without the model having seen them
// there, and of those that it does not list. The others are the tails of the node. With 16
// at a beam of 200, chances were no better on training texts.
func likelyWords(beam int) int { return max(4, beam/50) }

// likely returns likely words after a state: those that the model has seen after it,
// then after its longest suffix, and so on. They are marked as seen in this round.
func (d *Decoder) likely(s language.State) []embedding.ID {
	d.round++
	d.first = d.first[:0]
	for more := true; more; _, s, more = d.model.Backoff(s) {
		for w := range d.model.Continuations(s) {
			if len(d.first) == d.likelyWords {
				return d.first
			}
			if d.seen[w] != d.round {
				d.seen[w] = d.round
				d.first = append(d.first, w)
			}
		}
	}
	return d.first
}

// enumerate lists the candidates of every node, and its tails.
func (d *Decoder) enumerate(c *view) {
	d.found.reset(0, 0, math.Inf(-1))
	d.tails.all = d.tails.all[:0]
	for i, h := range d.front {
		above := d.seenListed(int32(i), h)
		rest := d.model.GoesOn(h.state)
		alone, listed := c.all, c.sums[min(d.likelyWords, len(c.places))]
		for _, x := range d.marked {
			rest -= x.chance
			i := d.hits.index(x.word)
			alone -= c.own[i]
			if int(c.rank[i]) >= d.likelyWords {
				listed -= c.weight[i]
			}
		}
		rest -= alone * math.Exp(above-h.mass)
		for _, p := range c.places[:min(d.likelyWords, len(c.places))] {
			if d.seen[p.word] != d.round {
				d.found.add(candidate{next: d.order.next[p.word], word: p.word, from: int32(i), weight: above + p.value - h.mass, score: above + p.value})
			}
		}
		// What rounding leaves of nothing is no tail.
		if len(c.places) > d.likelyWords && listed > 1e-12*c.sums[d.likelyWords] {
			d.tails.add(tail{from: int32(i), node: h, listed: true, share: listed / c.sums[d.likelyWords], score: math.Log(listed) + above})
		}
		if math.IsInf(c.base, -1) {
			continue
		}
		for _, w := range d.likely(h.state) {
			if !d.hits.lists(w) {
				p, next := d.model.Next(h.state, w)
				d.found.add(candidate{next: next, word: w, from: int32(i), weight: p + c.base, score: h.mass + p + c.base})
				rest -= math.Exp(p)
			}
		}
		if rest > 1e-9 {
			d.tails.add(tail{from: int32(i), node: h, share: rest, score: math.Log(rest) + h.mass + c.base})
		}
	}
}

// draw chooses the nodes of the next level and front at random, so that the expected
// weight of each is its own. It returns the logarithm of the scale that it divided out.
func (d *Decoder) draw(l *level, c *view, rng *rand.Rand) float64 {
	n := &d.nodes
	top := topOf(d.found.all)
	for _, t := range d.tails.all {
		top = max(top, t.score)
	}
	if math.IsInf(top, -1) {
		return top
	}
	least := math.Inf(-1)
	if most := perNode * d.options.Beam; len(d.found.all) > most {
		least = d.found.nth(most)
	}
	n.group(d.found.all, least, top)
	merged := len(n.mass)
	pieces := d.tails.cut(n.mass, top, d.options.Beam)
	for _, p := range pieces {
		n.mass = append(n.mass, p.mass)
	}
	raised := resample(n.mass, d.options.Beam, rng)
	n.order = n.order[:0]
	for j, r := range raised {
		if r == 0 {
			continue
		}
		n.order = append(n.order, int32(j))
		n.mass[j] *= r
		if j >= merged {
			// The piece had the weight of all its words, and the node has that of one.
			x := d.drawTail(pieces[j-merged].tail, c, rng)
			raised[j] = n.mass[j] / math.Exp(x.score-top)
			d.found.all = append(d.found.all, x)
			n.of = append(n.of, int32(j))
		}
	}
	slices.SortFunc(n.order, func(a, b int32) int { return falling(n.mass, a, b) })
	l.forward, l.raised = make([]float64, len(n.order)), make([]float64, len(n.order))
	for i, j := range n.order {
		l.forward[i], l.raised[i] = n.mass[j], raised[j]
	}
	d.fill(l)
	return top + d.settle(l)
}
