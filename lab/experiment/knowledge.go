package experiment

import (
	"context"
	"math/rand/v2"

	"github.com/sotto-dp/sotto/lab/result"
	"github.com/sotto-dp/sotto/learn"
	"github.com/sotto-dp/sotto/synthesis"
)

// The mechanisms of rows without any private text: what words for labels and public texts
// teach, and what a few public texts of the set itself teach with their labels.
const (
	KnownAlone   = "public knowledge"
	PublicLabels = "public labels"
)

const (
	noWords  = "there are no words for these labels, or too few texts with them"
	noLabels = "the public texts are not of the set: they lack its labels"
)

// PublicKnowledge measures what a private copy teaches beyond what is known without private
// texts. All rows have the same learner and are measured on texts as they are. By mechanism, it
// learns from the private texts ("none"), from words for labels alone (KnownAlone), from the
// labels of a few public texts (PublicLabels), from a synthetic corpus, or from releases of whole
// texts. Figures: accuracy, macro_f1.
//
// Parameters: those of a codebook, of which about cuts the cells of a synthetic corpus along the
// words; mechanism, epsilon, labels (of PublicLabels), and begins: where it is given, the learner
// of a copy adds what the words say.
func PublicKnowledge(ctx context.Context, b *Bench, p result.Params, seed uint64) (result.Outcome, error) {
	c, err := b.codebook(ctx, p)
	if err != nil {
		return result.Outcome{}, err
	}
	if c.known == nil {
		return result.Outcome{LeftOut: noWords}, nil
	}
	var m *learn.Model
	var evidence result.Evidence
	switch p.Get("mechanism") {
	case "none":
		m, err = c.clear()
	case KnownAlone:
		m = c.known
	case PublicLabels:
		if p.Get("codebook") != ownTexts {
			return result.Outcome{LeftOut: noLabels}, nil
		}
		m, err = c.fewLabels(ctx, number(p, "labels"), seed)
	default:
		m, evidence, err = c.learntFrom(ctx, p, seed)
	}
	if err != nil {
		return leftOut(err)
	}
	found := c.compare(m)
	return result.Outcome{
		Values:   map[string]float64{"accuracy": found.Accuracy, "macro_f1": found.MacroF1, "texts": float64(c.corpus.Len())},
		Evidence: evidence,
	}, nil
}

// fewLabels learns from n public texts that are drawn, with their labels.
func (c *codebook) fewLabels(ctx context.Context, n int, seed uint64) (*learn.Model, error) {
	f := c.features(c.public)
	d := f.NewData(c.labels)
	for _, i := range rand.New(rand.NewPCG(seed, 0)).Perm(c.labelled.Len())[:min(n, c.labelled.Len())] {
		d.Examples = append(d.Examples, learn.Example{Row: d.Add(f.Row([]byte(c.labelled.Texts[i]))), Class: c.labelled.Labels[i], Weight: 1})
	}
	m, _, err := learn.Fit(ctx, d, learn.Options{})
	return m, err
}

// learntFrom learns from a private copy.
func (c *codebook) learntFrom(ctx context.Context, p result.Params, seed uint64) (*learn.Model, result.Evidence, error) {
	copied, evidence, err := c.copied(ctx, p, seed)
	if err != nil {
		return nil, evidence, err
	}
	o := learn.Options{}
	if p.Get("begins") != "" {
		o.Knowledge = c.known
	}
	m, _, err := learn.FitReleases(ctx, copied, c.features(c.public), o)
	return m, evidence, err
}

// copied returns a private copy as a learner reads it: of a synthetic corpus every public text
// with its weight, and the cells.
func (c *codebook) copied(ctx context.Context, p result.Params, seed uint64) (learn.Releases, result.Evidence, error) {
	if p.Get("mechanism") != synthesis.Name {
		r, err := c.release(ctx, p, seed, 0)
		if err != nil {
			return learn.Releases{}, result.Evidence{}, err
		}
		return learn.Releases{Codebook: c.corpus, Channel: r.channel, Classes: c.labels, Texts: r.texts, Class: c.private.Labels}, r.evidence, nil
	}
	r, err := c.synthesize(ctx, p, seed, nil)
	if err != nil {
		return learn.Releases{}, result.Evidence{}, err
	}
	s := r.Statement()
	weighted, err := c.collect(func(each func(synthesis.Row) error) error { return r.Weighted(ctx, each) })
	if err != nil {
		return learn.Releases{}, result.Evidence{}, err
	}
	weighted.Along, weighted.Epsilon = c.components > 0, s.Claim.Epsilon
	weighted.Cells, err = c.corpus.Clusters(ctx, s.Clusters)
	return weighted, result.Evidence{Claim: &s.Claim, Standing: &s.Standing}, err
}
