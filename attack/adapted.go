package attack

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/parallel"
	"github.com/sotto-dp/sotto/language"
	"github.com/sotto-dp/sotto/restore"
)

// Adapted is what a reader needs who adapts to each release: public texts, and their table.
// Such a reader decodes a release, finds the public texts most like it, and decodes it again
// with the model of these texts, and with the words that were decoded with confidence, beside
// Options.Model. docs/results/attack.md has what such a reader recovers.
type Adapted struct {
	Table *embedding.Table
	Texts [][]embedding.ID // public
}

// The weights of an adapted reader were chosen on texts that are neither public texts of the
// reader nor measured: docs/results/attack.md.
const (
	adaptedRounds = 3
	adaptedTexts  = 30   // public texts most like a release
	adaptedWeight = 0.4  // of their model
	cacheWeight   = 0.05 // of the words that were decoded
	confident     = 0.9  // chance of a word that is cached
	adaptedWords  = 24   // candidates at a position
	adaptedBeam   = 60   // contexts at a position
)

// adapt decodes releases again. guesses are the marginals of the first decoding.
func (a *Adapted) adapt(ctx context.Context, c *restore.Channel, outputs [][]embedding.ID, guesses [][][]restore.Guess, o Options) ([][]embedding.ID, error) {
	if len(a.Texts) == 0 {
		return nil, errors.New("attack: an adapted reader needs public texts")
	}
	index := newSimilar(a.Texts, a.Table.Len())
	found := make([][]embedding.ID, len(outputs))
	done := o.Progress.Stage("adapting").Counter(len(outputs))
	const block = 4
	err := parallel.Blocked(ctx, len(outputs), block, func(ctx context.Context, from, to int) error {
		for i := from; i < to; i++ {
			marginals := guesses[i]
			for range adaptedRounds {
				var err error
				if marginals, err = a.again(ctx, c, index, outputs[i], marginals, o.Model); err != nil {
					return err
				}
			}
			found[i] = restore.Risk(marginals)
		}
		done.Add(to - from)
		return nil
	})
	return found, err
}

// again decodes a release with what its marginals reveal.
func (a *Adapted) again(ctx context.Context, c *restore.Channel, index *similar, release []embedding.ID, marginals [][]restore.Guess, model *language.Model) ([][]restore.Guess, error) {
	if len(release) == 0 {
		return marginals, ctx.Err()
	}
	local, err := language.Train(ctx, a.Table, func(yield func([]embedding.ID, error) bool) {
		for _, i := range index.nearest(marginals, adaptedTexts) {
			if !yield(a.Texts[i], nil) {
				return
			}
		}
	}, language.Options{Order: language.MostTrained, Public: true})
	if err != nil {
		return nil, err
	}
	m := &mixed{model: model, local: local, cache: map[embedding.ID]float64{}}
	for _, guesses := range marginals {
		if g := guesses[0]; g.Chance > confident {
			m.cache[g.Word]++
			m.cached++
		}
	}
	// Memory does not grow with the length of a release.
	var found [][]restore.Guess
	for w := range restore.Windows(len(release)) {
		from, to := w.Used()
		found = append(found, m.decode(c, release[w.First:w.Last], marginals[w.First:w.Last], w.First == 0, w.Last == len(release))[from:to]...)
	}
	return found, nil
}

// mixed is a model of a text: the weighted mean of the chances of two models and a cache.
type mixed struct {
	model, local *language.Model
	cache        map[embedding.ID]float64
	cached       float64
}

// contexts are the states of both models.
type contexts struct{ model, local language.State }

// next returns the chance of a word after a context, and the context after it. cached: one
// count of the word is of this position, and is left out.
func (m *mixed) next(s contexts, w embedding.ID, cached bool) (float64, contexts) {
	long, a := m.model.Next(s.model, w)
	near, b := m.local.Next(s.local, w)
	count, all := m.cache[w], m.cached
	if cached {
		count, all = count-1, all-1
	}
	p := float64((1-adaptedWeight-cacheWeight)*math.Exp(long)) + float64(adaptedWeight*math.Exp(near))
	return p + float64(cacheWeight*count/max(1, all)), contexts{a, b}
}

// end returns the chance that the text ends after a context.
func (m *mixed) end(s contexts) float64 {
	return float64((1-adaptedWeight)*math.Exp(m.model.End(s.model))) + float64(adaptedWeight*math.Exp(m.local.End(s.local)))
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
	from    [][]int32 // the places before
	weight  [][]float64
}

// decode returns the marginals of a release under a mixed model, over the likeliest words of
// the marginals before. begins and ends tell whether the release is whole at either side.
func (m *mixed) decode(c *restore.Channel, release []embedding.ID, before [][]restore.Guess, begins, ends bool) [][]restore.Guess {
	steps := make([]step, len(release)+1)
	start := contexts{m.model.Empty(), m.local.Empty()}
	if begins {
		start = contexts{m.model.Start(), m.local.Start()}
	}
	steps[0] = step{places: []place{{after: start}}, forward: []float64{1}}
	for t, y := range release {
		words := before[t][:min(adaptedWords, len(before[t]))]
		steps[t+1] = m.step(&steps[t], words, func(w embedding.ID) float64 {
			return math.Exp(c.Log([]embedding.ID{w}, []embedding.ID{y}))
		})
	}
	last := &steps[len(release)]
	behind := make([]float64, len(last.places)) // of each place: the weight of all that follows
	for i, p := range last.places {
		if behind[i] = 1; ends {
			behind[i] = m.end(p.after)
		}
	}
	all := make([][]restore.Guess, len(release))
	for t := len(release) - 1; t >= 0; t-- {
		here := &steps[t+1]
		all[t] = here.marginals(behind)
		ahead := make([]float64, len(steps[t].places))
		for i := range here.places {
			for e, from := range here.from[i] {
				ahead[from] += here.weight[i][e] * behind[i]
			}
		}
		behind = ahead
	}
	return all
}

// step extends sequences by one of some words, and keeps the heaviest places.
func (m *mixed) step(s *step, words []restore.Guess, channel func(embedding.ID) float64) step {
	var next step
	at := map[place]int{}
	for i, g := range words {
		chance := channel(g.Word)
		for from := range s.places {
			p, after := m.next(s.places[from].after, g.Word, i == 0 && g.Chance > confident)
			key := place{after, g.Word}
			j, ok := at[key]
			if !ok {
				j = len(next.places)
				at[key] = j
				next.places, next.forward = append(next.places, key), append(next.forward, 0)
				next.from, next.weight = append(next.from, nil), append(next.weight, nil)
			}
			next.from[j], next.weight[j] = append(next.from[j], int32(from)), append(next.weight[j], p*chance)
			next.forward[j] += s.forward[from] * p * chance
		}
	}
	return next.keep(adaptedBeam)
}

// keep returns the n heaviest places of a step. It scales the weights.
func (s *step) keep(n int) (kept step) {
	order := make([]int, len(s.places))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(s.forward[b], s.forward[a]), cmp.Compare(a, b))
	})
	order = order[:min(n, len(order))]
	sum := 0.0
	for _, i := range order {
		sum += s.forward[i]
	}
	for _, i := range order {
		weight := s.weight[i]
		for e := range weight {
			weight[e] /= sum
		}
		kept.places, kept.forward = append(kept.places, s.places[i]), append(kept.forward, s.forward[i]/sum)
		kept.from, kept.weight = append(kept.from, s.from[i]), append(kept.weight, weight)
	}
	return kept
}

// marginals returns the words of a step with their chances, likeliest first.
func (s *step) marginals(behind []float64) (all []restore.Guess) {
	at := map[embedding.ID]int{}
	sum := 0.0
	for i, p := range s.places {
		j, ok := at[p.word]
		if !ok {
			j = len(all)
			at[p.word] = j
			all = append(all, restore.Guess{Word: p.word})
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
