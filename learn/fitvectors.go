package learn

import (
	"cmp"
	"context"
	"slices"

	"github.com/sotto-dp/sotto/privacy"
)

// VectorGrid returns the ridge penalties that [FitVectors] chooses from by default, in
// units of the mean square of a unit vector's component.
func VectorGrid() []float64 { return []float64{100, 30, 10, 3, 1} }

// FitVectors learns a linear classifier by ridge regression of the class indicators on the
// unit vectors. It needs only their second moment and their products with the indicators,
// and both have unbiased estimates: the second moment of the releases minus Noise I,
// divided by Signal, and the products with the releases. It chooses the penalty by the
// squared error on held-out releases, estimated in the same way. It also returns the scores
// of the penalties, or none if there was only one.
func FitVectors(ctx context.Context, v Vectors, o Options) (*Model, []Score, error) {
	if err := v.check(); err != nil {
		return nil, nil, err
	}
	grid := VectorGrid()
	if o.Ridge != nil {
		var err error
		if grid, err = o.grid(); err != nil {
			return nil, nil, err
		}
	}
	if o.Folds == 0 {
		o.Folds = 5
	}
	if o.Folds < 2 || len(grid) > 1 && o.Folds > len(v.Class) {
		return nil, nil, privacy.Bad("learn", "folds", o.Folds, "at least 2, and at most the number of releases")
	}
	folds, all := make([]moments, o.Folds), v.newMoments()
	for f := range folds {
		folds[f] = v.newMoments()
	}
	for i := range v.Class {
		if i%1024 == 0 && ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		folds[i%o.Folds].add(&v, i)
	}
	for f := range folds {
		all.join(folds[f], 1)
	}
	whole, err := all.centre(&v)
	if err != nil {
		return nil, nil, err
	}
	ridge := grid[0]
	var scores []Score
	if len(grid) > 1 {
		if scores, err = v.score(ctx, whole, all, folds, grid); err != nil {
			return nil, nil, err
		}
		ridge = slices.MinFunc(scores, func(a, b Score) int { return cmp.Compare(a.Loss, b.Loss) }).Ridge
	}
	slopes := whole.solve(ridge)
	m := &Model{Classes: v.Classes, Dim: v.Dim, Ridge: ridge}
	for y := range v.Classes {
		for k := range v.Dim {
			m.Weights = append(m.Weights, float32(slopes.At(k, y)))
		}
		m.Weights = append(m.Weights, float32(whole.bias(slopes, y)))
		m.Prior = append(m.Prior, whole.shares.AtVec(y))
	}
	return m, scores, nil
}

// score returns the loss of each penalty on the folds, each solved for without it.
func (v *Vectors) score(ctx context.Context, whole *centred, all moments, folds []moments, grid []float64) ([]Score, error) {
	scores := make([]Score, len(grid))
	for f := range folds {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		rest := v.newMoments()
		rest.join(all, 1)
		rest.join(folds[f], -1)
		c, err := rest.centre(v)
		if err != nil {
			return nil, err
		}
		for s, ridge := range grid {
			scores[s].Ridge = ridge
			scores[s].Loss += whole.loss(&folds[f], c.solve(ridge)) * folds[f].n / all.n
		}
	}
	return scores, nil
}
