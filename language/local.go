package language

import (
	"context"
	"errors"
	"iter"
	"math/bits"

	"github.com/sotto-dp/sotto/embedding"
)

// Local is a model of few texts, for one who trains many: the model of order [MostTrained] that
// [Train] makes, in time and memory by the words that the texts have and not by those of the
// vocabulary. It gives these words numbers, and all others have one chance. It is for one
// goroutine.
type Local struct {
	// Model is that of the numbers, asked for chances alone: it has no vocabulary, and
	// [Model.Continuations], Ranked and Rest panic.
	Model *Model
	// Unseen is the log-probability without context of each word that no text has. It follows
	// a context as a word does that the model has not seen after it, and what follows it has
	// no context.
	Unseen float64

	number []uint32 // of each word: 1 + its number; 0 for one that no text has
	words  []embedding.ID
	occurs []uint64 // a bit for each word of the texts; none between trainings
}

// NewLocal returns what trains models of a vocabulary of some words.
func NewLocal(words int) *Local {
	return &Local{number: make([]uint32, words), occurs: make([]uint64, words/64+1)}
}

// Number returns the number of a word; ok is false if no text has it.
func (l *Local) Number(w embedding.ID) (number embedding.ID, ok bool) {
	n := l.number[w]
	return embedding.ID(n - 1), n > 0
}

// Train replaces the model by that of some texts, which are read twice.
func (l *Local) Train(ctx context.Context, texts iter.Seq[[]embedding.ID]) error {
	l.renumber(texts)
	if len(l.words) == 0 {
		return errors.New("language: the texts have no words")
	}
	t := &tokens{words: uint32(len(l.words))}
	if _, err := t.read(ctx, l.numbered(texts)); err != nil {
		return err
	}
	m, _, unseen, err := t.model(ctx, MostTrained, len(l.number))
	if err != nil {
		return err
	}
	m.card.Words = len(l.words)
	l.Model, l.Unseen = m, unseen
	return nil
}

// numbered returns texts in the numbers of their words.
func (l *Local) numbered(texts iter.Seq[[]embedding.ID]) iter.Seq2[[]embedding.ID, error] {
	return func(yield func([]embedding.ID, error) bool) {
		var numbers []embedding.ID
		for ids := range texts {
			numbers = numbers[:0]
			for _, id := range ids {
				numbers = append(numbers, embedding.ID(l.number[id]-1))
			}
			if !yield(numbers, nil) {
				return
			}
		}
	}
}

// renumber numbers the words of some texts in the order of their IDs, which is what makes the
// n-grams come in the order of those of Train.
func (l *Local) renumber(texts iter.Seq[[]embedding.ID]) {
	for _, w := range l.words {
		l.number[w] = 0
	}
	l.words = l.words[:0]
	for ids := range texts {
		for _, id := range ids {
			l.occurs[id/64] |= 1 << (id % 64)
		}
	}
	for i, block := range l.occurs {
		for ; block != 0; block &= block - 1 {
			w := embedding.ID(64*i + bits.TrailingZeros64(block))
			l.words = append(l.words, w)
			l.number[w] = uint32(len(l.words))
		}
		l.occurs[i] = 0
	}
}
