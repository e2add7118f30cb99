package metric

import (
	"context"
	"iter"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/language"
)

// Trigram returns the language model of order 3 of some texts, which must be public.
func Trigram(ctx context.Context, table *embedding.Table, texts [][]embedding.ID) (*language.Model, error) {
	return language.Train(ctx, table, each(texts), language.Options{Order: 3, Public: true})
}

// Perplexity returns the perplexity of some texts under a model, the end of each text
// counted as a token; 1 for no texts.
func Perplexity(m *language.Model, texts [][]embedding.ID) float64 {
	measured, _ := m.Measure(each(texts)) // fails only where the texts do
	return measured.Perplexity
}

func each(texts [][]embedding.ID) iter.Seq2[[]embedding.ID, error] {
	return func(yield func([]embedding.ID, error) bool) {
		for _, text := range texts {
			if !yield(text, nil) {
				return
			}
		}
	}
}
