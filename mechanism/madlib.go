package mechanism

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/noise"
	"github.com/sotto-dp/sotto/privacy"
)

var madlibEntry = Entry{
	Name:     "madlib",
	Summary:  "spherical noise on the word's vector, then the nearest word",
	Paper:    "Feyisetan, Balle, Drake, Diethe 2020, arXiv:1910.08902 (MadLib, also CMP), Algorithm 1",
	Notion:   privacy.Metric,
	Standing: privacy.Proved,
	Opening:  OpensSimply,
	New:      newMadlib,
}

// assumed is what every word member built on floating-point noise assumes.
const assumed = privacy.PublicData | privacy.LengthRevealed | privacy.RealArithmetic

// newMadlib makes the mechanism whose noise has density proportional to
// e^(-epsilon norm): a uniform direction times a norm from Gamma(dim, 1/epsilon).
func newMadlib(ctx context.Context, table *embedding.Table, spec Spec) (Mechanism, error) {
	settings, err := read("madlib", spec).close()
	if err != nil {
		return nil, err
	}
	return newSpherical("madlib", table, spec.Epsilon, settings)
}

// newSpherical is madlib's noise with its claim, on vectors as they are. A
// component's noise is of the order sqrt(dim)/epsilon.
func newSpherical(who string, table *embedding.Table, epsilon float64, settings []Setting) (*noisyWords, error) {
	if err := checkNoise(who, epsilon, math.Sqrt(float64(table.Dim()))/epsilon, table.Largest()); err != nil {
		return nil, err
	}
	return &noisyWords{
		table:    table,
		claim:    privacy.Claim{Unit: privacy.Token, Notion: privacy.Metric, Distance: "euclidean", Epsilon: epsilon, Assumes: assumed},
		settings: settings,
		clip:     unclipped,
		fill: func(dst []float32, src rand.Source) {
			noise.FillSpherical(dst, table.Dim(), epsilon, src)
		},
	}, nil
}
