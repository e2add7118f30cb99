package estimate

import (
	"cmp"
	"context"
	"slices"

	"github.com/sotto-dp/sotto/embedding"
)

// Commonest returns the words with the largest counts by a short non-negative fit, the
// largest first: at most top of them, or all if top is 0. The fit decides only which words
// are listed.
func (e *Estimator) Commonest(ctx context.Context, counts []int, top int) ([]embedding.ID, error) {
	fit, err := e.fit(ctx, counts, mostRankSteps)
	if err != nil {
		return nil, err
	}
	return Largest(fit.Counts, top), nil
}

// Largest returns the words with the largest values, one value per word, the
// largest first and equal ones by number: at most top of them, or all if top is 0.
func Largest(values []float64, top int) []embedding.ID {
	words := make([]embedding.ID, len(values))
	for x := range words {
		words[x] = embedding.ID(x)
	}
	slices.SortStableFunc(words, func(a, b embedding.ID) int { return cmp.Compare(values[b], values[a]) })
	if top > 0 {
		words = words[:min(top, len(words))]
	}
	return words
}
