package experiment

import (
	"context"

	"github.com/sotto-dp/sotto/lab/dataset"
	"github.com/sotto-dp/sotto/lab/metric"
	"github.com/sotto-dp/sotto/lab/result"
	"github.com/sotto-dp/sotto/language"
	"github.com/sotto-dp/sotto/learn"
	"github.com/sotto-dp/sotto/synthesis"
)

// SyntheticWritten makes a private copy of a labelled corpus with texts of a language model,
// which is trained on the public texts of the codebook. It learns from the drawn texts and
// measures the classifiers on texts as they are. By figure:
//
//   - accuracy, macro_f1: learnt from what the model wrote; public_: from the public texts in
//     whose place it wrote, by the same learner, which knows of no cells; clear: from the
//     private texts;
//   - distance: of the written texts' vectors from the private ones, the first 1,000 of each.
//
// Parameters: those of Synthetic.
func SyntheticWritten(ctx context.Context, b *Bench, p result.Params, seed uint64) (result.Outcome, error) {
	c, err := b.codebook(ctx, p)
	if err != nil {
		return result.Outcome{}, err
	}
	public := make([]string, c.corpus.Len())
	for i := range public {
		public[i] = c.corpus.Text(i)
	}
	model, _, err := b.languageModel(ctx, c.table, p, public)
	if err != nil {
		return result.Outcome{}, err
	}
	learnt, err := c.clear()
	if err != nil {
		return result.Outcome{}, err
	}
	values := map[string]float64{"clear": c.compare(learnt).Accuracy}
	var evidence result.Evidence
	for name, m := range map[string]*language.Model{"": model, "public_": nil} {
		r, err := c.synthesize(ctx, p, seed, m)
		if err != nil {
			return leftOut(err)
		}
		d, vectors, err := c.drawnTexts(ctx, r)
		if err != nil {
			return result.Outcome{}, err
		}
		fitted, _, err := learn.Fit(ctx, d, learn.Options{})
		if err != nil {
			return result.Outcome{}, err
		}
		found := c.compare(fitted)
		values[name+"accuracy"], values[name+"macro_f1"] = found.Accuracy, found.MacroF1
		if m != nil {
			values["distance"] = metric.KernelDistance(c.privateVectors(), vectors)
			s := r.Statement()
			evidence = result.Evidence{Claim: &s.Claim, Standing: &s.Standing}
		}
	}
	return result.Outcome{Values: values, Evidence: evidence}, nil
}

// drawnTexts returns the features of drawn texts, and the vectors of the first ones.
func (c *codebook) drawnTexts(ctx context.Context, r *synthesis.Release) (d learn.Data, vectors [][]float32, err error) {
	class := map[string]int{}
	for i, name := range c.labels {
		class[name] = i
	}
	var texts dataset.Split
	err = r.Draw(ctx, 0, nil, func(row synthesis.Row) error {
		if len(vectors) < compared {
			vectors = append(vectors, unit(c.encoder.Encode(nil, row.Text)))
		}
		texts.Texts, texts.Labels = append(texts.Texts, string(row.Text)), append(texts.Labels, class[row.Labels[0]])
		return nil
	})
	return c.data(texts), vectors, err
}

// privateVectors returns the unit vectors of the first private texts.
func (c *codebook) privateVectors() (all [][]float32) {
	for _, t := range c.private.Texts[:min(c.private.Len(), compared)] {
		all = append(all, unit(c.encoder.Encode(nil, []byte(t))))
	}
	return all
}
