package experiment

import (
	"context"

	"github.com/sotto-dp/sotto/lab/result"
	"github.com/sotto-dp/sotto/learn"
	"github.com/sotto-dp/sotto/synthesis"
)

// KnownAlone is the mechanism of a row without any private text: what words for labels and
// public texts teach.
const KnownAlone = "public knowledge"

// PublicKnowledge measures what a synthetic corpus teaches beyond words for labels, which its
// cells are cut along and its learner starts from. All rows have the same learner, and are
// measured on texts as they are. By figure:
//
//   - accuracy, macro_f1: learnt from the copy, from public knowledge alone (KnownAlone), or
//     from the private texts ("none");
//   - known, clear: the accuracy of the last two, and way: the share of the way from the first
//     of them to the second.
//
// Parameters: those of a codebook, mechanism, epsilon.
func PublicKnowledge(ctx context.Context, b *Bench, p result.Params, seed uint64) (result.Outcome, error) {
	c, err := b.codebook(ctx, p)
	if err != nil {
		return result.Outcome{}, err
	}
	if c.known == nil {
		return result.Outcome{LeftOut: "there are no words for these labels, or too few texts with them"}, nil
	}
	clear, known := c.compare(c.clear), c.compare(c.known)
	found, evidence := clear, result.Evidence{}
	switch p.Get("mechanism") {
	case "none":
	case KnownAlone:
		found = known
	default:
		r, err := c.synthesize(ctx, p, seed, nil)
		if err != nil {
			return leftOut(err)
		}
		s := r.Statement()
		evidence = result.Evidence{Claim: &s.Claim, Standing: &s.Standing}
		weighted, err := c.collect(func(each func(synthesis.Row) error) error { return r.Weighted(ctx, each) })
		if err != nil {
			return result.Outcome{}, err
		}
		if weighted.Cells, err = c.corpus.Clusters(ctx, s.Clusters); err != nil {
			return result.Outcome{}, err
		}
		m, _, err := learn.FitReleases(ctx, weighted, c.features(c.public), learn.Options{Knowledge: c.known})
		if err != nil {
			return result.Outcome{}, err
		}
		found = c.compare(m)
	}
	return result.Outcome{
		Values: map[string]float64{
			"accuracy": found.Accuracy, "macro_f1": found.MacroF1, "known": known.Accuracy, "clear": clear.Accuracy,
			"way": (found.Accuracy - known.Accuracy) / (clear.Accuracy - known.Accuracy), "texts": float64(c.corpus.Len()),
		},
		Evidence: evidence,
	}, nil
}
