package language_test

import (
	"context"
	"testing"

	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/builtin"
	"github.com/sotto-dp/sotto/language"
	"github.com/sotto-dp/sotto/text/tokenize"
)

// english returns the sentences of the embedded corpus, and one in ten apart.
func english(b *testing.B) (table *embedding.Table, learnt, held [][]embedding.ID) {
	b.Helper()
	table, err := builtin.English()
	if err != nil {
		b.Fatal(err)
	}
	c, err := corpus.English()
	if err != nil {
		b.Fatal(err)
	}
	tokenizer := tokenize.NewTokenizer(table)
	for i := range c.Len() {
		ids, _ := tokenizer.Tokenize(nil, []byte(c.Text(i)))
		if i%10 == 0 {
			held = append(held, ids)
		} else {
			learnt = append(learnt, ids)
		}
	}
	return table, learnt, held
}

func BenchmarkTrain(b *testing.B) {
	table, learnt, _ := english(b)
	for b.Loop() {
		m, err := language.Train(context.Background(), table, each(learnt), language.Options{Order: 3, Public: true})
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(m.Card().Corpus.Tokens), "tokens")
	}
}

// BenchmarkNext follows held-out sentences: a few of them again and again, whose n-grams
// stay in the processor's cache, or all.
func BenchmarkNext(b *testing.B) {
	table, learnt, held := english(b)
	m, err := language.Train(context.Background(), table, each(learnt), language.Options{Order: 3, Public: true})
	if err != nil {
		b.Fatal(err)
	}
	for name, held := range map[string][][]embedding.ID{"cached": held[:64], "all": held} {
		b.Run(name, func(b *testing.B) {
			s, at, word := m.Start(), 0, 0
			for b.Loop() {
				for word == len(held[at]) {
					at, word, s = (at+1)%len(held), 0, m.Start()
				}
				_, s = m.Next(s, held[at][word])
				word++
			}
		})
	}
}

// BenchmarkNextAny asks for every word in turn after held-out contexts, as a search does
// over candidates: most are not seen after any context.
func BenchmarkNextAny(b *testing.B) {
	table, learnt, held := english(b)
	m, err := language.Train(context.Background(), table, each(learnt), language.Options{Order: 3, Public: true})
	if err != nil {
		b.Fatal(err)
	}
	s, at, word := m.Start(), 0, embedding.ID(0)
	for b.Loop() {
		if word++; int(word) == m.Vocabulary().Len() {
			word, s, at = 0, m.Start(), (at+1)%len(held)
			for _, w := range held[at] {
				_, s = m.Next(s, w)
			}
		}
		m.Next(s, word)
	}
}
