package attack

import (
	"context"

	"github.com/sotto-dp/sotto/mechanism"
)

// Named returns the probability that the best guess from a release names the right one of
// some candidates, which are vectors of a channel over a codebook, one after the other: the
// sum over outputs y of the largest prior(x) P(y|x). It is exact, over the integer weights
// that are drawn. Prior has the probability of each candidate.
func Named(ctx context.Context, r mechanism.Retriever, vectors []int8, prior []float64) (float64, error) {
	if len(prior) == 0 {
		return 0, nil
	}
	dim := len(vectors) / len(prior)
	var row []uint64
	var best []float64
	total := 0.0
	for x, p := range prior {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		var err error
		if row, err = r.Weights(row[:0], vectors[x*dim:(x+1)*dim]); err != nil {
			return 0, err
		}
		if best == nil {
			best = make([]float64, len(row))
			for _, w := range row {
				total += float64(w)
			}
		}
		for y, w := range row {
			best[y] = max(best[y], float64(p*float64(w)))
		}
	}
	sum := 0.0
	for _, b := range best {
		sum += b
	}
	return sum / total, nil
}
