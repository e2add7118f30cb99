package experiment

import (
	"context"

	"github.com/sotto-dp/sotto/audit"
	"github.com/sotto-dp/sotto/lab/metric"
	"github.com/sotto-dp/sotto/lab/model"
	"github.com/sotto-dp/sotto/lab/private"
	"github.com/sotto-dp/sotto/lab/result"
	"github.com/sotto-dp/sotto/mechanism"
)

// wordLevel is setup for comparing members at the same word-level loss: members of
// metric kind are opened at a certified pure epsilon of at most the trial's.
func (b *Bench) wordLevel(p result.Params) (setup, error) {
	if p.Get("mechanism") != "exponential" {
		return b.setup(p)
	}
	table, err := b.Table(p.Get("table"))
	if err != nil {
		return setup{}, err
	}
	epsilon, _ := p.Number("epsilon")
	m, err := b.Opener.AtPure(table, p.Get("mechanism"), epsilon)
	return setup{table, m}, err
}

// Readable measures how readable the rewritten texts of a test part are: the mean distance
// of a word to its output, the share of unchanged words, and the perplexity of the
// rewritten texts under a trigram model of the training part as it is. best_guess is the
// success of the best guess of a word where every word is as likely, accuracy that of
// Learn. Parameters as for Learn.
func Readable(ctx context.Context, b *Bench, p result.Params, seed uint64) (result.Outcome, error) {
	s, err := b.wordLevel(p)
	if err != nil {
		return leftOut(err)
	}
	t, err := b.task(s, p, seed)
	if err != nil {
		return result.Outcome{}, err
	}
	read, err := s.rewrite(t.test, seed, 1)
	if err != nil {
		return result.Outcome{}, err
	}
	distance := 0.0
	for i, x := range t.test.Words {
		distance += s.table.Distance(x, read.Words[i]) / float64(len(t.test.Words))
	}
	judge, err := metric.Trigram(ctx, s.table, t.train.Texts())
	if err != nil {
		return result.Outcome{}, err
	}
	values := map[string]float64{
		"distance":   distance,
		"unchanged":  metric.Unchanged(t.test.Words, read.Words),
		"perplexity": metric.Perplexity(judge, read.Texts()),
		"best_guess": 1,
	}
	if s.opened != nil {
		c := s.opened.Mechanism.(mechanism.Channel)
		if values["best_guess"], _, err = audit.BayesSuccess(ctx, c, audit.UniformPrior(s.table.Len()), nil); err != nil {
			return result.Outcome{}, err
		}
		for _, at := range c.Settings() {
			if k, is := at.Value.(int); is && at.Name == "neighbours" {
				values["set_size"] = float64(k)
			}
		}
	}
	vectors := model.VectorsOf(s.table)
	values["accuracy"], err = learnt(vectors, vectors, t.copied, t.test, t.classes)
	return s.outcome(values), err
}

// expected returns the mean vector of each word's output.
func (s setup) expected(values [][]float64) [][]float64 {
	if s.opened == nil {
		return values
	}
	return private.Expect(s.opened.Mechanism.(mechanism.Channel), values)
}
