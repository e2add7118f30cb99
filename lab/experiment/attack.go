package experiment

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/sotto-dp/sotto/audit"
	"github.com/sotto-dp/sotto/lab/dataset"
	"github.com/sotto-dp/sotto/lab/metric"
	"github.com/sotto-dp/sotto/lab/model"
	"github.com/sotto-dp/sotto/lab/private"
	"github.com/sotto-dp/sotto/lab/result"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/noise"
)

// bestGuess returns the chance that the best guess of a word from its output is
// right, every word as likely, and the size of the sets of neighbours; false
// where the mechanism is no channel.
func (b *Bench) bestGuess(m *private.Opened) (guess, sets float64, ok bool, err error) {
	c, ok := m.Mechanism.(mechanism.Channel)
	if !ok {
		return 0, 0, false, nil
	}
	sets = 1
	for _, s := range c.Settings() {
		if k, is := s.Value.(int); is && s.Name == "neighbours" {
			sets = float64(k)
		}
	}
	guess, err = b.guesses.get(fmt.Sprint(m.Table.Digest(), m.Setting), func() (float64, error) {
		success, _, err := audit.BayesSuccess(context.Background(), c, audit.UniformPrior(m.Table.Len()), nil)
		return success, err
	})
	return guess, sets, true, err
}

// attacker is the network of the TEM paper's section 5.3: two hidden layers of 64.
var attacker = model.MLPConfig{Hidden: []int{64, 64}, Epochs: 30, Batch: 64, Rate: 1e-3}

// Members is membership inference. The target classifier learns from a rewritten
// training part. The attacker, who knows the mechanism, trains a shadow
// classifier on a rewritten half of test-2 (members) and keeps the other half
// (others); a network learns to distinguish them by the shadow's answers to the
// texts as they are, and is then asked about the target: texts of the training
// part against texts of test-1. Parameters as for Classify; test counts each half.
func Members(_ context.Context, b *Bench, p result.Params, seed uint64) (result.Outcome, error) {
	s, err := b.setup(p)
	if err != nil {
		return leftOut(err)
	}
	set, err := b.Set(p.Get("set"))
	if err != nil {
		return result.Outcome{}, err
	}
	members, err := b.Corpus(set.Name, "train", number(p, "train"), s.table)
	if err != nil {
		return result.Outcome{}, err
	}
	others, err := b.Corpus(set.Name, "test-1", number(p, "test"), s.table)
	if err != nil {
		return result.Outcome{}, err
	}
	known, err := b.Corpus(set.Name, "test-2", number(p, "test"), s.table)
	if err != nil {
		return result.Outcome{}, err
	}
	inside, outside := known.Halves()
	classes := len(set.Labels)
	target, err := s.train(members, classes, seed, 0)
	if err != nil {
		return result.Outcome{}, err
	}
	shadow, err := s.train(inside, classes, seed, 1)
	if err != nil {
		return result.Outcome{}, err
	}
	rows, yes := answers(nil, nil, shadow, inside, true)
	rows, yes = answers(rows, yes, shadow, outside, false)
	cfg := attacker
	cfg.Seed = seed
	network := model.NewMLP(len(rows[0]), cfg)
	network.Fit(rows, yes, cfg)

	ask := members.Part(0, min(members.Len(), others.Len()))
	rows, yes = answers(nil, nil, target, ask, true)
	rows, yes = answers(rows, yes, target, others, false)
	scores := make([]float64, len(rows))
	for i, row := range rows {
		scores[i] = network.Score(row)
	}
	return s.outcome(map[string]float64{
		"auc":      metric.AUC(scores, yes),
		"accuracy": metric.Accuracy(target.Predict(others), others.Labels),
	}), nil
}

func (s setup) train(c dataset.Corpus, classes int, seed, stream uint64) (*model.Bag, error) {
	copied, err := s.rewrite(c, seed, stream)
	if err != nil {
		return nil, err
	}
	return fitBag(s, copied, classes, seed), nil
}

// answers appends what the attacker sees of each text: the chances of the
// classes, largest first, as log odds, and that of the right one.
func answers(rows [][]float32, yes []bool, m *model.Bag, c dataset.Corpus, member bool) ([][]float32, []bool) {
	odds := func(p float64) float32 {
		p = min(max(p, 1e-7), 1-1e-7)
		return float32(math.Log(p / (1 - p)))
	}
	p := make([]float64, m.Classes())
	for i := range c.Len() {
		m.Probabilities(p, c.Text(i))
		right := p[c.Labels[i]]
		slices.Sort(p)
		row := []float32{odds(right)}
		for k := len(p) - 1; k >= 0; k-- {
			row = append(row, odds(p[k]))
		}
		rows, yes = append(rows, row), append(yes, member)
	}
	return rows, yes
}

// priorStrength is the bigram prior's smoothing towards the words' frequency.
const priorStrength = 100

// inContext attacks rewritten texts of the set's test part with a bigram prior of
// the training part of another, public set.
func (b *Bench) inContext(ctx context.Context, m *private.Opened, p result.Params, seed uint64) (*audit.ContextAttack, error) {
	c, ok := m.Mechanism.(mechanism.Channel)
	if !ok {
		return nil, nil
	}
	public, err := b.Corpus(p.Get("prior"), "train", number(p, "prior_texts"), m.Table)
	if err != nil {
		return nil, err
	}
	prior, err := audit.NewBigram(m.Table.Len(), priorStrength)
	if err != nil {
		return nil, err
	}
	for i := range public.Len() {
		prior.Add(public.Text(i))
	}
	texts, err := b.Corpus(p.Get("set"), "test", number(p, "attacked"), m.Table)
	if err != nil {
		return nil, err
	}
	return audit.AttackInContext(ctx, c, prior, texts.Texts(), noise.Seeded(seed, 2))
}
