package experiment

import (
	"context"
	"fmt"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/lab/dataset"
	"github.com/sotto-dp/sotto/lab/metric"
	"github.com/sotto-dp/sotto/lab/model"
	"github.com/sotto-dp/sotto/lab/private"
	"github.com/sotto-dp/sotto/lab/result"
	"github.com/sotto-dp/sotto/language"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/restore"
)

// Restored compares what classifiers learn from a release of words and from the same
// release after a public language model has restored it, on test texts as they are.
// By figure:
//
//   - words, vectors: accuracy of naive Bayes on counts of words, and of the softmax
//     regression of Learn, from the release as it is;
//   - restored_words, restored_vectors: from the restored release, of the mode
//     consensus; risk_words: of the mode risk;
//   - recovered: the share of private words that are the likeliest ones at their
//     position given the whole release; recovered_alone: given each output alone. Unlike
//     those of package attack, both count words that the table lacks as named where the
//     unknown entry is named, so that rows of all versions agree;
//     unchanged: the share of words that the release leaves as they are;
//   - public_texts: the texts of the language model; perplexity: of the private texts.
//
// Parameters: set, private (number of texts), test, table, mechanism ("none": the text
// as it is), epsilon, prior (the set whose training texts the language model has; for
// the set itself, those that are not private) and public (the most of them).
func Restored(ctx context.Context, b *Bench, p result.Params, seed uint64) (result.Outcome, error) {
	s, err := b.setup(p)
	if err != nil {
		return leftOut(err)
	}
	set, err := b.Set(p.Get("set"))
	if err != nil {
		return result.Outcome{}, err
	}
	parts, rest := set.Train.Cut(number(p, "private"))
	t := task{train: dataset.Encode(s.table, parts[0]), classes: len(set.Labels)}
	if t.test, err = b.Corpus(set.Name, "test", number(p, "test"), s.table); err != nil {
		return result.Outcome{}, err
	}
	if t.copied, err = s.rewrite(t.train, seed, 0); err != nil {
		return result.Outcome{}, err
	}
	values := map[string]float64{"unchanged": metric.Unchanged(t.train.Words, t.copied.Words)}
	values["words"] = t.byWords(t.copied, s.table.Len())
	if values["vectors"], err = t.byVectors(t.copied, s.table); err != nil {
		return result.Outcome{}, err
	}
	if s.opened == nil {
		return s.outcome(values), nil
	}
	public := rest
	if prior := p.Get("prior"); prior != set.Name {
		other, err := b.Set(prior)
		if err != nil {
			return result.Outcome{}, err
		}
		public = other.Train
	}
	lm, n, err := b.languageModel(ctx, s.table, p, dataset.WithoutRuns(public.Some(number(p, "public")).Texts, sharedRun, parts[0].Texts, set.Test.Texts))
	if err != nil {
		return result.Outcome{}, err
	}
	values["public_texts"], values["perplexity"] = float64(n), metric.Perplexity(lm, t.train.Texts())
	r, err := restoreCorpus(ctx, lm, s.opened, t.copied)
	if err != nil {
		return result.Outcome{}, err
	}
	values["recovered"] = metric.Unchanged(t.train.Words, r.risk.Words)
	values["recovered_alone"] = metric.Unchanged(t.train.Words, r.alone.Words)
	values["restored_words"], values["risk_words"] = t.byWords(r.consensus, s.table.Len()), t.byWords(r.risk, s.table.Len())
	values["restored_vectors"], err = t.byVectors(r.consensus, s.table)
	return s.outcome(values), err
}

// byWords returns the accuracy of naive Bayes, smoothed by 1, that learns from a copy of
// the private texts.
func (t task) byWords(copied dataset.Corpus, words int) float64 {
	counts, texts := model.Counts(copied, t.classes, words)
	ones := make([]float64, t.classes)
	for k := range ones {
		ones[k] = 1
	}
	return metric.Accuracy(model.NewBayes(texts, reals(counts), ones).Predict(t.test), t.test.Labels)
}

func (t task) byVectors(copied dataset.Corpus, table *embedding.Table) (float64, error) {
	vectors := model.VectorsOf(table)
	return learnt(vectors, vectors, copied, t.test, t.classes)
}

// publicModel is a language model with the number of its texts.
type publicModel struct {
	model *language.Model
	texts int
}

// languageModel returns the trigram model of some public texts, which the parameters
// name. Each is trained once.
func (b *Bench) languageModel(ctx context.Context, table *embedding.Table, p result.Params, public []string) (*language.Model, int, error) {
	key := ""
	for _, name := range []string{"set", "codebook", "private", "prior", "public", "table"} {
		key += p.Get(name) + " "
	}
	m, err := b.languages.get(key, func() (publicModel, error) {
		c := dataset.Encode(table, dataset.Split{Texts: public})
		m, err := metric.Trigram(context.WithoutCancel(ctx), table, c.Texts())
		return publicModel{m, len(public)}, err
	})
	if err != nil {
		return nil, 0, fmt.Errorf("experiment: %w", err)
	}
	return m.model, m.texts, nil
}

// restoredCorpus is what a model makes of a release.
type restoredCorpus struct{ consensus, risk, alone dataset.Corpus }

// restoreCorpus restores a release by its public channel.
func restoreCorpus(ctx context.Context, m *language.Model, opened *private.Opened, released dataset.Corpus) (*restoredCorpus, error) {
	channel, ok := opened.Mechanism.(mechanism.Channel)
	if !ok {
		return nil, fmt.Errorf("experiment: %s is no channel", opened.Setting.Name)
	}
	texts := released.Texts()
	c, err := restore.Columns(ctx, channel, opened.Table.Len(), texts, nil)
	if err != nil {
		return nil, err
	}
	d, err := restore.NewDecoder(m, c, restore.Options{Beam: restoringBeam})
	if err != nil {
		return nil, err
	}
	guesses := restore.NewAlone(m, c)
	var consensus, risk, alone []embedding.ID
	for _, text := range texts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		l, err := d.Read(text, nil)
		if err != nil {
			return nil, err
		}
		marginals := l.Marginals()
		consensus, risk = append(consensus, l.Consensus(marginals)...), append(risk, restore.Risk(marginals)...)
		for _, y := range text {
			alone = append(alone, guesses.Guess(y))
		}
	}
	return &restoredCorpus{released.With(consensus), released.With(risk), released.With(alone)}, nil
}

// restoringBeam is the number of nodes at a position that the decoder keeps: that of the
// command restore.
const restoringBeam = 50
