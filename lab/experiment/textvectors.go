package experiment

import (
	"context"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/lab/dataset"
	"github.com/sotto-dp/sotto/lab/private"
	"github.com/sotto-dp/sotto/lab/result"
	"github.com/sotto-dp/sotto/learn"
	"github.com/sotto-dp/sotto/privacy"
)

// TextVectors releases one vector of each private text, learns a linear classifier from
// them with the second moment of the noise known (learn.FitVectors), and measures it on
// the clear vectors of texts that are released by nobody. Every mechanism has the same
// loss of the whole text, epsilon: that of a metric promise is spread over the diameter
// of the table. Parameters: set, private, measured (dev or test), test, table, mechanism,
// epsilon, learnt (from the "release", or from the "clear" vectors that it is drawn for,
// which need no epsilon).
func TextVectors(ctx context.Context, b *Bench, p result.Params, seed uint64) (result.Outcome, error) {
	set, err := b.Set(p.Get("set"))
	if err != nil {
		return result.Outcome{}, err
	}
	table, err := b.Table(p.Get("table"))
	if err != nil {
		return result.Outcome{}, err
	}
	parts, rest := set.Train.Cut(number(p, "private"))
	secret, measured := parts[0], set.Test
	if p.Get("measured") == "dev" {
		if measured = rest; rest.Len() == 0 {
			measured = set.Dev
		}
	}
	measured = measured.Some(number(p, "test"))
	e, err := openVectors(ctx, table, p, seed)
	if err != nil {
		return leftOut(err)
	}
	v := learn.Vectors{Classes: set.Labels, Class: secret.Labels, Signal: 1}
	if p.Get("learnt") != "clear" {
		released, _, err := e.EmbedAll(ctx, bytesOf(secret.Texts), sotto.Position{})
		if err != nil {
			return result.Outcome{}, err
		}
		for _, r := range released {
			v.Rows = append(v.Rows, r.Components...)
		}
		v.Noise, v.Signal = secondMoment(e)
	} else if v.Rows, err = clearRows(e, table, secret); err != nil {
		return result.Outcome{}, err
	}
	tests, err := clearRows(e, table, measured)
	if err != nil {
		return result.Outcome{}, err
	}
	v.Dim = len(v.Rows) / secret.Len()
	if len(tests)/measured.Len() != v.Dim { // a projection: that of a release almost without noise
		if tests, err = project(ctx, table, p, measured, seed); err != nil {
			return leftOut(err)
		}
	}
	m, _, err := learn.FitVectors(ctx, v, learn.Options{})
	if err != nil {
		return result.Outcome{}, err
	}
	labels, found := make([]string, measured.Len()), make([]string, measured.Len())
	for i, y := range measured.Labels {
		labels[i], found[i] = set.Labels[y], m.Predict(learn.Row{Features: tests[i*v.Dim : (i+1)*v.Dim]})
	}
	r := learn.Compare(labels, found)
	s, standing := e.Statement(sotto.Counts{}), e.Entry().Standing
	return result.Outcome{
		Values:   map[string]float64{"accuracy": r.Accuracy, "macro_f1": r.MacroF1, "dimensions": float64(v.Dim), "noise": v.Noise, "ridge": m.Ridge},
		Evidence: result.Evidence{Claim: &s.Claim, Standing: &standing},
	}, nil
}

// openVectors opens the mechanism at a loss of the whole text.
func openVectors(ctx context.Context, table *embedding.Table, p result.Params, seed uint64) (*sotto.Embedder, error) {
	epsilon, given := p.Number("epsilon")
	if !given {
		epsilon = 1 // clear vectors do not depend on it
	}
	name, spec, err := private.Setting{Name: p.Get("mechanism"), Epsilon: epsilon}.Spec()
	if err != nil {
		return nil, err
	}
	cfg := private.Vectors(table, name, spec)
	cfg.InsecureSeed = &seed
	e, err := sotto.OpenEmbedder(ctx, cfg)
	if err != nil {
		return nil, err
	}
	if claim := e.Statement(sotto.Counts{}).Claim; claim.Notion == privacy.Metric {
		cfg.Epsilon = epsilon / table.Diameter()
		return sotto.OpenEmbedder(ctx, cfg)
	}
	return e, nil
}

// secondMoment returns a and b of E zz' = a I + b xx'.
func secondMoment(e *sotto.Embedder) (noise, signal float64) {
	s := e.Statement(sotto.Counts{})
	if s.Debias != nil {
		return s.Debias.Noise, s.Debias.Signal
	}
	if sigma, ok := s.Parameters["sigma"].(float64); ok {
		return sigma * sigma, 1
	}
	scale, _ := s.Parameters["scale"].(float64)
	if s.Claim.Notion == privacy.Metric { // spherical: |z|^2 has the mean m (m + 1) scale^2
		return float64(e.Dimensions()+1) * scale * scale, 1
	}
	return 2 * scale * scale, 1
}

// clearRows returns the vectors that texts would be drawn for: unit vectors, or averages
// that are clipped as the mechanism does.
func clearRows(e *sotto.Embedder, table *embedding.Table, s dataset.Split) (rows []float32, err error) {
	for _, t := range s.Texts {
		if rows, err = e.Unprotected(rows, []byte(t)); err == nil {
			continue
		}
		break
	}
	if err == nil {
		return rows, nil
	}
	rows = rows[:0]
	c := dataset.Encode(table, s)
	for i := range c.Len() {
		words := c.Text(i)
		if len(words) == 0 {
			words = append(words, table.Unknown())
		}
		sums := make([]float64, table.Dim())
		var v []float32
		for _, id := range words {
			v = table.Vector(v[:0], id)
			for k, x := range v {
				sums[k] += float64(x) / float64(len(words))
			}
		}
		for _, x := range sums {
			rows = append(rows, float32(x))
		}
	}
	return rows, nil
}

// project returns the images of texts under the public projection of a metric member:
// what it releases at an epsilon so large that noise is below a thousandth of a vector.
func project(ctx context.Context, table *embedding.Table, p result.Params, s dataset.Split, seed uint64) (rows []float32, err error) {
	name, spec, err := private.Setting{Name: p.Get("mechanism"), Epsilon: 1e5}.Spec()
	if err != nil {
		return nil, err
	}
	cfg := private.Vectors(table, name, spec)
	cfg.InsecureSeed = &seed
	e, err := sotto.OpenEmbedder(ctx, cfg)
	if err != nil {
		return nil, err
	}
	released, _, err := e.EmbedAll(ctx, bytesOf(s.Texts), sotto.Position{})
	for _, r := range released {
		rows = append(rows, r.Components...)
	}
	return rows, err
}
