package experiment

import (
	"context"
	"math/rand/v2"
	"runtime"

	"github.com/sotto-dp/sotto/autoencoder"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/lab/metric"
	"github.com/sotto-dp/sotto/lab/result"
	"github.com/sotto-dp/sotto/mechanism"
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

// Retold perturbs the vector of every word of the test part by a mechanism for
// vectors, and lets a model of the training part write the text again from them:
// the TrLaplace paper's experiment at the level of its auto-encoder. Where the
// parameter clipped is "no", the noise is that of the mechanism and the clip is left
// out: then nothing is promised, and the claim is none. norm_over_clip is the mean
// norm of a word's vector over the clip; limit and limit_published are the largest
// shares of unchanged words that word-level privacy of the trial's epsilon and of the
// published claim allow. Parameters: those of a model, mechanism
// ("none": no noise), epsilon, clipped, texts (0 for all).
func Retold(ctx context.Context, b *Bench, p result.Params, seed uint64) (result.Outcome, error) {
	m, r, evidence, err := b.retelling(ctx, p, seed)
	if err != nil {
		return leftOut(err)
	}
	read := r.corpus
	r.bare = p.Get("clipped") == "no"
	vectors, err := r.epoch(0)
	if err != nil {
		return result.Outcome{}, err
	}
	latents := m.EncodeVectors(nil, vectors)
	values := likeness(metric.NewUnit(m.Table()), read, m.Decode(latents, 1))
	values["loss"] = m.Loss(latents, read.Texts())
	if r.perturber == nil {
		return result.Outcome{Values: values}, nil
	}
	if clip, ok := settingOf(r.perturber, "clip").(float64); ok {
		values["norm_over_clip"] = meanNorm(m.Table(), read.Words) / clip
	}
	epsilon, _ := p.Number("epsilon")
	if err := limits(values, &evidence, epsilon, read.Shares(m.Table().Len())); err != nil {
		return result.Outcome{}, err
	}
	if r.bare {
		nothingHolds(&evidence, notClipped)
	}
	return result.Outcome{Evidence: evidence, Values: values}, nil
}

// retelling returns a model, and the vectors of the test texts that it reads as a mechanism
// releases them.
func (b *Bench) retelling(ctx context.Context, p result.Params, seed uint64) (*autoencoder.Model, *readings, result.Evidence, error) {
	var none result.Evidence
	m, err := b.autoencoder(ctx, p)
	if err != nil {
		return nil, nil, none, err
	}
	perturber, evidence, err := b.perturber(m.Table(), p)
	if err != nil {
		return nil, nil, none, err
	}
	read, err := b.readable(m, p.Get("set"), number(p, "texts"))
	return m, &readings{corpus: read, table: m.Table(), perturber: perturber, seed: seed}, evidence, err
}

// noisyWord returns a private version of a word's vector. Bare: the noise alone is the
// mechanism's, on the vector as it is.
func noisyWord(m mechanism.Perturber, v []float32, bare bool, rng rand.Source) ([]float32, error) {
	if m == nil || !bare {
		return release(m, v, rng)
	}
	out, err := release(m, make([]float32, len(v)), rng)
	for k := range out {
		out[k] += v[k]
	}
	return out, err
}
