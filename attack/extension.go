package attack

import (
	"cmp"
	"math"
	"slices"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/selection"
	"github.com/sotto-dp/sotto/language"
	"github.com/sotto-dp/sotto/restore"
)

// extension is what a step is made in. Its memory serves one step after the other.
type extension struct {
	model, local tails
	places       []place
	forward      []float64 // the weight of all sequences to each place
	edges        []edge    // all, by the word and then by the place before
	to           []int32   // of each edge: its place
	at           []int32   // by the tails of both models: 1 + the place of the word; 0 for none
	sorted       []float64
	kept         []int32 // of each place: 1 + its place among those kept
	sizes        []int
}

// tails are the states of a model that the places of a step have, each once: a word is looked
// up once after each.
type tails struct {
	states []language.State
	of     []int32   // of each place: its state
	chance []float64 // of a word after each state
	after  []int32   // of each state: the one after the word, as a place in next
	next   []language.State
}

// number returns the place of a state in a list, and the list with it.
func number(list []language.State, s language.State) ([]language.State, int32) {
	i := slices.Index(list, s)
	if i < 0 {
		i, list = len(list), append(list, s)
	}
	return list, int32(i)
}

// begin takes the states of the places of a step.
func (x *tails) begin(places []place, state func(contexts) language.State) {
	x.states, x.of = x.states[:0], x.of[:0]
	for i := range places {
		var n int32
		x.states, n = number(x.states, state(places[i].after))
		x.of = append(x.of, n)
	}
}

// extend looks a word up after each state.
func (x *tails) extend(m *language.Model, w embedding.ID, weight float64) {
	x.chance, x.after, x.next = x.chance[:0], x.after[:0], x.next[:0]
	for _, s := range x.states {
		log, after := m.Next(s, w)
		var n int32
		x.next, n = number(x.next, after)
		x.chance, x.after = append(x.chance, float64(weight*math.Exp(log))), append(x.after, n)
	}
}

// of extends the sequences of a step by one of some words, and keeps the heaviest places.
func (x *extension) of(m *mixed, s *step, words []restore.Guess, channel func(embedding.ID) float64) step {
	x.model.begin(s.places, func(c contexts) language.State { return c.model })
	x.local.begin(s.places, func(c contexts) language.State { return c.local })
	x.places, x.forward, x.edges, x.to = x.places[:0], x.forward[:0], x.edges[:0], x.to[:0]
	for i, g := range words {
		chance := channel(g.Word)
		x.model.extend(m.model, g.Word, 1-adaptedWeight-cacheWeight)
		x.local.extend(m.local, g.Word, adaptedWeight)
		repeated := m.repeated(g.Word, i == 0 && g.Chance > confident)
		near := len(x.local.next)
		x.at = slices.Grow(x.at[:0], len(x.model.next)*near)[:len(x.model.next)*near]
		clear(x.at)
		for from := range s.places {
			a, b := x.model.of[from], x.local.of[from]
			p := x.model.chance[a] + x.local.chance[b] + repeated
			both := int(x.model.after[a])*near + int(x.local.after[b])
			j := x.at[both] - 1
			if j < 0 {
				j = int32(len(x.places))
				x.at[both] = j + 1
				x.places = append(x.places, place{contexts{x.model.next[x.model.after[a]], x.local.next[x.local.after[b]]}, g.Word})
				x.forward = append(x.forward, 0)
			}
			x.edges, x.to = append(x.edges, edge{int32(from), p * chance}), append(x.to, j)
			x.forward[j] += s.forward[from] * p * chance
		}
	}
	return x.keep(adaptedBeam)
}

// keep returns the n heaviest places, heaviest first. It scales the weights.
func (x *extension) keep(n int) (kept step) {
	order := x.heaviest(n)
	sum := 0.0
	for _, i := range order {
		sum += x.forward[i]
	}
	x.kept = slices.Grow(x.kept[:0], len(x.places))[:len(x.places)]
	clear(x.kept)
	for k, i := range order {
		x.kept[i] = int32(k) + 1
		kept.places, kept.forward = append(kept.places, x.places[i]), append(kept.forward, x.forward[i]/sum)
	}
	x.sizes = slices.Grow(x.sizes[:0], len(order))[:len(order)]
	clear(x.sizes)
	all := 0
	for _, to := range x.to {
		if k := x.kept[to]; k > 0 {
			x.sizes[k-1]++
			all++
		}
	}
	edges := make([]edge, all)
	kept.edges = make([][]edge, len(order))
	for k, size := range x.sizes {
		kept.edges[k], edges = edges[:0:size], edges[size:]
	}
	for e, to := range x.to {
		if k := x.kept[to]; k > 0 {
			kept.edges[k-1] = append(kept.edges[k-1], edge{x.edges[e].from, x.edges[e].weight / sum})
		}
	}
	return kept
}

// heaviest returns the n heaviest places, heaviest first, equal ones in their order.
func (x *extension) heaviest(n int) (order []int) {
	least := math.Inf(-1)
	if n < len(x.forward) {
		x.sorted = append(x.sorted[:0], x.forward...)
		least = selection.Select(x.sorted, len(x.sorted)-n+1)
	}
	for i, w := range x.forward {
		if w >= least {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(x.forward[b], x.forward[a]), cmp.Compare(a, b))
	})
	return order[:min(n, len(order))]
}
