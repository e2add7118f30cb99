package restore

import (
	"math"

	"github.com/sotto-dp/sotto/embedding"
)

// leftOut is the word of the rest of a level: its last node, which represents all
// sequences that no other node holds. Where a channel says little they have most of the
// weight, and without them the few nodes that are kept would seem certain. Sequences
// continue from the rest without context.
const leftOut = ^embedding.ID(0)

// restHandicap is added to the scores of the words after the rest, which choose the nodes
// that are kept. Their weights are as without it. What context makes likely deserves a node
// more than what is likely without: more words were right on training texts.
var restHandicap = math.Log(0.2)

// leastRest is the least share of a weight that counts as left out: less is rounding.
const leastRest = 1e-9

// aloneOf returns what the output of a view says without context.
func (d *Decoder) aloneOf(v *view) alone {
	a := alone{best: make([]Guess, 0, d.options.Beam)}
	listed := 0.0 // the chance of all listed words
	if v.chance == nil {
		v.each(func(w embedding.ID) { listed += d.order.chance[w] })
		a.sum = listed * math.Exp(v.level)
	}
	for i, chance := range v.chance {
		p := d.order.chance[v.listed[i]]
		listed += p
		a.sum += float64(p * math.Exp(chance))
	}
	a.sum += math.Exp(v.base) * max(0, d.order.goesOn-listed)
	others := d.order.words
	for j := 0; len(a.best) < cap(a.best); {
		for len(others) > 0 && d.hits.lists(others[0]) {
			others = others[1:]
		}
		other := math.Inf(-1)
		if len(others) > 0 {
			other = d.order.log[others[0]] + v.base
		}
		if d.reach(v, j) && v.places[j].value >= other {
			a.best = append(a.best, Guess{v.places[j].word, math.Exp(v.places[j].value) / a.sum})
			j++
			continue
		}
		if math.IsInf(other, -1) {
			break
		}
		a.best = append(a.best, Guess{others[0], math.Exp(other) / a.sum})
		others = others[1:]
	}
	return a
}

// addRest adds the rest to a level, whose other nodes come from nodes with the forward
// weights before, and whose weights were divided by scale. It takes the words after a node
// to which it has no edge to become the output as often as the words that no node has do
// without context. It returns the logarithm by which the scale grows.
func (d *Decoder) addRest(l *level, c *view, before []float64, scale float64) float64 {
	d.rest = -1
	left := d.left
	d.round++
	base := math.Exp(c.base)
	others, becomes := d.order.goesOn, c.alone.sum
	for j, w := range l.words {
		own := base
		if d.hits.lists(w) {
			own = math.Exp(d.hits.chance(w))
		}
		for e := l.first[j]; e < l.first[j+1]; e++ {
			left[l.from[e]] -= l.weight[e] / own
		}
		if d.seen[w] != d.round {
			d.seen[w] = d.round
			p := d.order.chance[w]
			others, becomes = others-p, becomes-p*own
		}
	}
	if others < leastRest || becomes < leastRest*c.alone.sum {
		return 0
	}
	rest := 0.0
	for i, chance := range left {
		if chance < leastRest {
			continue
		}
		weight := chance * becomes / others
		l.from, l.weight = append(l.from, int32(i)), append(l.weight, weight)
		rest += before[i] / scale * weight
	}
	if rest == 0 {
		return 0
	}
	l.alone = c.alone.best
	l.words, l.first = append(l.words, leftOut), append(l.first, int32(len(l.from)))
	l.forward = append(l.forward, rest)
	normalise(l.forward, 1+rest)
	grown := math.Log1p(rest)
	for i := range d.front {
		d.front[i].mass -= grown
	}
	d.rest = len(d.front)
	d.front = append(d.front, hypothesis{d.model.Empty(), math.Log(rest) - grown})
	return grown
}

// guess returns the word that a node gives a sequence, and its chance there. That
// of the rest is the likeliest word without context.
func (l *level) guess(node int) Guess {
	if w := l.words[node]; w != leftOut {
		return Guess{w, 1}
	}
	return l.alone[0]
}

// share gives rest, the chance of that node, to words: to those that are likely without context,
// by what the chances of their own nodes fall short of that. No word gets more than it
// has without context, so that words beyond the likeliest keep a share.
func (l *level) share(chances *tally, rest float64) {
	short := 1.0
	for _, g := range l.alone {
		short -= min(g.Chance, chances.of(g.Word))
	}
	if short < leastRest {
		return
	}
	for _, g := range l.alone {
		if lacks := g.Chance - chances.of(g.Word); lacks > 0 {
			chances.add(g.Word, rest*lacks/short)
		}
	}
}
