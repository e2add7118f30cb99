package attack

import (
	"cmp"
	"math"
	"slices"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/selection"
	"github.com/sotto-dp/sotto/restore"
)

// extension is what a step is made in. Its memory serves one step after the other.
type extension struct {
	model, local following
	places       []place
	forward      []float64 // the weight of all sequences to each place
	weight       []float64 // of all edges, by the word and then by the place before
	to           []int32   // of each edge: its place
	at           []int32   // by the states after a word by both models: 1 + the place; 0 for none
	sorted       []float64
	kept         []int32 // of each place: 1 + its place among those kept
	sizes        []int
}

// of extends the sequences of a step by one of some words, and keeps the heaviest places.
func (x *extension) of(m *mixed, s *step, words []restore.Guess, channel func(embedding.ID) float64) step {
	const modelWeight = 1 - adaptedWeight - cacheWeight
	x.model.begin(m.model, words, modelWeight)
	x.local.begin(m.local, words, adaptedWeight)
	for i := range s.places {
		after := s.places[i].after
		x.model.of = append(x.model.of, x.model.row(m.model, after.model, words, modelWeight))
		x.local.of = append(x.local.of, x.local.row(m.local, after.local, words, adaptedWeight))
	}
	x.model.end(words)
	x.local.end(words)
	x.places, x.forward, x.weight, x.to = x.places[:0], x.forward[:0], x.weight[:0], x.to[:0]
	for i, g := range words {
		chance := channel(g.Word)
		repeated := m.repeated(g.Word, i == 0 && g.Chance > confident)
		far, near := x.model.next[i], x.local.next[i]
		x.at = slices.Grow(x.at[:0], len(far)*len(near))[:len(far)*len(near)]
		clear(x.at)
		for from, before := range s.forward {
			a, b := int(x.model.of[from])*len(words)+i, int(x.local.of[from])*len(words)+i
			p := x.model.chance[a] + x.local.chance[b] + repeated
			both := int(x.model.after[a])*len(near) + int(x.local.after[b])
			j := x.at[both] - 1
			if j < 0 {
				j = int32(len(x.places))
				x.at[both] = j + 1
				x.places = append(x.places, place{contexts{far[x.model.after[a]], near[x.local.after[b]]}, g.Word})
				x.forward = append(x.forward, 0)
			}
			x.weight, x.to = append(x.weight, p*chance), append(x.to, j)
			x.forward[j] += float64(before * p * chance)
		}
	}
	return x.keep(adaptedBeam, len(s.places))
}

// keep returns the n heaviest places, heaviest first. It scales the weights. All places of
// the step before have an edge by each word.
func (x *extension) keep(n, before int) (kept step) {
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
			kept.edges[k-1] = append(kept.edges[k-1], edge{int32(e % before), x.weight[e] / sum})
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
