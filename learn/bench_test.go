package learn_test

import (
	"testing"

	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/embedding/builtin"
	"github.com/sotto-dp/sotto/learn"
)

// english is 4,608 texts of the embedded corpus, labelled by one of four clusters.
func english(b *testing.B) (book *corpus.Corpus, made func(*learn.Vocabulary) *learn.Features, texts, class []int) {
	book, err := corpus.English()
	if err != nil {
		b.Fatal(err)
	}
	table, err := builtin.English()
	if err != nil {
		b.Fatal(err)
	}
	encoder, err := book.Encoder(table)
	if err != nil {
		b.Fatal(err)
	}
	clusters, err := book.Clusters(b.Context(), 4)
	if err != nil {
		b.Fatal(err)
	}
	for i := range 4608 {
		texts = append(texts, i*7)
		class = append(class, clusters.Of(i*7))
	}
	return book, func(v *learn.Vocabulary) *learn.Features { return learn.NewFeatures(encoder, table, v) }, texts, class
}

var fourClasses = []string{"a", "b", "c", "d"}

func BenchmarkLearnClearTexts(b *testing.B) {
	book, made, texts, class := english(b)
	for b.Loop() {
		f := made(learn.FitVocabulary(nil, len(texts), func(i int) []byte { return []byte(book.Text(texts[i])) }))
		d := f.NewData(fourClasses)
		for i, z := range texts {
			d.Examples = append(d.Examples, learn.Example{Row: d.Add(f.Row([]byte(book.Text(z)))), Class: class[i], Weight: 1})
		}
		if _, _, err := learn.Fit(b.Context(), d, learn.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLearnReleases(b *testing.B) {
	book, made, texts, class := english(b)
	channel := learn.Channel{Epsilon: 4, Texts: book.Len(), Neighbours: 603}
	for b.Loop() {
		f := made(learn.CodebookVocabulary(nil, book))
		r := learn.Releases{Codebook: book, Channel: channel, Classes: fourClasses, Texts: texts, Class: class}
		if _, _, err := learn.FitReleases(b.Context(), r, f, learn.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
