package catalog

import (
	"context"
	"math"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/elementary"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/internal/additive"
	"github.com/sotto-dp/sotto/mechanism/internal/parameters"
	"github.com/sotto-dp/sotto/privacy"
)

var trlaplaceEntry = mechanism.Entry{
	Name:         "trlaplace",
	Summary:      "clipped vector plus truncated Laplace noise with a repaired bound, then the nearest word",
	Paper:        "truncated Laplace of the TrLaplace paper, calibrated by sotto's proof; one dimension: Geng, Ding, Guo, Kumar 2020",
	Notion:       privacy.Approximate,
	Standing:     privacy.Proved,
	Reviewed:     "1dc77ced99c4d040",
	Analysis:     mechanism.TruncatedNoise,
	Cost:         mechanism.Pass,
	Parameters:   []mechanism.Parameter{additive.DeltaParameter, additive.ClipParameter, additive.SensitivityParameter},
	New:          additive.Of(trlaplaceNoise).Words,
	NewPerturber: additive.Of(trlaplaceNoise).Vectors,
}

// truncatedBound returns the least bound A at which the proof of trlaplace.md gives
// delta for noise of rate alpha = epsilon/l1 per component: A = ln(1 + (l1/linf)
// (e^(alpha linf) - 1)/(2 delta))/alpha. For a ball of l2 radius C in d dimensions
// that is (2C sqrt d/epsilon) ln(1 + sqrt d (e^(epsilon/sqrt d) - 1)/(2 delta)).
func truncatedBound(alpha, delta float64, s additive.Sensitivity) float64 {
	x, ratio := float64(alpha*s.LInf), s.L1/s.LInf
	if y := ratio * math.Expm1(x) / (2 * delta); y < 0x1p1000 && x <= 500 {
		return math.Log1p(y) / alpha
	}
	// e^x or the quotient overflows; ln(1 + y) <= ln y + 1/y, e^x - 1 <= e^x, and for
	// x < 1 e^x - 1 <= 2x.
	log := math.Log(ratio / (2 * delta))
	if math.IsInf(log, 1) {
		log = math.Log(ratio/2) - elementary.Log(delta)
	}
	if x > 1 {
		return (x + log + 0x1p-40) / alpha
	}
	return (math.Log(2*x) + log + 0x1p-40) / alpha
}

func trlaplaceNoise(ctx context.Context, table *embedding.Table, spec mechanism.Spec, on additive.Use) (additive.Noise, error) {
	p := parameters.Read("trlaplace", spec)
	delta := additive.ReadDelta(p)
	c := additive.ReadClip(p, table, false)
	s := additive.ReadSensitivity(ctx, p, table, c, spec, on)
	scale := additive.LaplaceScale(spec.Epsilon, s.L1)
	bound := truncatedBound(1/scale, delta, s) * (1 + 0x1p-40)
	p.Note("scale", scale)
	p.Note("bound", bound)
	settings, err := p.Close()
	a := additive.TruncatedLaplace("trlaplace", c, scale, bound, settings)
	a.Claim = privacy.Claim{Notion: privacy.Approximate, Epsilon: spec.Epsilon, Delta: delta}
	return a, err
}
