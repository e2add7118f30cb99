package attack

import (
	"cmp"
	"math"
	"slices"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/language"
	"github.com/sotto-dp/sotto/restore"
)

// The weights of an adapted reader's models, and how much it tries. They were chosen with those
// of its rounds.
const (
	adaptedWeight = 0.4  // of the model of the public texts most like a release
	cacheWeight   = 0.05 // of the words that were decoded
	confident     = 0.9  // chance of a word that is cached
	adaptedWords  = 24   // candidates at a position
	adaptedBeam   = 60   // contexts at a position
)

// mixed is a model of a text: the weighted mean of the chances of two models and a cache.
type mixed struct {
	model  *language.Model
	local  *language.Local
	cache  map[embedding.ID]float64
	cached float64
}

// contexts are the states of both models.
type contexts struct{ model, local language.State }

// repeated returns the chance of a word by the cache. own: one count of the word is of this
// position, and is left out.
func (m *mixed) repeated(w embedding.ID, own bool) float64 {
	count, all := m.cache[w], m.cached
	if own {
		count, all = count-1, all-1
	}
	return float64(cacheWeight * count / max(1, all))
}

// end returns the chance that the text ends after a context.
func (m *mixed) end(s contexts) float64 {
	return float64((1-adaptedWeight)*math.Exp(m.model.End(s.model))) + float64(adaptedWeight*math.Exp(m.local.Model.End(s.local)))
}

// place is a word at a position in a context.
type place struct {
	after contexts
	word  embedding.ID
}

// step is a position: its places, and the edges to each from those of the position before.
type step struct {
	places  []place
	forward []float64 // the weight of all sequences to each; they sum to 1
	first   []int32   // of each place: its first edge; and the number of edges
	edges   []edge
}

// edge is from a place of the position before.
type edge struct {
	from   int32
	weight float64
}

// decode returns the marginals of a release under a mixed model, over the likeliest words of
// the marginals before. begins and ends tell whether the release is whole at either side.
func (m *mixed) decode(next *extension, c *restore.Channel, release []embedding.ID, before [][]restore.Guess, begins, ends bool) [][]restore.Guess {
	for len(next.steps) <= len(release) {
		next.steps = append(next.steps, step{})
	}
	steps := next.steps
	start := contexts{m.model.Empty(), m.local.Model.Empty()}
	if begins {
		start = contexts{m.model.Start(), m.local.Model.Start()}
	}
	steps[0].places, steps[0].forward = append(steps[0].places[:0], place{after: start}), append(steps[0].forward[:0], 1)
	for t, y := range release {
		next.of(m, &steps[t], &steps[t+1], before[t][:min(adaptedWords, len(before[t]))], c, y)
	}
	last := &steps[len(release)]
	behind := make([]float64, len(last.places), adaptedBeam) // of each place: the weight of all that follows
	for i, p := range last.places {
		if behind[i] = 1; ends {
			behind[i] = m.end(p.after)
		}
	}
	ahead := make([]float64, 0, adaptedBeam)
	all := make([][]restore.Guess, len(release))
	for t := len(release) - 1; t >= 0; t-- {
		here := &steps[t+1]
		all[t] = here.marginals(behind)
		ahead = ahead[:len(steps[t].places)]
		clear(ahead)
		for i, b := range behind {
			for _, e := range here.edges[here.first[i]:here.first[i+1]] {
				ahead[e.from] += e.weight * b
			}
		}
		behind, ahead = ahead, behind
	}
	return all
}

// marginals returns the words of a step with their chances, likeliest first.
func (s *step) marginals(behind []float64) []restore.Guess {
	all := make([]restore.Guess, 0, adaptedWords)
	sum := 0.0
	for i, p := range s.places {
		j := slices.IndexFunc(all, func(g restore.Guess) bool { return g.Word == p.word })
		if j < 0 {
			j, all = len(all), append(all, restore.Guess{Word: p.word})
		}
		all[j].Chance += s.forward[i] * behind[i]
		sum += s.forward[i] * behind[i]
	}
	for j := range all {
		all[j].Chance /= sum
	}
	slices.SortFunc(all, func(a, b restore.Guess) int {
		return cmp.Or(cmp.Compare(b.Chance, a.Chance), cmp.Compare(a.Word, b.Word))
	})
	return all
}
