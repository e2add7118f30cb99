package attack

import (
	"context"
	"slices"

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
	// adaptedFrom is the share of words that the first decoding must expect to be right. With
	// less the public texts most like it are like its errors, and so is what is decoded next.
	adaptedFrom = 0.25
)

// expected returns the share of words that a decoding expects to be right.
func expected(guesses [][][]restore.Guess) float64 {
	sum, n := 0.0, 0
	for _, text := range guesses {
		for _, words := range text {
			sum, n = sum+words[0].Chance, n+1
		}
	}
	return sum / float64(max(1, n))
}

// adapt decodes releases again. guesses are the marginals of the first decoding.
func (a *Adapted) adapt(ctx context.Context, c *restore.Channel, outputs [][]embedding.ID, guesses [][][]restore.Guess, o Options) (*decoded, error) {
	index := newSimilar(a.Texts, a.Table.Len())
	found := newDecoded(len(outputs), o.Model.Vocabulary().Unknown())
	done := o.Progress.Stage("adapting").Counter(len(outputs))
	const block = 4
	err := parallel.BlockedBy(ctx, len(outputs), block, func() func(context.Context, int, int) error {
		reader := adaptedReader{Adapted: a, index: index, channel: c, model: o.Model, local: language.NewLocal(o.Model.Words())}
		return func(ctx context.Context, from, to int) error {
			for i := from; i < to; i++ {
				marginals := guesses[i]
				for range adaptedRounds {
					var err error
					if marginals, err = reader.again(ctx, outputs[i], marginals); err != nil {
						return err
					}
				}
				found.set(i, marginals)
			}
			done.Add(to - from)
			return nil
		}
	})
	return found, err
}

// adaptedReader decodes one release after the other, in one goroutine.
type adaptedReader struct {
	*Adapted
	index   *similar
	channel *restore.Channel
	model   *language.Model
	local   *language.Local
	nearest []int // the texts of local
	steps   extension
}

// again decodes a release with what its marginals reveal.
func (a *adaptedReader) again(ctx context.Context, release []embedding.ID, marginals [][]restore.Guess) ([][]restore.Guess, error) {
	if len(release) == 0 {
		return marginals, ctx.Err()
	}
	if err := a.learn(ctx, a.index.nearest(marginals, adaptedTexts)); err != nil {
		return nil, err
	}
	m := &mixed{model: a.model, local: a.local, cache: map[embedding.ID]float64{}}
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
		found = append(found, m.decode(&a.steps, a.channel, release[w.First:w.Last], marginals[w.First:w.Last], w.First == 0, w.Last == len(release))[from:to]...)
	}
	return found, nil
}

// learn trains the model of some of the public texts. Often they are those of the round before.
func (a *adaptedReader) learn(ctx context.Context, nearest []int) error {
	if a.local.Model != nil && slices.Equal(nearest, a.nearest) {
		return nil
	}
	a.nearest = nearest
	return a.local.Train(ctx, func(yield func([]embedding.ID) bool) {
		for _, i := range nearest {
			if !yield(a.Texts[i]) {
				return
			}
		}
	})
}
