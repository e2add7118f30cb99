package opening

import (
	"context"

	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/corpus/program"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/learn"
	"github.com/sotto-dp/sotto/privacy/identity"
	"github.com/sotto-dp/sotto/text/about"
)

// Features are a corpus with the features of its encoder, and the source that a model
// states.
type Features struct {
	Corpus  *corpus.Corpus
	Drawn   *corpus.Corpus // by which the release was drawn: Corpus, or what it was before it was cut along words
	Encoder learn.Encoder
	table   *embedding.Table // for first words; nil for none
	Channel learn.Channel
	Cells   learn.Cells // of a synthetic corpus; nil for none
	Along   bool        // the cells are cut along the words for labels
	Epsilon float64     // of the release in cells
	// labelled: the claim of the release covers the labels too.
	Labelled   bool
	Columns    []string        // the labels of a synthetic corpus
	Written    *identity.Drawn // its rows; nil if its report does not state them
	Randomness string          // of the release, as its report states it
	Documents  *int            // of the release; nil if its report does not state them
	Source     learn.Source
	Program    *program.Program // that makes the vectors; nil for none
}

// RowMaker makes the features of texts. A row is valid until the next call. It is for one
// goroutine.
type RowMaker interface {
	Dim() int
	Row(text []byte) (learn.Row, error)
}

// corpusRows are features by a corpus, averaged over the nearest texts of it where
// smooth is above 0.
type corpusRows struct {
	features *learn.Features
	corpus   *corpus.Corpus
	smooth   int
}

func (r corpusRows) Dim() int { return r.features.Dim() }

func (r corpusRows) Row(text []byte) (learn.Row, error) {
	if r.smooth > 0 {
		return r.features.SmoothRow(r.corpus, text, min(r.smooth, r.corpus.Len()))
	}
	return r.features.Row(text), nil
}

// Rows makes the features that a model reads.
func (f *Features) Rows(smooth int, v *learn.Vocabulary) RowMaker {
	return corpusRows{f.New(v), f.Corpus, smooth}
}

// New returns the features with those of a vocabulary, nil for none.
func (f *Features) New(v *learn.Vocabulary) *learn.Features {
	return learn.NewFeatures(f.Encoder, f.table, v)
}

// Vocabulary returns the terms of texts, or where there are none those of the corpus.
func (f *Features) Vocabulary(texts [][]byte) *learn.Vocabulary {
	if texts == nil {
		return learn.CodebookVocabulary(f.table, f.Corpus)
	}
	return learn.FitVocabulary(f.table, len(texts), func(i int) []byte { return texts[i] })
}

// Knowledge returns what the words for labels of the corpus teach without any private text,
// nil if there are no such words.
func (f *Features) Knowledge(ctx context.Context, v *learn.Vocabulary, classes []string) (*learn.Model, error) {
	w := f.Corpus.Words()
	if w == nil {
		return nil, nil
	}
	return learn.FromWords(ctx, f.New(v), f.Corpus, learn.Labelling{Words: w, Classes: classes, Components: f.Corpus.AboutDim()})
}

// OpenFeatures opens a corpus with its encoder, along words for labels if words is not nil. If
// the encoder has a table of words, that is used for the features of first words too.
func OpenFeatures(ctx context.Context, name, embeddings string, words *about.Words) (f *Features, err error) {
	f = &Features{}
	if f.Corpus, err = Corpus(ctx, name); err != nil {
		return nil, err
	}
	if f.Encoder, err = Encoder(ctx, f.Corpus, embeddings); err != nil {
		return nil, err
	}
	f.Drawn = f.Corpus
	if words != nil {
		if f.Corpus, err = Along(ctx, f.Corpus, words, nil, nil); err != nil {
			return nil, err
		}
		if f.Encoder, err = f.Corpus.Encoder(nil); err != nil {
			return nil, err
		}
	}
	f.Source = learn.Source{Name: f.Corpus.Name(), Corpus: f.Corpus.Digest()}
	if w := f.Corpus.Words(); w != nil {
		f.Source.About = w.Digest()
	}
	if card := f.Corpus.Card().Encoder.Table; card != nil {
		if embeddings == "" {
			embeddings = card.Name
		}
		table, err := Table(ctx, embeddings)
		if err != nil {
			return nil, err
		}
		if table.Digest() == card.SHA256 {
			f.table, f.Source.Table = table, card.SHA256
		}
	}
	return f, nil
}

// ProgramFeatures opens a corpus with the program that made its vectors, which ends with ctx.
// If it fails, fail is called with the error.
func ProgramFeatures(ctx context.Context, name, command string, fail context.CancelCauseFunc) (*Features, error) {
	c, err := Corpus(ctx, name)
	if err != nil {
		return nil, err
	}
	p, err := EncoderProgram(ctx, command, c)
	if err != nil {
		return nil, err
	}
	context.AfterFunc(ctx, p.Close)
	return &Features{Corpus: c, Drawn: c, Encoder: p.One(ctx, fail), Program: p, Source: learn.Source{Name: c.Name(), Corpus: c.Digest()}}, nil
}
