package experiment

import (
	"context"
	"math/rand/v2"

	"github.com/sotto-dp/sotto/autoencoder"
	"github.com/sotto-dp/sotto/lab/metric"
	"github.com/sotto-dp/sotto/lab/result"
	"github.com/sotto-dp/sotto/mechanism"
)

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
