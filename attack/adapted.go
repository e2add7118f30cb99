package attack

import (
	"context"
	"errors"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/parallel"
	"github.com/sotto-dp/sotto/language"
	"github.com/sotto-dp/sotto/restore"
)

// The weights of an adapted reader were chosen on texts that are neither public texts of the
// reader nor measured: docs/results/attack.md.
const (
	adaptedRounds = 3
	adaptedTexts  = 30 // public texts most like a release
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
	}, language.Options{Order: language.MostTrained, Public: true, Vocabulary: model.Vocabulary(), Unranked: true})
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
