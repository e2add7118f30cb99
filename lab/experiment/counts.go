package experiment

import (
	"context"
	"errors"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/estimate"
	"github.com/sotto-dp/sotto/lab/dataset"
	"github.com/sotto-dp/sotto/lab/metric"
	"github.com/sotto-dp/sotto/lab/model"
	"github.com/sotto-dp/sotto/lab/result"
	"github.com/sotto-dp/sotto/mechanism"
)

// Corrected compares what learns from rewritten training text with and without
// using that the channel is public, on test text as it is. By figure:
//
//   - vectors: the softmax regression of Learn; vectors_through: the same, where a
//     word of a test text is represented by the mean vector of its output;
//   - counts: naive Bayes on the words' counts in each class; counts_unbiased and
//     counts_nonnegative: on counts corrected by package estimate; counts_through:
//     on the counts as they are, where a word of a test text is represented by its output.
//
// Counts as they are are smoothed by 1, unbiased ones by the mean deviation of a
// word in the class, fitted ones by as many tokens again, spread over all words.
//
// Parameters as for Learn, and unbiased: 0 leaves out counts_unbiased.
func Corrected(ctx context.Context, b *Bench, p result.Params, seed uint64) (result.Outcome, error) {
	s, err := b.wordLevel(p)
	if err != nil {
		return leftOut(err)
	}
	t, err := b.task(s, p, seed)
	if err != nil {
		return result.Outcome{}, err
	}
	copied, test, classes, values := t.copied, t.test, t.classes, map[string]float64{}
	vectors := model.VectorsOf(s.table)
	if values["vectors"], err = learnt(vectors, vectors, copied, test, classes); err != nil {
		return result.Outcome{}, err
	}
	counts, texts := model.Counts(copied, classes, s.table.Len())
	say := func(name string, m *model.Bayes) { values[name] = metric.Accuracy(m.Predict(test), test.Labels) }
	ones, uniform := make([]float64, classes), make([]float64, classes)
	for k, row := range counts {
		ones[k] = 1
		for _, n := range row {
			uniform[k] += float64(n) / float64(len(row))
		}
	}
	plain := model.NewBayes(texts, reals(counts), ones)
	say("counts", plain)
	if s.opened == nil {
		return s.outcome(values), nil
	}
	if values["vectors_through"], err = learnt(vectors, s.expected(vectors), copied, test, classes); err != nil {
		return result.Outcome{}, err
	}
	say("counts_through", plain.Through(func(v []float64) []float64 { return single(s.expected(columns(v))) }))
	e, err := estimate.New(ctx, s.opened.Mechanism.(mechanism.Channel), s.table, nil)
	if err != nil {
		return result.Outcome{}, err
	}
	fits, err := e.Nonnegative(ctx, counts)
	if err != nil {
		return result.Outcome{}, err
	}
	fitted := make([][]float64, classes)
	for k, fit := range fits {
		fitted[k] = fit.Counts
	}
	say("counts_nonnegative", model.NewBayes(texts, fitted, uniform))
	if number(p, "unbiased") == 0 {
		return s.outcome(values), nil
	}
	words := make([]embedding.ID, s.table.Len())
	for x := range words {
		words[x] = embedding.ID(x)
	}
	found, err := e.Estimate(ctx, estimate.Query{Parts: counts, Words: words, Confidence: 0.95})
	if inseparable := (*estimate.InseparableError)(nil); errors.As(err, &inseparable) {
		return s.outcome(values), nil // there is nothing unbiased to learn from
	}
	if err != nil {
		return result.Outcome{}, err
	}
	unbiased, deviations := make([][]float64, classes), make([]float64, classes)
	for k, row := range found {
		for _, c := range row {
			unbiased[k] = append(unbiased[k], c.Value)
			deviations[k] += c.Deviation / float64(len(row))
		}
	}
	say("counts_unbiased", model.NewBayes(texts, unbiased, deviations))
	return s.outcome(values), nil
}

// learnt returns the accuracy of labelled.
func learnt(vectors, known [][]float64, train, test dataset.Corpus, classes int) (float64, error) {
	found, err := labelled(vectors, known, train, test, classes)
	if err != nil {
		return 0, err
	}
	return metric.Accuracy(found, test.Labels), nil
}

// labelled returns the labels that a softmax regression on averages of vectors finds for
// the test texts. Columns are standardised in each part by itself. known are the vectors of
// the words of the test texts.
func labelled(vectors, known [][]float64, train, test dataset.Corpus, classes int) ([]int, error) {
	const penalty = 1e-2
	rows, tests := model.AveragesOf(vectors, train), model.AveragesOf(known, test)
	model.Standardise(rows)
	model.Standardise(tests)
	m, err := model.FitSoftmax(rows, train.Labels, classes, penalty)
	if err != nil {
		return nil, err
	}
	return best(m, tests), nil
}

func reals(counts [][]int) [][]float64 {
	out := make([][]float64, len(counts))
	for k, row := range counts {
		for _, c := range row {
			out[k] = append(out[k], float64(c))
		}
	}
	return out
}

// columns makes vectors of one component; single takes them apart.
func columns(values []float64) [][]float64 {
	out := make([][]float64, len(values))
	for i, v := range values {
		out[i] = []float64{v}
	}
	return out
}

func single(vectors [][]float64) []float64 {
	out := make([]float64, len(vectors))
	for i, v := range vectors {
		out[i] = v[0]
	}
	return out
}
