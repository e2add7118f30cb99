package experiment

import (
	"context"

	"github.com/sotto-dp/sotto/lab/dataset"
	"github.com/sotto-dp/sotto/lab/metric"
	"github.com/sotto-dp/sotto/lab/model"
	"github.com/sotto-dp/sotto/lab/result"
)

// task is a set's training texts, their rewritten copies, and test texts as they are.
type task struct {
	train, copied, test dataset.Corpus
	classes             int
}

// task reads the parameters set, train and test (numbers of texts, 0 for all).
func (b *Bench) task(s setup, p result.Params, seed uint64) (t task, err error) {
	set, err := b.Set(p.Get("set"))
	if err != nil {
		return t, err
	}
	t.classes = len(set.Labels)
	if t.train, err = b.Corpus(set.Name, "train", number(p, "train"), s.table); err != nil {
		return t, err
	}
	if t.test, err = b.Corpus(set.Name, "test", number(p, "test"), s.table); err != nil {
		return t, err
	}
	t.copied, err = s.rewrite(t.train, seed, 0)
	return t, err
}

// figures measures labels that were found for the test texts.
func (t task) figures(found []int) map[string]float64 {
	return map[string]float64{
		"accuracy":  metric.Accuracy(found, t.test.Labels),
		"macro_f1":  metric.MacroF1(found, t.test.Labels, t.classes),
		"unchanged": metric.Unchanged(t.train.Words, t.copied.Words),
	}
}

// Classify trains a bag of words on rewritten training text and tests it on
// text as it is. Parameters: set, table, mechanism, epsilon, train and test
// (numbers of texts, 0 for all).
func Classify(_ context.Context, b *Bench, p result.Params, seed uint64) (result.Outcome, error) {
	s, err := b.setup(p)
	if err != nil {
		return leftOut(err)
	}
	t, err := b.task(s, p, seed)
	if err != nil {
		return result.Outcome{}, err
	}
	m := fitBag(s, t.copied, t.classes, seed)
	values := t.figures(m.Predict(t.test))
	values["fitted"] = metric.Accuracy(m.Predict(t.copied), t.copied.Labels)
	return s.outcome(values), nil
}

func fitBag(s setup, c dataset.Corpus, classes int, seed uint64) *model.Bag {
	m := model.NewBag(s.table, classes)
	cfg := model.DefaultBag
	cfg.Seed = seed
	m.Fit(c, cfg)
	return m
}

// Learn is Classify with a softmax regression on averages of the table's own
// vectors, whose columns are standardised in the training and in the test texts
// each by itself, without labels: rewriting draws texts towards the table's mean.
func Learn(_ context.Context, b *Bench, p result.Params, seed uint64) (result.Outcome, error) {
	s, err := b.setup(p)
	if err != nil {
		return leftOut(err)
	}
	values, err := b.learn(s, p, seed)
	if err != nil {
		return result.Outcome{}, err
	}
	if s.opened != nil {
		if guess, sets, ok, err := b.bestGuess(s.opened); err != nil {
			return result.Outcome{}, err
		} else if ok {
			values["best_guess"], values["set_size"] = guess, sets
		}
	}
	return s.outcome(values), nil
}

func (b *Bench) learn(s setup, p result.Params, seed uint64) (map[string]float64, error) {
	t, err := b.task(s, p, seed)
	if err != nil {
		return nil, err
	}
	vectors := model.VectorsOf(s.table)
	found, err := labelled(vectors, vectors, t.copied, t.test, t.classes)
	if err != nil {
		return nil, err
	}
	return t.figures(found), nil
}

func best(m *model.Softmax, rows [][]float64) []int {
	out := make([]int, len(rows))
	for i, row := range rows {
		out[i] = m.Best(row)
	}
	return out
}
