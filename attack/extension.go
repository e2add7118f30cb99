package attack

import (
	"math"
	"slices"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/scratch"
	"github.com/sotto-dp/sotto/internal/selection"
	"github.com/sotto-dp/sotto/restore"
)

// extension is what steps are made in. Its memory serves one release after the other.
type extension struct {
	steps        []step
	model, local following
	words        []embedding.ID // of a step
	numbers      []embedding.ID // of the words, in the local model
	places       []place
	ends         []int       // of each word: where its places end
	forward      []float64   // the weight of all sequences to each place
	edges        []int32     // to each place
	weight       [][]float64 // of each word: the weights of its edges, by the place before
	to           [][]int32   // of the same edges: the place
	at           []int32     // by the states after a word by both models: 1 + the place; 0 for none
	sorted       []float64
	order        []int32
	kept         []int32 // of each place: 1 + its place among those kept
	free         []int32 // of each place that is kept: its next edge
}

// of makes the step after another: it extends the sequences by one of some words, which became
// an output, and keeps the heaviest places.
func (x *extension) of(m *mixed, before, after *step, words []restore.Guess, c *restore.Channel, output embedding.ID) {
	const modelWeight = 1 - adaptedWeight - cacheWeight
	x.begin(m, words)
	x.model.begin(m.model, x.words, 0, modelWeight)
	x.local.begin(m.local.Model, x.numbers, m.local.Unseen, adaptedWeight)
	for i := range before.places {
		after := before.places[i].after
		x.model.of = append(x.model.of, x.model.place(after.model))
		x.local.of = append(x.local.of, x.local.place(after.local))
	}
	x.model.fill(modelWeight)
	x.local.fill(adaptedWeight)
	for i, g := range words {
		chance := math.Exp(c.Log([]embedding.ID{g.Word}, []embedding.ID{output}))
		x.extend(i, before.forward, m.repeated(g.Word, i == 0 && g.Chance > confident), chance)
	}
	x.keep(after, adaptedBeam)
}

// begin takes the words of a step.
func (x *extension) begin(m *mixed, words []restore.Guess) {
	x.words, x.numbers = x.words[:0], x.numbers[:0]
	x.places, x.ends, x.forward, x.edges = x.places[:0], x.ends[:0], x.forward[:0], x.edges[:0]
	for i, g := range words {
		number, ok := m.local.Number(g.Word)
		if !ok {
			number = notOf
		}
		x.words, x.numbers = append(x.words, g.Word), append(x.numbers, number)
		if i == len(x.weight) {
			x.weight, x.to = append(x.weight, nil), append(x.to, nil)
		}
	}
}

// extend adds the places of a word, and the edges to them from all places before, whose weights
// are given. repeated is the chance of the word by the cache, and chance that of the output.
func (x *extension) extend(word int, before []float64, repeated, chance float64) {
	n := len(x.words)
	far, near := x.model.next[word], x.local.next[word]
	x.at = scratch.Resize(x.at, len(far)*len(near))
	clear(x.at)
	x.weight[word], x.to[word] = scratch.Resize(x.weight[word], len(before)), scratch.Resize(x.to[word], len(before))
	weight, to := x.weight[word], x.to[word]
	ofModel, ofLocal := x.model.of[:len(before)], x.local.of[:len(before)]
	for from, mass := range before {
		a, b := int(ofModel[from])*n+word, int(ofLocal[from])*n+word
		p := x.model.chance[a] + x.local.chance[b] + repeated
		both := int(x.model.after[a])*len(near) + int(x.local.after[b])
		j := x.at[both] - 1
		if j < 0 {
			j = int32(len(x.places))
			x.at[both] = j + 1
			x.places = append(x.places, place{contexts{far[x.model.after[a]], near[x.local.after[b]]}, x.words[word]})
			x.forward, x.edges = append(x.forward, 0), append(x.edges, 0)
		}
		weight[from], to[from] = p*chance, j
		x.edges[j]++
		x.forward[j] += float64(mass * p * chance)
	}
	x.ends = append(x.ends, len(x.places))
}

// keep makes the n heaviest places the step, heaviest first. It scales the weights.
func (x *extension) keep(step *step, n int) {
	order := x.heaviest(n)
	sum := 0.0
	for _, i := range order {
		sum += x.forward[i]
	}
	x.kept = scratch.Resize(x.kept, len(x.places))
	clear(x.kept)
	step.places, step.forward = step.places[:0], step.forward[:0]
	for k, i := range order {
		x.kept[i] = int32(k) + 1
		step.places, step.forward = append(step.places, x.places[i]), append(step.forward, x.forward[i]/sum)
	}
	step.first = append(step.first[:0], 0)
	for k, i := range order {
		step.first = append(step.first, step.first[k]+x.edges[i])
	}
	step.edges = scratch.Resize(step.edges, int(step.first[len(order)]))
	x.free = append(x.free[:0], step.first...)
	first := 0
	for word, end := range x.ends {
		if slices.Max(x.kept[first:end]) > 0 {
			weight := x.weight[word]
			for from, to := range x.to[word] {
				if k := x.kept[to] - 1; k >= 0 {
					step.edges[x.free[k]] = edge{int32(from), weight[from] / sum}
					x.free[k]++
				}
			}
		}
		first = end
	}
}

// heaviest returns the n heaviest places, heaviest first, equal ones in their order.
func (x *extension) heaviest(n int) []int32 {
	least := math.Inf(-1)
	if n < len(x.forward) {
		x.sorted = append(x.sorted[:0], x.forward...)
		least = selection.Select(x.sorted, len(x.sorted)-n+1)
	}
	x.order = x.order[:0]
	for i, w := range x.forward {
		if w >= least {
			x.order = append(x.order, int32(i))
		}
	}
	slices.SortFunc(x.order, func(a, b int32) int {
		switch {
		case x.forward[a] > x.forward[b]:
			return -1
		case x.forward[a] < x.forward[b]:
			return 1
		}
		return int(a - b)
	})
	return x.order[:min(n, len(x.order))]
}
