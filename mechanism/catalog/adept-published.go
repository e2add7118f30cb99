package catalog

import (
	"math"

	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/internal/additive"
	"github.com/sotto-dp/sotto/mechanism/internal/parameters"
	"github.com/sotto-dp/sotto/privacy"
)

var adeptPublishedEntry = mechanism.Entry{
	Name:         "adept-published",
	Summary:      "ADePT as published: l2 clip with Laplace noise that pays for an l1 sensitivity of 2C",
	Paper:        "Krishna, Gupta, Dupuy 2021, arXiv:2102.01502, Theorem 1; refuted by Habernal 2021, arXiv:2109.03175",
	Notion:       privacy.Pure,
	Published:    &privacy.Claim{Unit: privacy.Text, Notion: privacy.Pure},
	Standing:     privacy.Refuted,
	Reviewed:     "9da459f32b2a728c",
	Analysis:     mechanism.LatentNoise,
	Cost:         mechanism.Pass,
	Parameters:   []mechanism.Parameter{additive.ClipParameter},
	NewPerturber: additive.OfLatents(adeptPublishedNoise).Vectors,
	NewLatent:    additive.OfLatents(adeptPublishedNoise).Latent,
}

// adeptPublishedNoise claims the true loss at its scale 2C/epsilon: epsilon
// sqrt(d).
func adeptPublishedNoise(s additive.Space, spec mechanism.Spec) (additive.Noise, error) {
	p := parameters.Read("adept-published", spec)
	c := additive.ReadClipIn(p, s, false)
	scale := additive.LaplaceScale(spec.Epsilon, 2*c.Radius)
	p.Note("scale", scale)
	settings, err := p.Close()
	a := additive.Laplace("adept-published", c, scale, settings)
	a.Claim = privacy.Claim{Unit: privacy.Text, Notion: privacy.Pure, Epsilon: spec.Epsilon * math.Sqrt(float64(s.Dim)) * (1 + 0x1p-50)}
	return a, err
}
