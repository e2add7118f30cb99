package additive

import (
	"math"
	"math/rand/v2"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/noise"
	"github.com/sotto-dp/sotto/privacy"
)

// Assumed holds the assumptions of every word member that uses floating-point noise.
const Assumed = privacy.PublicData | privacy.LengthRevealed | privacy.RealArithmetic

// Spherical returns madlib's noise with its claim, on vectors without a clip. A
// component's noise is of the order sqrt(dim)/epsilon.
func Spherical(who string, table *embedding.Table, epsilon float64, settings []mechanism.Setting) (*Words, error) {
	if err := CheckNoise(who, epsilon, math.Sqrt(float64(table.Dim()))/epsilon, table.Largest()); err != nil {
		return nil, err
	}
	return &Words{
		Table:   table,
		Promise: privacy.Claim{Unit: privacy.Token, Notion: privacy.Metric, Distance: "euclidean", Epsilon: epsilon, Assumes: Assumed},
		InForce: settings,
		Clip:    Unclipped,
		Fill: func(dst []float32, src rand.Source) {
			noise.FillSpherical(dst, table.Dim(), epsilon, src)
		},
	}, nil
}
