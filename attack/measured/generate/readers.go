package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/sotto-dp/sotto/attack"
	"github.com/sotto-dp/sotto/attack/measured"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/language"
	"github.com/sotto-dp/sotto/mechanism"
)

// reader is a reader with public texts.
type reader struct {
	measured.Card
	model   *language.Model
	adapted *attack.Adapted
}

// tries reports whether a reader is tried, by what another recovers. One who adapts takes long,
// longer with dense columns; where little is recovered he follows errors, and where nearly all is
// recovered he has nothing to gain.
func (r reader) tries(e mechanism.Entry, recovered float64) bool {
	const little, nearlyAll = 0.25, 0.95
	return r.Reader == measured.Ngram || e.Cost != mechanism.Certificate && little <= recovered && recovered <= nearlyAll
}

// readers returns a reader with a model of order 3 of the first training texts, and one with a
// model of order 4 of all public texts, who adapts it.
func (n *news) readers(ctx context.Context, training, further []string) ([]reader, error) {
	ngram, err := n.reader(ctx, training[:trained], language.DefaultOrder)
	if err != nil {
		return nil, err
	}
	adapted, err := n.reader(ctx, slices.Concat(training, further), language.MostTrained)
	if err != nil {
		return nil, err
	}
	ngram.Reader, ngram.adapted = measured.Ngram, nil
	ngram.Prior = fmt.Sprintf("AG News, training part, the first %d texts", trained)
	adapted.Reader = measured.Adapted
	adapted.Prior = fmt.Sprintf("AG News, %d texts of the training part and %d of the test part", len(training), len(further))
	return []reader{ngram, adapted}, nil
}

// reader trains the model of some texts.
func (n *news) reader(ctx context.Context, texts []string, order int) (r reader, err error) {
	own := map[string]int{}
	for _, t := range n.test {
		own[t]++
	}
	r.adapted = &attack.Adapted{Table: n.table}
	for _, t := range texts {
		r.Known += own[t]
		delete(own, t)
		ids, _ := n.tokenizer.Tokenize(nil, []byte(t))
		r.adapted.Texts = append(r.adapted.Texts, ids)
	}
	r.model, err = language.Train(ctx, n.table, func(yield func([]embedding.ID, error) bool) {
		for _, ids := range r.adapted.Texts {
			if !yield(ids, nil) {
				return
			}
		}
	}, language.Options{Order: order, Public: true})
	if err != nil {
		return r, err
	}
	card := r.model.Card()
	r.Order, r.Trained, r.Model = card.Order, card.Corpus.Tokens, r.model.Digest()
	return r, nil
}
