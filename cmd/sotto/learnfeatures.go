package main

import (
	"context"

	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/learn"
)

// features are a corpus with the features of its encoder, and the source that a model
// states.
type features struct {
	corpus  *corpus.Corpus
	encoder *corpus.Encoder
	table   *embedding.Table // for first words; nil for none
	channel learn.Channel
	cells   learn.Cells // of a synthetic corpus; nil for none
	// labelled: the claim of the release covers the labels too.
	labelled   bool
	randomness string // of the release, as its report states it
	documents  *int   // of the release; nil if its report does not state them
	source     learn.Source
}

// rowMaker makes the features of texts. It is for one goroutine.
type rowMaker interface {
	Dim() int
	row(dst []float32, text []byte) ([]float32, error)
}

// corpusRows are features by a corpus, averaged over the nearest texts of it where
// smooth is above 0.
type corpusRows struct {
	*learn.Features
	corpus *corpus.Corpus
	smooth int
}

func (r corpusRows) row(dst []float32, text []byte) ([]float32, error) {
	if r.smooth > 0 {
		return r.AppendSmooth(dst, r.corpus, text, min(r.smooth, r.corpus.Len()))
	}
	return r.Append(dst, text), nil
}

func (f *features) rows(smooth int) rowMaker { return corpusRows{f.new(), f.corpus, smooth} }

func (f *features) new() *learn.Features { return learn.NewFeatures(f.encoder, f.table) }

// openFeatures opens a corpus with its encoder. If the encoder has a table of words, that
// is used for the features of first words too.
func openFeatures(ctx context.Context, name, embeddings string) (f *features, err error) {
	f = &features{}
	if f.corpus, err = openCorpus(ctx, name); err != nil {
		return nil, err
	}
	if f.encoder, err = openEncoder(ctx, f.corpus, embeddings); err != nil {
		return nil, err
	}
	f.source = learn.Source{Name: f.corpus.Name(), Corpus: f.corpus.Digest()}
	if card := f.corpus.Card().Encoder.Table; card != nil {
		if embeddings == "" {
			embeddings = card.Name
		}
		table, err := openTable(ctx, embeddings)
		if err != nil {
			return nil, err
		}
		if table.Digest() == card.SHA256 {
			f.table, f.source.Table = table, card.SHA256
		}
	}
	return f, nil
}
