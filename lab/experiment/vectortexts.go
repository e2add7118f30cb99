package experiment

import (
	"context"
	"fmt"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/lab/dataset"
	"github.com/sotto-dp/sotto/lab/metric"
	"github.com/sotto-dp/sotto/lab/model"
	"github.com/sotto-dp/sotto/lab/private"
	"github.com/sotto-dp/sotto/lab/result"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/catalog"
	"github.com/sotto-dp/sotto/privacy"
)

// VectorTexts releases one vector of each private text by a member with a codebook of
// directions, learns from these vectors, and measures the classifier on the clear
// vectors of texts as they are. Both are standardised, each by itself: noise makes
// released vectors longer. Parameters: set, private, test, table, mechanism ("none": the
// member's clear vectors), epsilon.
func VectorTexts(ctx context.Context, b *Bench, p result.Params, seed uint64) (result.Outcome, error) {
	set, err := b.Set(p.Get("set"))
	if err != nil {
		return result.Outcome{}, err
	}
	table, err := b.Table(p.Get("table"))
	if err != nil {
		return result.Outcome{}, err
	}
	parts, _ := set.Train.Cut(number(p, "private"))
	secret, measured := parts[0], set.Test.Some(number(p, "test"))
	name := p.Get("mechanism")
	if name == "none" {
		name = p.Get("vectors")
	}
	epsilon, given := p.Number("epsilon")
	if !given {
		epsilon = 1 // clear vectors do not depend on it
	}
	name, spec, err := private.Setting{Name: name, Epsilon: epsilon}.Spec()
	if err != nil {
		return result.Outcome{}, err
	}
	of, err := clearVectors(ctx, table, name, spec)
	if err != nil {
		return leftOut(err)
	}
	var rows [][]float64
	var evidence result.Evidence
	if p.Get("mechanism") == "none" {
		rows = of(secret)
	} else {
		cfg := private.Vectors(table, name, spec)
		cfg.InsecureSeed = &seed
		if rows, evidence, err = embed(ctx, cfg, secret.Texts); err != nil {
			return leftOut(err)
		}
	}
	tests := of(measured)
	model.Standardise(rows)
	model.Standardise(tests)
	m, err := model.FitSoftmax(rows, secret.Labels, len(set.Labels), 1e-2)
	if err != nil {
		return result.Outcome{}, err
	}
	found := best(m, tests)
	return result.Outcome{
		Values:   map[string]float64{"accuracy": metric.Accuracy(found, measured.Labels), "macro_f1": metric.MacroF1(found, measured.Labels, len(set.Labels)), "dimensions": float64(len(rows[0]))},
		Evidence: evidence,
	}, nil
}

// embed releases a vector of each text.
func embed(ctx context.Context, cfg sotto.Vectors, texts []string) ([][]float64, result.Evidence, error) {
	e, err := sotto.OpenEmbedder(ctx, cfg)
	if err != nil {
		return nil, result.Evidence{}, err
	}
	released, counts, err := e.EmbedAll(ctx, bytesOf(texts), sotto.Position{})
	if err != nil {
		return nil, result.Evidence{}, err
	}
	rows := make([][]float64, len(released))
	for i, v := range released {
		for _, x := range v.Components {
			rows[i] = append(rows[i], float64(x))
		}
	}
	s, standing := e.Statement(counts), e.Entry().Standing
	return rows, result.Evidence{Claim: &s.Claim, Standing: &standing}, nil
}

// clearVectors returns the public map from texts to the vectors that a member would
// release without noise.
func clearVectors(ctx context.Context, table *embedding.Table, name string, spec mechanism.Spec) (func(dataset.Split) [][]float64, error) {
	entry, ok := catalog.Find(name)
	if !ok || entry.NewPerturber == nil {
		return nil, &sotto.UnknownMechanismError{Name: name}
	}
	perturber, err := entry.NewPerturber(ctx, table, spec)
	if err != nil {
		return nil, err
	}
	coded, ok := perturber.(mechanism.Coded)
	if !ok {
		return nil, fmt.Errorf("experiment: %s has no codebook of directions", name)
	}
	return func(s dataset.Split) [][]float64 {
		rows := model.AveragesOf(model.VectorsOf(table), dataset.Encode(table, s))
		for i, row := range rows {
			average := make([]float32, len(row))
			for k, x := range row {
				average[k] = float32(x)
			}
			v := unit(coded.Grid(nil, average))
			rows[i] = make([]float64, len(v))
			for k, x := range v {
				rows[i][k] = float64(x)
			}
		}
		return rows
	}, nil
}

// WordByWord rewrites private texts word by word under a cap on whole texts, which
// spreads epsilon evenly over the words of the longest text, and learns from the copies
// as Learn does. longest is the number of words of that text, word_epsilon the share of
// each. Outside of a measurement the length of private texts must not choose the cap.
// Parameters: set, private, test, table, mechanism, epsilon.
func WordByWord(ctx context.Context, b *Bench, p result.Params, seed uint64) (result.Outcome, error) {
	set, err := b.Set(p.Get("set"))
	if err != nil {
		return result.Outcome{}, err
	}
	table, err := b.Table(p.Get("table"))
	if err != nil {
		return result.Outcome{}, err
	}
	parts, _ := set.Train.Cut(number(p, "private"))
	secret := parts[0]
	train := dataset.Encode(table, secret)
	longest := 0
	for i := range train.Len() {
		longest = max(longest, len(train.Text(i)))
	}
	name, spec, err := private.Setting{Name: p.Get("mechanism")}.Spec()
	if err != nil {
		return result.Outcome{}, err
	}
	total, _ := p.Number("epsilon")
	r, err := sotto.Open(ctx, sotto.Words{
		Table: table, Mechanism: name, Parameters: spec.Parameters, Published: spec.Published, Accept: privacy.Refuted, Cap: sotto.Cap{Epsilon: total, Tokens: longest},
		InsecureSeed: &seed, Open: spec.Open, Cache: spec.Cache,
	})
	if err != nil {
		return leftOut(err)
	}
	written, err := rewrite(ctx, r, secret.Texts)
	if err != nil {
		return result.Outcome{}, err
	}
	claim, standing := r.Claim(), r.Entry().Standing
	values, err := taught(table, secret, dataset.Split{Texts: written, Labels: secret.Labels}, set.Test.Some(number(p, "test")), len(set.Labels))
	if err != nil {
		return result.Outcome{}, err
	}
	values["longest"], values["word_epsilon"] = float64(longest), claim.Epsilon
	return result.Outcome{Values: values, Evidence: result.Evidence{Claim: &claim, Standing: &standing}}, nil
}

// rewrite returns the private copies of texts.
func rewrite(ctx context.Context, r *sotto.Rewriter, texts []string) ([]string, error) {
	pending, err := r.Read(bytesOf(texts))
	if err != nil {
		return nil, err
	}
	drawn, err := pending.Draw(ctx)
	if err != nil {
		return nil, err
	}
	written := make([]string, len(drawn))
	for i, t := range drawn {
		written[i] = string(t)
	}
	return written, nil
}

// taught measures what copies of private texts teach a classifier of averaged vectors, on
// texts as they are, and how like the texts they are.
func taught(table *embedding.Table, secret, written, measured dataset.Split, classes int) (map[string]float64, error) {
	before, after := dataset.Encode(table, secret), dataset.Encode(table, written)
	vectors := model.VectorsOf(table)
	accuracy, err := learnt(vectors, vectors, after, dataset.Encode(table, measured), classes)
	return map[string]float64{"accuracy": accuracy, "rouge1": rouge(before, after)}, err
}
