package experiment

import (
	"context"
	"runtime"

	"github.com/sotto-dp/sotto/autoencoder"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/lab/metric"
	"github.com/sotto-dp/sotto/lab/result"
)

// original is the value of the parameter target where a model learns to write the
// private texts themselves; "noised" are the words nearest to the noisy vectors.
const original = "original"

// Reread tunes a model of public texts on private ones, the test part: it reads the
// noisy vectors of their words and learns to write either the texts themselves,
// which reads them again without any noise and voids the promise, or the words nearest to
// the noisy vectors, which depend on the release only. Then it
// writes the private texts from the noisy vectors: from those it learned, or, where
// noise is drawn every epoch, from ones drawn once more, which the claim counts.
// Noisy vectors are scaled to the mean square of the vocabulary's vectors.
// unchanged_before is what the model of public texts writes from the same vectors.
// Parameters: those of a model, mechanism, epsilon, target, noise, rereads (epochs),
// texts (0 for all).
func Reread(ctx context.Context, b *Bench, p result.Params, seed uint64) (result.Outcome, error) {
	m, r, evidence, err := b.retelling(ctx, p, seed)
	if err != nil {
		return leftOut(err)
	}
	read := r.corpus
	r.again = p.Get("noise") == everyEpoch
	o := autoencoder.Options{Epochs: number(p, "rereads"), Batch: 8, Rate: 0.004, Dropout: -1, WordDropout: -1, Seed: seed}
	again := p.Get("target") == original
	unit := rootMeanSquare([][]float32{wordVectors(m.Table())})
	var nearest [][]embedding.ID // to what was released last
	r.drawn = func(vectors [][]float32) {
		nearest = nearestWords(m.Table(), vectors)
		divide(vectors, rootMeanSquare(vectors)/unit)
	}
	tuned, err := m.Tune(ctx, o, runtime.GOMAXPROCS(0), func(epoch int) (autoencoder.Lines, error) {
		vectors, err := r.epoch(epoch)
		if again {
			return autoencoder.Lines{Vectors: vectors, Words: read.Texts()}, err
		}
		return autoencoder.Lines{Vectors: vectors, Words: nearest}, err
	})
	if err != nil {
		return result.Outcome{}, err
	}
	vectors, err := r.epoch(o.Epochs)
	if err != nil {
		return result.Outcome{}, err
	}
	releases := 1
	if r.again {
		releases = o.Epochs + 1
	}
	compose(&evidence, releases)
	latents := tuned.EncodeVectors(nil, vectors)
	values := likeness(metric.NewUnit(m.Table()), read, tuned.Decode(latents, 1))
	values["loss"], values["releases"] = tuned.Loss(latents, read.Texts()), float64(releases)
	before := likeness(metric.NewUnit(m.Table()), read, m.Decode(m.EncodeVectors(nil, vectors), 1))
	values["unchanged_before"] = before["unchanged"]
	epsilon, _ := p.Number("epsilon")
	if err := limits(values, &evidence, epsilon, read.Shares(m.Table().Len())); err != nil {
		return result.Outcome{}, err
	}
	if again {
		nothingHolds(&evidence, "training reads the texts themselves: what it writes rests on them without noise")
	}
	return result.Outcome{Evidence: evidence, Values: values}, nil
}

// nearestWords are the words nearest to each text's vectors.
func nearestWords(table *embedding.Table, vectors [][]float32) [][]embedding.ID {
	out := make([][]embedding.ID, len(vectors))
	for i, v := range vectors {
		out[i] = make([]embedding.ID, len(v)/table.Dim())
		table.Nearest(out[i], v)
	}
	return out
}
