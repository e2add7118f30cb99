package experiment

import (
	"context"
	"math"
	"math/rand/v2"
	"runtime"
	"strings"

	"github.com/sotto-dp/sotto/autoencoder"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/lab/dataset"
	"github.com/sotto-dp/sotto/lab/metric"
	"github.com/sotto-dp/sotto/lab/result"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/noise"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/privacy/accountant"
)

// everyEpoch is the value of the parameter noise where vectors are redrawn before every
// epoch; "once" is one draw for the whole training.
const everyEpoch = "every epoch"

// Finetuned trains a BiLSTM on the clipped and perturbed vectors of the words of
// training texts, and tests it on the words' vectors as they are. Noise that is
// redrawn every epoch spends the claim once per epoch, and the claim of the row is the
// composed one. All vectors are divided by the root mean square of the components
// that were released first. Parameters: set, table, mechanism ("none": vectors as
// they are), epsilon, noise, train and test (numbers of texts, 0 for all), hidden,
// epochs.
func Finetuned(ctx context.Context, b *Bench, p result.Params, seed uint64) (result.Outcome, error) {
	table, err := b.Table(p.Get("table"))
	if err != nil {
		return result.Outcome{}, err
	}
	perturber, evidence, err := b.perturber(table, p)
	if err != nil {
		return leftOut(err)
	}
	t, err := b.task(setup{table: table}, p, seed)
	if err != nil {
		return result.Outcome{}, err
	}
	o := classifierOptions(p, seed)
	unit := 0.0
	r := &readings{corpus: t.train, table: table, perturber: perturber, seed: seed, again: p.Get("noise") == everyEpoch}
	r.drawn = func(vectors [][]float32) {
		if unit == 0 {
			unit = rootMeanSquare(vectors)
		}
		divide(vectors, unit)
	}
	c, err := autoencoder.TrainClassifier(ctx, autoencoder.Labelled{
		Options: o, Threads: runtime.GOMAXPROCS(0), Classes: t.classes, Dimensions: table.Dim(), Labels: t.train.Labels,
		Vectors: r.epoch,
	})
	if err != nil {
		return result.Outcome{}, err
	}
	clear, err := (&readings{corpus: t.test, table: table}).epoch(0)
	if err != nil {
		return result.Outcome{}, err
	}
	divide(clear, unit)
	found := c.Classify(clear)
	releases := 1
	if r.again {
		releases = o.Epochs
	}
	compose(&evidence, releases)
	return result.Outcome{Evidence: evidence, Values: map[string]float64{
		"accuracy": metric.Accuracy(found, t.test.Labels), "macro_f1": metric.MacroF1(found, t.test.Labels, t.classes), "releases": float64(releases),
	}}, nil
}

func classifierOptions(p result.Params, seed uint64) autoencoder.Options {
	return autoencoder.Options{Hidden: number(p, "hidden"), Epochs: number(p, "epochs"), Batch: 8, Rate: 0.005, Dropout: 0.2, Seed: seed}
}

// readings are the vectors of the words of a corpus as a mechanism releases them.
type readings struct {
	corpus    dataset.Corpus
	table     *embedding.Table
	perturber mechanism.Perturber // nil: vectors as they are
	bare      bool                // see noisyWord
	seed      uint64
	again     bool                      // redraw every epoch
	drawn     func(vectors [][]float32) // changes what was drawn; nil leaves it
	kept      [][]float32
}

// epoch returns the vectors of each text, words x dimensions.
func (r *readings) epoch(n int) ([][]float32, error) {
	if r.kept != nil && !r.again {
		return r.kept, nil
	}
	rng := noise.Seeded(r.seed, uint64(n))
	r.kept = make([][]float32, r.corpus.Len())
	for i := range r.kept {
		var err error
		if r.kept[i], err = noisyText(nil, r.perturber, r.table, r.corpus.Text(i), r.bare, rng); err != nil {
			return nil, err
		}
	}
	if r.drawn != nil {
		r.drawn(r.kept)
	}
	return r.kept, nil
}

// noisyText appends the private vectors of some words.
func noisyText(dst []float32, m mechanism.Perturber, table *embedding.Table, words []embedding.ID, bare bool, rng rand.Source) ([]float32, error) {
	var v []float32
	for _, id := range words {
		v = table.Vector(v[:0], id)
		noisy, err := noisyWord(m, v, bare, rng)
		if err != nil {
			return nil, err
		}
		dst = append(dst, noisy...)
	}
	return dst, nil
}

// compose replaces the claim by that of several releases of the same vectors: by the
// accountant for claims without a distance, by addition for metric ones.
func compose(e *result.Evidence, releases int) {
	if e.Claim == nil || releases == 1 {
		return
	}
	claim := *e.Claim
	e.Claim = &claim
	n := float64(releases)
	switch claim.Notion {
	case privacy.Pure, privacy.Approximate:
		use := accountant.Use{Epsilon: claim.Epsilon, Delta: claim.Delta}
		if epsilon, _, err := use.EpsilonOf(releases, n*claim.Delta); err == nil && !math.IsInf(epsilon, 1) {
			claim.Epsilon, claim.Delta = epsilon, n*claim.Delta
			return
		}
	case privacy.Metric:
		claim.Epsilon *= n
		return
	}
	claim = privacy.Claim{Unit: claim.Unit, Notion: privacy.None, Assumes: claim.Assumes}
}

// nothingHolds replaces the claim by none, and keeps it as the published one.
func nothingHolds(e *result.Evidence, why string) {
	if e.Claim == nil {
		return
	}
	if e.Published == nil {
		e.Published = e.Claim
	}
	refuted := privacy.Refuted
	e.Claim, e.Standing = &privacy.Claim{Unit: privacy.Vector, Notion: privacy.None}, &refuted
	e.Refutation = strings.TrimPrefix(e.Refutation+"; "+why, "; ")
}

func rootMeanSquare(vectors [][]float32) float64 {
	sum, n := 0.0, 0
	for _, v := range vectors {
		for _, x := range v {
			sum += float64(x) * float64(x)
		}
		n += len(v)
	}
	return math.Sqrt(sum / float64(max(1, n)))
}

func divide(vectors [][]float32, by float64) {
	if by == 0 {
		return
	}
	for _, v := range vectors {
		for k := range v {
			v[k] = float32(float64(v[k]) / by)
		}
	}
}
