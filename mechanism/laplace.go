package mechanism

import (
	"context"
	"math/rand/v2"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/noise"
	"github.com/sotto-dp/sotto/privacy"
)

var laplaceEntry = Entry{
	Name:         "laplace",
	Summary:      "clipped vector plus Laplace noise on every component, then the nearest word",
	Paper:        "Dwork, McSherry, Nissim, Smith 2006, Theorem 1 (Laplace mechanism); a baseline of the TrLaplace paper",
	Notion:       privacy.Pure,
	Standing:     privacy.Proved,
	Opening:      OpensSimply,
	Parameters:   []Parameter{clipParameter, sensitivityParameter},
	New:          additiveOf(laplaceNoise).words,
	NewPerturber: additiveOf(laplaceNoise).vectors,
}

// laplaceScale is the scale at which the l1 sensitivity costs epsilon, rounded up.
func laplaceScale(epsilon, l1 float64) float64 { return l1 / epsilon * (1 + 0x1p-50) }

func laplaceNoise(ctx context.Context, table *embedding.Table, spec Spec, on use) (additive, error) {
	p := read("laplace", spec)
	c := p.clip(table, false)
	s := p.sensitivity(ctx, table, c, spec, on)
	scale := laplaceScale(spec.Epsilon, s.L1)
	p.note("scale", scale)
	settings, err := p.close()
	a := laplaceOf("laplace", c, scale, settings)
	a.claim = privacy.Claim{Notion: privacy.Pure, Epsilon: spec.Epsilon}
	return a, err
}

// laplaceOf is Laplace noise of a scale after a clip; the claim is the caller's.
func laplaceOf(who string, c clip, scale float64, settings []Setting) additive {
	return additive{
		who: who, settings: settings, clip: c, scale: scale,
		fill: func(dst []float32, src rand.Source) { noise.FillLaplace(dst, scale, src) },
		draw: func(src rand.Source) int64 { return noise.DiscreteLaplace(src, gridBits) },
	}
}
