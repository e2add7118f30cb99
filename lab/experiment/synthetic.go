package experiment

import (
	"context"
	"errors"

	"github.com/sotto-dp/sotto/lab/firstwords"
	"github.com/sotto-dp/sotto/lab/metric"
	"github.com/sotto-dp/sotto/lab/result"
	"github.com/sotto-dp/sotto/language"
	"github.com/sotto-dp/sotto/learn"
	"github.com/sotto-dp/sotto/synthesis"
)

// Synthetic makes a private copy of a labelled corpus: public texts of a codebook with
// labels, in numbers that are noisy counts. It learns from the copy and measures the
// classifiers on texts as they are. All parts of epsilon are paid for: counts, the
// number of records and the far share. By figure:
//
//   - accuracy, macro_f1: learnt from every public text with its weight; drawn_: from texts
//     that are drawn; clear: from the private texts;
//   - clusters that were chosen, records_noisy, far_low to far_high (the share of records
//     that are far from all centres, noisy) and seen, the share of distinct texts among the drawn ones;
//   - distance: of the drawn texts' vectors from the private ones (metric.KernelDistance),
//     the first 1,000 of each; public_distance: of the public texts.
//
// Parameters: those of a codebook, mechanism ("none": the text as it is), epsilon.
func Synthetic(ctx context.Context, b *Bench, p result.Params, seed uint64) (result.Outcome, error) {
	c, err := b.codebook(ctx, p)
	if err != nil {
		return result.Outcome{}, err
	}
	learnt, err := c.clear()
	if err != nil {
		return result.Outcome{}, err
	}
	clear := c.compare(learnt)
	if p.Get("mechanism") == "none" {
		return result.Outcome{Values: map[string]float64{"accuracy": clear.Accuracy, "macro_f1": clear.MacroF1, "texts": float64(c.corpus.Len())}}, nil
	}
	r, err := c.synthesize(ctx, p, seed, nil)
	if err != nil {
		return leftOut(err)
	}
	s := r.Statement()
	values := map[string]float64{
		"clear": clear.Accuracy, "texts": float64(c.corpus.Len()), "clusters": float64(s.Clusters), "records_noisy": float64(r.RecordsNoisy()), "far_low": s.FarShare.Low, "far_high": s.FarShare.High,
	}
	cells, err := c.corpus.Clusters(ctx, s.Clusters)
	if err != nil {
		return result.Outcome{}, err
	}
	weighted, err := c.collect(func(each func(synthesis.Row) error) error { return r.Weighted(ctx, each) })
	if err != nil {
		return result.Outcome{}, err
	}
	drawn, err := c.collect(func(each func(synthesis.Row) error) error { return r.Draw(ctx, 0, nil, each) })
	if err != nil {
		return result.Outcome{}, err
	}
	weighted.Cells, drawn.Cells = cells, cells
	for name, data := range map[string]learn.Releases{"": weighted, "drawn_": drawn} {
		found, err := c.learnt(ctx, data)
		if err != nil {
			return result.Outcome{}, err
		}
		values[name+"accuracy"], values[name+"macro_f1"] = found.Accuracy, found.MacroF1
	}
	c.likeness(drawn.Texts, values)
	return result.Outcome{Values: values, Evidence: result.Evidence{Claim: &s.Claim, Standing: &s.Standing}}, nil
}

// synthesis returns the plan of a synthetic corpus. A model writes its texts, if it is not
// nil.
func (c *codebook) synthesis(ctx context.Context, p result.Params, seed uint64, model *language.Model) (*synthesis.Plan, error) {
	labels, err := synthesis.Labels("label", c.labels...)
	if err != nil {
		return nil, err
	}
	o := synthesis.Options{Corpus: c.corpus, Columns: []synthesis.Column{labels}, InsecureSeed: &seed, Model: model}
	o.Epsilon, _ = p.Number("epsilon")
	_, o.Brought = c.encoder.(*firstwords.Encoder)
	if c.corpus.Card().Encoder.Table != nil {
		o.Table = c.table
	}
	return synthesis.New(ctx, o)
}

// synthesize releases noisy counts of the private texts of a codebook. A model writes the
// texts, if it is not nil.
func (c *codebook) synthesize(ctx context.Context, p result.Params, seed uint64, model *language.Model) (*synthesis.Release, error) {
	plan, err := c.synthesis(ctx, p, seed, model)
	if err != nil {
		return nil, err
	}
	own, brought := c.encoder.(*firstwords.Encoder)
	counts := plan.NewCounts()
	records := make([]synthesis.Record, c.private.Len())
	for i, t := range c.private.Texts {
		records[i] = synthesis.Record{Text: []byte(t), Labels: [][]byte{[]byte(c.labels[c.private.Labels[i]])}}
		if brought {
			records[i].Vector = own.Vector(t)
		}
	}
	counts.Add(plan.Vote(records))
	return plan.Release(counts, nil)
}

// collect returns the rows of a synthetic corpus.
func (c *codebook) collect(rows func(each func(synthesis.Row) error) error) (learn.Releases, error) {
	class := map[string]int{}
	for i, name := range c.labels {
		class[name] = i
	}
	out := learn.Releases{Codebook: c.corpus, Classes: c.labels}
	err := rows(func(r synthesis.Row) error {
		out.Texts = append(out.Texts, c.place[string(r.Text)])
		y, ok := class[r.Labels[0]]
		if !ok {
			return errors.New("experiment: a synthetic row has a label that is none of the set's")
		}
		out.Class = append(out.Class, y)
		out.Weights = append(out.Weights, r.Weight)
		return nil
	})
	return out, err
}

// learnt measures a classifier of releases.
func (c *codebook) learnt(ctx context.Context, r learn.Releases) (learn.Result, error) {
	m, _, err := learn.FitReleases(ctx, r, c.features(c.public), learn.Options{})
	if err != nil {
		return learn.Result{}, err
	}
	return c.compare(m), nil
}

// compared is the number of texts whose vectors are compared.
const compared = 1000

// likeness compares the drawn texts as a whole with the private ones.
func (c *codebook) likeness(drawn []int, values map[string]float64) {
	distinct := map[int]bool{}
	for _, z := range drawn {
		distinct[z] = true
	}
	values["seen"] = float64(len(distinct)) / float64(max(1, len(drawn)))
	of := func(n int, vector func(dst []int8, i int) []int8) [][]float32 {
		var all [][]float32
		for i := range min(n, compared) {
			all = append(all, unit(vector(nil, i)))
		}
		return all
	}
	secret := c.privateVectors()
	values["distance"] = metric.KernelDistance(secret, of(len(drawn), func(dst []int8, i int) []int8 { return c.corpus.Vector(dst, drawn[i]) }))
	values["public_distance"] = metric.KernelDistance(secret, of(c.corpus.Len(), func(dst []int8, i int) []int8 { return c.corpus.Vector(dst, i) }))
}

// unit returns a grid vector scaled to length 1; a zero vector stays.
func unit(grid []int8) []float32 {
	v := make([]float64, len(grid))
	for k, x := range grid {
		v[k] = float64(x)
	}
	firstwords.Scale(v, 1)
	out := make([]float32, len(v))
	for k, x := range v {
		out[k] = float32(x)
	}
	return out
}

// SyntheticRow returns one row of a synthetic corpus. Parameters: those of Synthetic, and text, its
// number from 0 among the drawn rows.
func SyntheticRow(ctx context.Context, b *Bench, p result.Params, seed uint64) (result.Outcome, error) {
	c, err := b.codebook(ctx, p)
	if err != nil {
		return result.Outcome{}, err
	}
	r, err := c.synthesize(ctx, p, seed, nil)
	if err != nil {
		return leftOut(err)
	}
	drawn, err := c.collect(func(each func(synthesis.Row) error) error { return r.Draw(ctx, 0, nil, each) })
	if err != nil {
		return result.Outcome{}, err
	}
	s, at := r.Statement(), number(p, "text")
	return result.Outcome{Texts: map[string]string{"label": c.labels[drawn.Class[at]], "row": c.corpus.Text(drawn.Texts[at])}, Evidence: result.Evidence{Claim: &s.Claim, Standing: &s.Standing}}, nil
}
