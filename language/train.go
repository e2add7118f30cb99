package language

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/progress"
)

// Options configures [Train].
type Options struct {
	// Order is the number of words of the longest n-gram: 2 to 4; 0 means 3.
	Order int
	// Public: the caller declares that the texts are public.
	Public bool
	// Progress, if not nil, receives reports.
	Progress progress.Func
}

// DefaultOrder is the order of a model if none is chosen, and MostTrained the greatest
// that can be.
const (
	DefaultOrder = 3
	MostTrained  = 4
)

// Train returns the model of some texts, each given by its words' IDs in the table. It
// stops at the first error of the texts. It needs 12 bytes per token and 40 per distinct
// n-gram.
func Train(ctx context.Context, table *embedding.Table, texts iter.Seq2[[]embedding.ID, error], o Options) (*Model, error) {
	if o.Order == 0 {
		o.Order = DefaultOrder
	}
	if o.Order < MinOrder || o.Order > MostTrained {
		return nil, fmt.Errorf("language: order must be %d to %d, got %d", MinOrder, MostTrained, o.Order)
	}
	vocabulary, err := VocabularyOf(table)
	if err != nil {
		return nil, err
	}
	t := &tokens{words: uint32(vocabulary.Len())}
	corpus, err := t.read(ctx, texts)
	if err != nil {
		return nil, err
	}
	if corpus.Tokens == 0 {
		return nil, errors.New("language: the texts have no words")
	}
	report := o.Progress.Stage("train")
	report.At(0, 3)
	m, discounts, _, err := t.model(ctx, o.Order, int(t.words))
	if err != nil {
		return nil, err
	}
	report.At(2, 3)
	m.vocabulary = vocabulary
	m.card = Card{Public: o.Public, Corpus: corpus, Discounts: discounts, Table: Table{table.Name(), table.Digest()}}
	if err := m.finish(ctx); err != nil {
		return nil, err
	}
	report.At(3, 3)
	return m, nil
}

// read appends texts.
func (t *tokens) read(ctx context.Context, texts iter.Seq2[[]embedding.ID, error]) (c Corpus, err error) {
	for ids, err := range texts {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return c, err
		}
		if len(ids)+2 > mostTokens-len(t.all) {
			return c, fmt.Errorf("language: more than %d tokens", mostTokens)
		}
		t.all = append(t.all, t.words+1)
		for _, id := range ids {
			if uint32(id) >= t.words {
				return c, fmt.Errorf("language: text %d has a word that is not of the table", c.Texts+1)
			}
			t.all = append(t.all, uint32(id))
		}
		t.all = append(t.all, t.words)
		c.Texts, c.Tokens = c.Texts+1, c.Tokens+len(ids)
	}
	return c, nil
}

// model returns the model of the tokens, which it drops: without a vocabulary, of which it has
// some words, without ranks and with an empty card. unseen is the log-probability of a word of
// the vocabulary that does not occur.
func (t *tokens) model(ctx context.Context, order, vocabulary int) (m *Model, d []Discount, unseen float64, err error) {
	all, err := t.levels(ctx, order)
	if err != nil {
		return nil, nil, 0, err
	}
	t.all = nil
	m = &Model{trie: join(t.words, all)}
	counts := make([]uint32, 0, m.trie.size())
	for i := range all {
		counts, all[i] = append(counts, all[i].count...), level{}
	}
	m.trie.adjust(counts)
	d, unseen = m.trie.smooth(counts, vocabulary)
	return m, d, unseen, nil
}

// finish completes a model: its card and what is computed from the n-grams.
func (m *Model) finish(ctx context.Context) error {
	c := &m.card
	c.Order, c.Words, c.Vocabulary = m.trie.order, m.vocabulary.Len(), m.vocabulary.digest
	c.NGrams = make([]int, c.Order)
	for k := range c.NGrams {
		c.NGrams[k] = int(m.trie.starts[k+1] - m.trie.starts[k])
	}
	m.trie.dense = newDense(m.trie)
	return m.trie.rank(ctx)
}
