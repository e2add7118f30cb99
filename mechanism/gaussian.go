package mechanism

import (
	"context"
	"math/rand/v2"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/noise"
	"github.com/sotto-dp/sotto/privacy"
)

var gaussianEntry = Entry{
	Name:         "gaussian",
	Summary:      "clipped vector plus classical Gaussian noise, then the nearest word; epsilon at most 1",
	Paper:        "Dwork, Roth 2014, Theorem A.1 (classical Gaussian mechanism); a baseline of the TrLaplace paper",
	Notion:       privacy.Approximate,
	Standing:     privacy.Proved,
	Opening:      OpensSimply,
	Parameters:   []Parameter{deltaParameter, clipParameter, sensitivityParameter},
	New:          additiveOf(gaussianNoise).words,
	NewPerturber: additiveOf(gaussianNoise).vectors,
}

func gaussianNoise(ctx context.Context, table *embedding.Table, spec Spec, on use) (additive, error) {
	if spec.Epsilon > 1 {
		return additive{}, privacy.Bad("gaussian", "epsilon", spec.Epsilon, "at most 1, where the classical proof ends (gaussian-analytic takes any)")
	}
	return newGaussian(ctx, "gaussian", privacy.ClassicalGaussianRatio, table, spec, on)
}

// gridLoss is what drawing Gaussians as integers may add to a release's loss:
// 2^-55 a component, of at most 2^12 (noise.FloorNormal).
const gridLoss = 0x1p-43

// newGaussian is Gaussian noise whose standard deviation is ratio(epsilon,
// delta) times the l2 sensitivity.
func newGaussian(ctx context.Context, who string, ratio func(epsilon, delta float64) float64, table *embedding.Table, spec Spec, on use) (additive, error) {
	p := read(who, spec)
	delta := p.delta()
	c := p.clip(table, false)
	s := p.sensitivity(ctx, table, c, spec, on)
	if p.err != nil {
		return additive{}, p.err
	}
	relative := ratio(spec.Epsilon-gridLoss, delta)
	sigma := s.L2 * relative
	p.note("sigma", sigma)
	settings, err := p.close()
	return additive{
		who: who, settings: settings, clip: c, scale: sigma, gaussian: relative,
		claim: privacy.Claim{Notion: privacy.Approximate, Epsilon: spec.Epsilon, Delta: delta},
		fill:  func(dst []float32, src rand.Source) { noise.FillNormal(dst, sigma, src) },
		draw:  func(src rand.Source) int64 { return noise.FloorNormal(src, gridBits) },
	}, err
}
