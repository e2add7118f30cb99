package catalog

import (
	"math/rand/v2"

	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/internal/additive"
	"github.com/sotto-dp/sotto/mechanism/internal/parameters"
	"github.com/sotto-dp/sotto/noise"
	"github.com/sotto-dp/sotto/privacy"
)

var adeptEntry = mechanism.Entry{
	Name:         "adept",
	Summary:      "a text's latent vector, clipped, plus noise for the sensitivity that the clip really leaves; decoded with a model",
	Paper:        "Krishna, Gupta, Dupuy 2021, arXiv:2102.01502 (ADePT), with the sensitivity of Habernal 2021, arXiv:2109.03175",
	Notion:       privacy.Pure,
	Standing:     privacy.Proved,
	Reviewed:     "450af0fa83a2e942",
	DefaultFor:   []mechanism.Default{{Use: mechanism.UseLatent}, {Use: mechanism.UseLatent, Notion: privacy.Pure}},
	Analysis:     mechanism.LatentNoise,
	Cost:         mechanism.Pass,
	Parameters:   []mechanism.Parameter{adeptNorm, adeptNoiseName, additive.DeltaParameter, additive.ClipParameter},
	NewPerturber: additive.OfLatents(adeptNoise).Vectors,
	NewLatent:    additive.OfLatents(adeptNoise).Latent,
}

var (
	adeptNorm = mechanism.Parameter{Name: "norm", Kind: mechanism.Choice, Default: "l1, with Gaussian noise l2", Accepts: mechanism.OneOf("l1", "l2"), Help: "norm by which vectors are clipped"}
	// Delta is for Gaussian noise alone.
	adeptNoiseName = mechanism.Parameter{Name: "noise", Kind: mechanism.Choice, Default: "laplace", Accepts: mechanism.OneOf("laplace", "gaussian"),
		Help: "noise on the vector: laplace for a pure guarantee, gaussian for (epsilon, delta) with the least standard deviation"}
)

// adeptNoise pays for two vectors of the ball: l1 sensitivity 2C after clipping
// to l1 norm C, 2C sqrt(d) after clipping to l2 norm C; l2 sensitivity 2C after
// either, since the l1 ball is within the l2 ball.
func adeptNoise(s additive.Space, spec mechanism.Spec) (additive.Noise, error) {
	p := parameters.Read("adept", spec)
	kind, _ := p.Choice(adeptNoiseName)
	gaussian := kind == "gaussian"
	l1 := !gaussian
	if norm, given := p.Choice(adeptNorm); given {
		l1 = norm == "l1"
	}
	delta := 0.0
	if gaussian {
		delta = additive.ReadDelta(p)
	}
	c := additive.ReadClipIn(p, s, l1)
	if p.Err != nil {
		return additive.Noise{}, p.Err
	}
	ball := additive.BallSensitivity(s.Dim, c.Radius)
	if l1 {
		p.Set(adeptNorm, "l1")
		ball.L1 = 2 * c.Radius
	} else {
		p.Set(adeptNorm, "l2")
	}
	if gaussian {
		sigma := ball.L2 * privacy.GaussianRatio(spec.Epsilon-additive.GridLoss, delta)
		p.Set(adeptNoiseName, "gaussian")
		p.Note("sigma", sigma)
		settings, err := p.Close()
		return additive.Noise{
			Who: "adept", Settings: settings, Clip: c, Scale: sigma,
			Claim: privacy.Claim{Unit: privacy.Text, Notion: privacy.Approximate, Epsilon: spec.Epsilon, Delta: delta},
			Draw:  func(src rand.Source) int64 { return noise.FloorNormal(src, additive.GridBits) },
		}, err
	}
	scale := additive.LaplaceScale(spec.Epsilon, ball.L1)
	p.Note("scale", scale)
	settings, err := p.Close()
	a := additive.Laplace("adept", c, scale, settings)
	a.Claim = privacy.Claim{Unit: privacy.Text, Notion: privacy.Pure, Epsilon: spec.Epsilon}
	return a, err
}
