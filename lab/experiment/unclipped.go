package experiment

import (
	"context"
	"fmt"
	"math"

	"github.com/sotto-dp/sotto/audit"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/lab/dataset"
	"github.com/sotto-dp/sotto/lab/metric"
	"github.com/sotto-dp/sotto/lab/result"
	"github.com/sotto-dp/sotto/noise"
	"github.com/sotto-dp/sotto/privacy"
)

const notClipped = "vectors are not clipped: their differences have no bound that the noise pays for"

// Unclipped adds a mechanism's noise to the vectors of words, clipped or not, and takes the
// nearest word. The mean norm over the table is the parameter ratio times the clip
// (norm_over_clip is that of the texts' words). It measures the share of unchanged words,
// and computes the largest share that word-level privacy of the trial's epsilon allows
// (limit), and that the published claim does (limit_published). noise_norm is the mean norm of the noise and bound the largest
// number it adds to a component, both in clips; delta_true is the mean, over pairs
// of words of the texts, of the chance that the released vector is one that the
// other word never gives (truncated noise only). Parameters: set, table,
// mechanism, epsilon, ratio, clipped, texts.
func Unclipped(_ context.Context, b *Bench, p result.Params, seed uint64) (result.Outcome, error) {
	table, err := b.Table(p.Get("table"))
	if err != nil {
		return result.Outcome{}, err
	}
	read, err := b.Corpus(p.Get("set"), "test", number(p, "texts"), table)
	if err != nil {
		return result.Outcome{}, err
	}
	ratio, _ := p.Number("ratio")
	clip := meanNorm(table, everyWord(table)) / ratio
	with := append(result.Params(nil), p...)
	for i := range with {
		if with[i].Name == "mechanism" {
			with[i].Value = fmt.Sprintf("%s clip=%g", p.Get("mechanism"), clip)
		}
	}
	m, evidence, err := b.perturber(table, with)
	if err != nil {
		return leftOut(err)
	}
	bare := p.Get("clipped") == "no"
	rng := noise.Seeded(seed, 0)
	vectors, err := noisyText(nil, m, table, read.Words, bare, rng)
	if err != nil {
		return result.Outcome{}, err
	}
	out := make([]embedding.ID, len(read.Words))
	table.Nearest(out, vectors)
	values := map[string]float64{"unchanged": metric.Unchanged(read.Words, out), "norm_over_clip": meanNorm(table, read.Words) / clip}
	zero := make([]float32, table.Dim())
	const draws = 100
	for range draws {
		v, err := release(m, zero, rng)
		if err != nil {
			return result.Outcome{}, err
		}
		values["noise_norm"] += normOf(v, false) / clip / draws
	}
	if bound, ok := settingOf(m, "bound").(float64); ok {
		values["bound"] = bound / clip
		scale, _ := settingOf(m, "scale").(float64)
		largest := clip
		if bare {
			largest = math.Inf(1)
		}
		values["delta_true"] = meanDelta(truncated{rate: 1 / scale, bound: bound}, table, read, largest)
	}
	epsilon, _ := p.Number("epsilon")
	if err := limits(values, &evidence, epsilon, read.Shares(table.Len())); err != nil {
		return result.Outcome{}, err
	}
	if bare {
		nothingHolds(&evidence, notClipped)
	}
	return result.Outcome{Evidence: evidence, Values: values}, nil
}

// limits adds the largest shares of unchanged words for the trial's epsilon and for
// what is published, where words have these shares.
func limits(values map[string]float64, e *result.Evidence, epsilon float64, shares []float64) (err error) {
	if values["limit"], err = audit.UnchangedLimitFrequencies(epsilon, 0, shares); err != nil {
		return err
	}
	if c := e.Published; c != nil && c.Notion == privacy.Approximate {
		values["limit_published"], err = audit.UnchangedLimitFrequencies(c.Epsilon, c.Delta, shares)
	}
	return err
}

func meanNorm(table *embedding.Table, words []embedding.ID) float64 {
	sum := 0.0
	for _, id := range words {
		sum += normOf(table.Vector(nil, id), false)
	}
	return sum / float64(max(1, len(words)))
}

func everyWord(table *embedding.Table) []embedding.ID {
	words := make([]embedding.ID, table.Len())
	for i := range words {
		words[i] = embedding.ID(i)
	}
	return words
}

// wordVectors returns the vectors of the whole table.
func wordVectors(table *embedding.Table) (v []float32) {
	for _, id := range everyWord(table) {
		v = table.Vector(v, id)
	}
	return v
}

// meanDelta is over pairs of words of the texts: the first with the last in the
// table's order, and so on. Vectors longer than largest are scaled to it.
func meanDelta(t truncated, table *embedding.Table, c dataset.Corpus, largest float64) float64 {
	const pairs = 200
	vector := func(id embedding.ID) []float64 {
		v := table.Vector(nil, id)
		factor := min(1, largest/normOf(v, false))
		wide := make([]float64, len(v))
		for k, x := range v {
			wide[k] = factor * float64(x)
		}
		return wide
	}
	words := c.Distinct()
	sum, n := 0.0, 0
	for i := range min(pairs, len(words)/2) {
		a, b := vector(words[i]), vector(words[len(words)-1-i])
		for k := range a {
			a[k] -= b[k]
		}
		sum += t.delta(a)
		n++
	}
	return sum / float64(max(1, n))
}

// truncated is independent noise on every component with density proportional to
// e^(-rate |u|) on [-bound, bound].
type truncated struct{ rate, bound float64 }

// delta returns the chance that a vector with this noise is one that the vector
// shifted so far never gives: 1 - prod_j (1 - q(|s_j|)).
func (t truncated) delta(shift []float64) float64 {
	kept := 0.0
	for _, s := range shift {
		kept += math.Log1p(-t.outside(math.Abs(s)))
	}
	return -math.Expm1(kept)
}

// outside returns q(u): the mass of one component's noise that a shift by u moves
// beyond the other support.
func (t truncated) outside(u float64) float64 {
	whole := -2 * math.Expm1(-t.rate*t.bound)
	switch {
	case u <= t.bound:
		return math.Exp(-t.rate*t.bound) * math.Expm1(t.rate*u) / whole
	case u < 2*t.bound:
		return 0.5 - math.Expm1(-t.rate*(u-t.bound))/whole
	}
	return 1
}
