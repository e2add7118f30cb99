package restore

import (
	"math"
	"slices"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/scratch"
	"github.com/sotto-dp/sotto/internal/selection"
	"github.com/sotto-dp/sotto/language"
)

// node is what sequences must share to have the same future and the same last word.
type node struct {
	state language.State
	word  embedding.ID
}

// nodes are the candidates of a position, merged.
type nodes struct {
	table    []int32   // of hashes: 1 + a node with such a key
	keys     []node    // of each node
	of       []int32   // the node of each candidate
	mass     []float64 // of each node
	order    []int32   // the nodes that are kept, the heaviest first
	negative []float64
	place    []int32
	free     []int32 // of each node that is kept, its next edge
}

// group merges the candidates of at least a score. Every other candidate is a node of
// its own. Masses are relative to a score.
func (n *nodes) group(all []candidate, least, top float64) {
	size := 64
	for size < 2*len(all) {
		size *= 2
	}
	n.table = scratch.Resize(n.table, size)
	clear(n.table)
	n.of, n.mass, n.keys = n.of[:0], n.mass[:0], n.keys[:0]
	for i := range all {
		x := &all[i]
		j := int32(len(n.mass))
		if x.score >= least {
			j = n.find(node{x.next, x.word})
		}
		if int(j) == len(n.mass) {
			n.mass, n.keys = append(n.mass, 0), append(n.keys, node{x.next, x.word})
		}
		n.of = append(n.of, j)
		n.mass[j] += math.Exp(x.score - top)
	}
}

// find returns the node with a key that find was called with before, or the next number.
func (n *nodes) find(key node) int32 {
	last := len(n.table) - 1
	hash := (uint64(key.state)<<32 | uint64(key.word)) * 0x9e3779b97f4a7c15
	for at := int(hash>>32) & last; ; at = (at + 1) & last {
		switch j := n.table[at] - 1; {
		case j < 0:
			n.table[at] = int32(len(n.mass)) + 1
			return int32(len(n.mass))
		case n.keys[j] == key:
			return j
		}
	}
}

// topOf returns the best score.
func topOf(all []candidate) float64 {
	top := math.Inf(-1)
	for i := range all {
		top = max(top, all[i].score)
	}
	return top
}

// keep makes the heaviest nodes and the rest the next level and front. before is the
// forward weights of the front. It returns the logarithm of the scale that it divided out.
func (d *Decoder) keep(l *level, c *view, before []float64) float64 {
	n := &d.nodes
	top := topOf(d.found.all)
	if math.IsInf(top, -1) {
		return top
	}
	n.group(d.found.all, math.Inf(-1), top)
	n.rank(d.options.Beam)
	d.left = d.left[:0]
	for _, h := range d.front {
		d.left = append(d.left, d.model.GoesOn(h.state))
	}
	d.fill(l)
	// The masses of nodes have the handicap of the rest.
	l.forward = make([]float64, len(n.order), len(n.order)+1)
	for j := range l.forward {
		for e := l.first[j]; e < l.first[j+1]; e++ {
			l.forward[j] += before[l.from[e]] * l.weight[e]
		}
	}
	scale := d.settle(l)
	return scale + d.addRest(l, c, before, math.Exp(scale))
}

// rank keeps the n heaviest nodes.
func (n *nodes) rank(most int) {
	least := 0.0
	if len(n.mass) > most {
		n.negative = n.negative[:0]
		for _, m := range n.mass {
			n.negative = append(n.negative, -m)
		}
		least = -selection.Select(n.negative, most)
	}
	n.order = n.order[:0]
	for j, m := range n.mass {
		if m >= least {
			n.order = append(n.order, int32(j))
		}
	}
	slices.SortFunc(n.order, func(a, b int32) int { return falling(n.mass, a, b) })
	n.order = n.order[:min(len(n.order), most)]
}

// fill sets the words and edges of a level, whose nodes are in order, and the states of the
// front. It leaves room for the rest.
func (d *Decoder) fill(l *level) {
	n := &d.nodes
	kept := len(n.order)
	n.place = slices.Grow(n.place[:0], len(n.mass))[:len(n.mass)] // 1 + the place in order
	clear(n.place)
	for i, j := range n.order {
		n.place[j] = int32(i + 1)
	}
	l.first = make([]int32, kept+1, kept+2)
	for _, j := range n.of {
		if at := n.place[j]; at > 0 {
			l.first[at]++
		}
	}
	for i := range kept {
		l.first[i+1] += l.first[i]
	}
	edges := l.first[kept]
	l.words = make([]embedding.ID, kept, kept+1)
	l.from, l.weight = make([]int32, edges, int(edges)+len(d.left)), make([]float64, edges, int(edges)+len(d.left))
	d.front = slices.Grow(d.front[:0], kept)[:kept]
	n.free = append(n.free[:0], l.first...)
	for i, j := range n.of {
		to := n.place[j] - 1
		if to < 0 {
			continue
		}
		x, e := &d.found.all[i], n.free[to]
		n.free[to]++
		l.from[e], l.weight[e] = x.from, math.Exp(x.weight)
		l.words[to], d.front[to].state = x.word, x.next
	}
}

// settle completes a level, whose forward weights are set, and the front. It returns the
// logarithm of the sum of the weights, which it divides out.
func (d *Decoder) settle(l *level) float64 {
	sum := 0.0
	for _, f := range l.forward {
		sum += f
	}
	normalise(l.forward, sum)
	for i, f := range l.forward {
		d.front[i].mass = math.Log(f)
	}
	return math.Log(sum)
}
