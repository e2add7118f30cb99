package mechanism

import (
	"strconv"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/privacy"
)

var adeptEntry = Entry{
	Name:     "adept",
	Summary:  "a text's latent vector, clipped, plus Laplace noise for the l1 sensitivity that the clip really leaves",
	Paper:    "Krishna, Gupta, Dupuy 2021, arXiv:2102.01502 (ADePT), with the sensitivity of Habernal 2021, arXiv:2109.03175",
	Notion:   privacy.Pure,
	Standing: privacy.Proved,
	Parameters: []Parameter{
		{"norm", "l1", "l1 or l2: the norm that clips"},
		clipParameter,
	},
	NewPerturber: additiveOf(adeptNoise).vectors,
}

// adeptNoise pays for two vectors of the ball: l1 sensitivity 2C after clipping
// to l1 norm C, 2C sqrt(d) after clipping to l2 norm C.
func adeptNoise(table *embedding.Table, spec Spec, _ use) (additive, error) {
	p := read("adept", spec)
	l1 := true
	if value, given := p.take("norm"); given {
		if l1 = value == "l1"; !l1 && value != "l2" {
			p.fail(privacy.Bad("adept", "norm", strconv.Quote(value), "l1 or l2"))
		}
	}
	c := p.clip(table, l1)
	most := 2 * c.radius
	if l1 {
		p.note("norm", "l1")
	} else {
		p.note("norm", "l2")
		most = ballSensitivity(table.Dim(), c.radius).L1
	}
	scale := laplaceScale(spec.Epsilon, most)
	p.note("scale", scale)
	settings, err := p.close()
	a := laplaceOf("adept", c, scale, settings)
	a.claim = privacy.Claim{Unit: privacy.Text, Notion: privacy.Pure, Epsilon: spec.Epsilon}
	return a, err
}
