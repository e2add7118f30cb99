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
	// Vocabulary, if not nil, is that of the table, which need not be computed again.
	Vocabulary *Vocabulary
	// Unranked: the model is only asked for chances. [Model.Continuations], Ranked and Rest
	// panic.
	Unranked bool
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
	vocabulary := o.Vocabulary
	if vocabulary == nil {
		var err error
		if vocabulary, err = VocabularyOf(table); err != nil {
			return nil, err
		}
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
	all, err := t.levels(ctx, o.Order)
	if err != nil {
		return nil, err
	}
	t.all = nil
	report.At(1, 3)
	m := &Model{vocabulary: vocabulary, trie: join(t.words, all)}
	counts := make([]uint32, 0, m.trie.size())
	for i := range all {
		counts, all[i] = append(counts, all[i].count...), level{}
	}
	m.trie.adjust(counts)
	m.card = Card{Public: o.Public, Corpus: corpus, Discounts: m.trie.smooth(counts), Table: Table{table.Name(), table.Digest()}}
	report.At(2, 3)
	m.complete()
	if !o.Unranked {
		if err := m.trie.rank(ctx); err != nil {
			return nil, err
		}
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

// finish completes a model.
func (m *Model) finish(ctx context.Context) error {
	m.complete()
	return m.trie.rank(ctx)
}

// complete completes the card and what is computed from the n-grams, except for their ranks.
func (m *Model) complete() {
	c := &m.card
	c.Order, c.Words, c.Vocabulary = m.trie.order, m.vocabulary.Len(), m.vocabulary.digest
	c.NGrams = make([]int, c.Order)
	for k := range c.NGrams {
		c.NGrams[k] = int(m.trie.starts[k+1] - m.trie.starts[k])
	}
	m.trie.dense = newDense(m.trie)
}
