package unit

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/release"
	"github.com/sotto-dp/sotto/statement"
)

// release draws for texts, which have some rows of inputs each. Source returns the source
// of a text's draws.
func (v *Vectors) release(ctx context.Context, inputs []float32, rows []int, source func(i int) rand.Source) ([]release.Vectors, error) {
	if c, ok := v.Perturber.(mechanism.Coded); ok {
		return v.releaseCoded(ctx, c, inputs, rows, source)
	}
	in, out := v.Perturber.Dimensions()
	vectors := make([]release.Vectors, 0, len(rows))
	for i, rows := range rows {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		one := release.Vectors{Rows: rows, Components: make([]float32, rows*out)}
		rng := source(i)
		for r := range rows {
			if err := v.Perturber.Perturb(one.Components[r*out:(r+1)*out], inputs[r*in:(r+1)*in], rng); err != nil {
				return nil, err
			}
		}
		inputs = inputs[rows*in:]
		vectors = append(vectors, one)
	}
	return vectors, nil
}

// releaseCoded draws indices for all rows at once, and writes their vectors.
func (v *Vectors) releaseCoded(ctx context.Context, c mechanism.Coded, inputs []float32, rows []int, source func(i int) rand.Source) ([]release.Vectors, error) {
	_, out := c.Dimensions()
	var sources []rand.Source // of each row
	for i, rows := range rows {
		rng := source(i)
		for range rows {
			sources = append(sources, rng)
		}
	}
	drawn, err := c.PerturbAll(ctx, nil, inputs, func(row int) rand.Source { return sources[row] })
	if err != nil {
		return nil, err
	}
	vectors := make([]release.Vectors, 0, len(rows))
	for _, rows := range rows {
		one := release.Vectors{Rows: rows, Components: make([]float32, rows*out), Indices: drawn[:rows:rows]}
		drawn = drawn[rows:]
		for r, index := range one.Indices {
			c.Decode(one.Components[r*out:(r+1)*out], index, !v.Raw)
		}
		vectors = append(vectors, one)
	}
	return vectors, nil
}

// roundingLoss bounds what a metric claim loses over the diameter of the words
// because averages are rounded to float32: a rounded average may be outside the
// words' hull, by at most 2^-24 of its norm.
func (v *Vectors) roundingLoss() float64 {
	claim := v.Perturber.Claim()
	if v.Of != statement.Documents || claim.Notion != privacy.Metric && claim.Notion != privacy.MetricApproximate {
		return 0
	}
	longest := 0.0
	var row []float32
	for i := range v.Table.Len() {
		row = v.Table.Vector(row[:0], embedding.ID(i))
		square := 0.0
		for _, x := range row {
			square += float64(float64(x) * float64(x))
		}
		longest = max(longest, square)
	}
	// Twice, for the two averages, and once more for the roundings of the sums.
	return claim.Epsilon * 0x1p-22 * (math.Sqrt(longest) + float64(float64(len(row))*0x1p-126))
}
