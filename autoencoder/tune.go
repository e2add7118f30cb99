package autoencoder

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/sotto-dp/sotto/embedding"
)

// Lines are training sentences: the input vectors of each sentence (words x the dimensions
// of [Model.Table]), and the same number of words as the target.
type Lines struct {
	Vectors [][]float32
	Words   [][]embedding.ID
}

func (l Lines) check(wide int) error {
	if len(l.Vectors) != len(l.Words) {
		return fmt.Errorf("autoencoder: %d vectors for %d sentences, want one each", len(l.Vectors), len(l.Words))
	}
	for i, words := range l.Words {
		if len(l.Vectors[i]) != len(words)*wide {
			return fmt.Errorf("autoencoder: %d numbers for %d words of %d dimensions", len(l.Vectors[i]), len(words), wide)
		}
	}
	return nil
}

// Tune continues training a copy of a model on given vectors. It calls lines
// before every epoch from 0 on; lines must return the same number of sentences
// each time. The vectors are not trained. Of the options Batch, Epochs, Rate,
// Norm, Dropout, WordDropout and Seed are used. The copy's card declares no public
// corpus and has no figures.
func (m *Model) Tune(ctx context.Context, o Options, threads int, lines func(epoch int) (Lines, error)) (*Model, error) {
	o = o.withDefaults()
	if err := o.check(); err != nil {
		return nil, err
	}
	s, threads := m.card.Shape, max(1, threads)
	all, slopes := slices.Clone(m.weights), make([]float32, s.count())
	n, grad := newNetwork(s, over(s, all), threads), over(s, slopes)
	now, err := lines(0)
	if err != nil {
		return nil, err
	}
	count := len(now.Words)
	err = o.epochs(ctx, count, all, slopes, threads, func(epoch int) (err error) {
		if epoch > 0 {
			now, err = lines(epoch)
		}
		if err == nil {
			err = now.check(s.Embed)
		}
		if err == nil && len(now.Words) != count {
			err = fmt.Errorf("autoencoder: an epoch has %d sentences, want %d as in the first", len(now.Words), count)
		}
		return err
	}, func(batch []int, rng *rand.Rand) float64 {
		words, vectors := make([][]embedding.ID, len(batch)), make([][]float32, len(batch))
		for k, i := range batch {
			words[k], vectors[k] = now.Words[i], now.Vectors[i]
		}
		n.layOut(words)
		n.give(vectors)
		n.read(o.regular(), rng)
		return n.write(o.regular(), rng, grad)
	})
	if err != nil {
		return nil, err
	}
	card := m.card
	card.Public, card.Corpus, card.Training, card.Metrics, card.Latent = false, Corpus{}, Training{Options: o}, Metrics{}, Latent{}
	return newModel(card, m.words, all)
}

// source returns the randomness of one step, or of one epoch's order: no state is
// carried from step to step.
func (o Options) source(kind, number uint64) *rand.Rand {
	return rand.New(rand.NewPCG(o.Seed, kind<<56|number))
}

// epochs makes Adam's steps over batches of n lines, each epoch in its own order.
// step adds the gradient of a batch and returns its loss.
func (o Options) epochs(ctx context.Context, n int, weights, grad []float32, threads int, begin func(epoch int) error, step func(batch []int, rng *rand.Rand) float64) error {
	m := moments{mean: make([]float32, len(weights)), square: make([]float32, len(weights))}
	steps := (n + o.Batch - 1) / o.Batch
	for epoch := range o.Epochs {
		if err := begin(epoch); err != nil {
			return err
		}
		order := o.source(1, uint64(epoch)).Perm(n)
		for batch := range slices.Chunk(order, o.Batch) {
			if err := ctx.Err(); err != nil {
				return err
			}
			loss := step(batch, o.source(2, uint64(m.steps)))
			if math.IsNaN(loss) || math.IsInf(loss, 0) {
				return fmt.Errorf("autoencoder: the training diverged at step %d: a smaller rate may help", m.steps+1)
			}
			m.step(weights, grad, o.pace(m.steps, steps*o.Epochs), o.Norm, threads)
		}
	}
	return nil
}

// pace returns the rate of a step: it falls to a twentieth.
func (o Options) pace(step, of int) float64 { return o.Rate * (1 - 0.95*float64(step)/float64(of)) }
