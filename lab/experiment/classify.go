package experiment

import (
	"context"

	"github.com/sotto-dp/sotto/lab/metric"
	"github.com/sotto-dp/sotto/lab/model"
	"github.com/sotto-dp/sotto/lab/result"
)

// Classify trains a bag of words on rewritten training text and tests it on
// text as it is. Parameters: set, table, mechanism, epsilon, train and test
// (numbers of texts, 0 for all).
func Classify(_ context.Context, b *Bench, p result.Params, seed uint64) (result.Outcome, error) {
	s, err := b.setup(p)
	if err != nil {
		return leftOut(err)
	}
	values, err := b.classify(s, p, seed)
	return s.outcome(values), err
}

func (b *Bench) classify(s setup, p result.Params, seed uint64) (map[string]float64, error) {
	set, err := b.Set(p.Get("set"))
	if err != nil {
		return nil, err
	}
	train, err := b.Corpus(set.Name, "train", number(p, "train"), s.table)
	if err != nil {
		return nil, err
	}
	test, err := b.Corpus(set.Name, "test", number(p, "test"), s.table)
	if err != nil {
		return nil, err
	}
	copied, err := s.rewrite(train, seed, 0)
	if err != nil {
		return nil, err
	}
	m := model.NewBag(s.table, len(set.Labels))
	cfg := model.DefaultBag
	cfg.Seed = seed
	m.Fit(copied, cfg)
	found := m.Predict(test)
	return map[string]float64{
		"accuracy":  metric.Accuracy(found, test.Labels),
		"macro_f1":  metric.MacroF1(found, test.Labels, len(set.Labels)),
		"unchanged": metric.Unchanged(train.Words, copied.Words),
		"fitted":    metric.Accuracy(m.Predict(copied), copied.Labels),
	}, nil
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

func best(m *model.Softmax, rows [][]float64) []int {
	out := make([]int, len(rows))
	for i, row := range rows {
		out[i] = m.Best(row)
	}
	return out
}

func (b *Bench) learn(s setup, p result.Params, seed uint64) (map[string]float64, error) {
	set, err := b.Set(p.Get("set"))
	if err != nil {
		return nil, err
	}
	train, err := b.Corpus(set.Name, "train", number(p, "train"), s.table)
	if err != nil {
		return nil, err
	}
	test, err := b.Corpus(set.Name, "test", number(p, "test"), s.table)
	if err != nil {
		return nil, err
	}
	copied, err := s.rewrite(train, seed, 0)
	if err != nil {
		return nil, err
	}
	const penalty = 1e-2
	rows, tests := model.Averages(s.table, copied), model.Averages(s.table, test)
	model.Standardise(rows)
	model.Standardise(tests)
	m, err := model.FitSoftmax(rows, train.Labels, len(set.Labels), penalty)
	if err != nil {
		return nil, err
	}
	found := best(m, tests)
	return map[string]float64{
		"accuracy":  metric.Accuracy(found, test.Labels),
		"macro_f1":  metric.MacroF1(found, test.Labels, len(set.Labels)),
		"unchanged": metric.Unchanged(train.Words, copied.Words),
	}, nil
}
