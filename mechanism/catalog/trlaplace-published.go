package catalog

import (
	"context"
	"fmt"
	"math"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/internal/additive"
	"github.com/sotto-dp/sotto/mechanism/internal/parameters"
	"github.com/sotto-dp/sotto/privacy"
)

var trlaplacePublishedEntry = mechanism.Entry{
	Name:         "trlaplace-published",
	Summary:      "clipped vector plus truncated Laplace noise with the published bound, then the nearest word",
	Paper:        "the TrLaplace paper, its Theorem and Algorithm 1, with dummy dimensions",
	Notion:       privacy.Approximate,
	Published:    &privacy.Claim{Unit: privacy.Token, Notion: privacy.Approximate},
	Standing:     privacy.Refuted,
	Reviewed:     "97e9bb7ad99aa1c4",
	Analysis:     mechanism.TruncatedNoise,
	Stops:        mechanism.Steps(0.5, 4.5, 0.5), // below 2 root sqrt d = 5 over the embedded table
	Cost:         mechanism.Pass,
	Parameters:   []mechanism.Parameter{publishedRoot, publishedDelta, publishedDummies, additive.ClipParameter},
	New:          additive.Of(trlaplacePublishedNoise).Words,
	NewPerturber: additive.Of(trlaplacePublishedNoise).Vectors,
}

var (
	publishedRoot    = mechanism.Parameter{Name: "root", Kind: mechanism.Number, Role: mechanism.RoleRoot, Default: "0.25", Accepts: mechanism.Inside(0, 1), Help: "root of the published delta: delta^(1/d), d with the dummy dimensions"}
	publishedDelta   = mechanism.Parameter{Name: "delta", Kind: mechanism.Number, Role: mechanism.RoleDelta, Default: "root^d", Accepts: mechanism.Inside(0, 1), Help: "delta of the published guarantee, instead of root"}
	publishedDummies = mechanism.Parameter{Name: "dummies", Kind: mechanism.Integer, Role: mechanism.RoleDummies, Default: "0", Accepts: mechanism.Between(0, 100_000), Help: "dummy dimensions, always 0 in every input"}
)

// publishedTruncation returns the noise that the paper derives for (epsilon, root^dim):
// rate alpha = epsilon/(2C sqrt dim), bound -ln(1 - epsilon/(2 root sqrt dim))/alpha.
// It exists for epsilon < 2 root sqrt dim.
func publishedTruncation(dim int, clip, epsilon, root float64) (alpha, bound float64, err error) {
	spread := math.Sqrt(float64(dim))
	if limit := 2 * root * spread; epsilon >= limit {
		return 0, 0, privacy.Bad("trlaplace-published", "epsilon", epsilon,
			fmt.Sprintf("below 2 delta^(1/d) sqrt d = %.6g, d = %d (more dummies raise it)", limit, dim))
	}
	alpha = epsilon / (2 * clip * spread)
	return alpha, -math.Log1p(-epsilon/(2*root*spread)) / alpha, nil
}

func trlaplacePublishedNoise(ctx context.Context, table *embedding.Table, spec mechanism.Spec, on additive.Use) (additive.Noise, error) {
	p := parameters.Read("trlaplace-published", spec)
	dim := table.Dim()
	dummies, _ := p.Integer(publishedDummies)
	padded := dim + dummies
	root, givenRoot := p.Optional(publishedRoot)
	delta, givenDelta := p.Optional(publishedDelta)
	switch {
	case givenRoot && givenDelta:
		p.Fail(privacy.Unwanted(p.Who, publishedRoot.Name, "where delta is given"))
	case givenDelta:
		root = math.Pow(delta, 1/float64(padded))
		p.Set(publishedRoot, root)
	default:
		if !givenRoot {
			usual, _ := publishedRoot.Fixed()
			root = usual.(float64)
			p.Set(publishedRoot, root)
		}
		if delta = math.Pow(root, float64(padded)); delta == 0 {
			p.Fail(publishedRoot.Bad(p.Who, root, fmt.Sprintf("larger: delta = root^%d rounds to 0", padded)))
		}
		p.Set(publishedDelta, delta)
	}
	p.Set(publishedDummies, dummies)
	c := additive.ReadClip(p, table, false)
	settings, err := p.Close()
	if err != nil {
		return additive.Noise{}, err
	}
	alpha, bound, err := publishedTruncation(padded, c.Radius, spec.Epsilon, root)
	if err != nil {
		return additive.Noise{}, err
	}
	settings = append(settings, mechanism.Setting{Name: "scale", Value: 1 / alpha}, mechanism.Setting{Name: "bound", Value: bound})
	a := additive.TruncatedLaplace("trlaplace-published", c, 1/alpha, bound, settings)
	a.Claim = truncatedClaim(dim, c.Radius, alpha, bound)
	return a, nil
}

// truncatedClaim returns the true claim of truncated Laplace noise of rate alpha
// and bound A for vectors of a ball: epsilon = alpha 2C sqrt(dim) on the overlap
// of two supports, and for delta the mass outside, 1 - prod_j (1 - q(|s_j|)),
// bounded over all shifts of length 2C. With H(v) = -ln(1 - q(sqrt v)) and its
// least concave majorant, sum_j H(s_j^2) is at most dim times the majorant at
// (2C)^2/dim (Jensen).
func truncatedClaim(dim int, clip, alpha, bound float64) privacy.Claim {
	const parts = 1 << 16
	type point struct{ v, h float64 }
	var hull []point // of the points (v, H), upper, in order of v
	for i := range parts + 1 {
		// H is increasing: its value at the next point bounds it up to there.
		at := float64(i) / parts
		next := min(1, float64(i+1)/parts)
		q := outside(alpha, bound, 2*clip*next)
		if q >= 1 {
			return privacy.Claim{Notion: privacy.None, Epsilon: math.Inf(1), Delta: 1}
		}
		p := point{float64(at * at), -math.Log1p(-q)}
		for len(hull) > 1 {
			a, b := hull[len(hull)-2], hull[len(hull)-1]
			if (b.h-a.h)*(p.v-a.v) > (p.h-a.h)*(b.v-a.v) {
				break
			}
			hull = hull[:len(hull)-1]
		}
		hull = append(hull, p)
	}
	x := 1 / float64(dim)
	h := 0.0
	for i := 1; i < len(hull); i++ {
		if a, b := hull[i-1], hull[i]; x <= b.v {
			h = a.h + (b.h-a.h)*(x-a.v)/(b.v-a.v)
			break
		}
	}
	return privacy.Claim{
		Notion:  privacy.Approximate,
		Epsilon: alpha * additive.BallSensitivity(dim, clip).L1 * (1 + 0x1p-40),
		Delta:   min(1, -math.Expm1(-float64(dim)*h)*(1+0x1p-40)),
	}
}

// outside returns q(u): the mass of one component's noise that a shift by u moves
// beyond the other input's support.
func outside(alpha, bound, u float64) float64 {
	whole := -2 * math.Expm1(-alpha*bound)
	switch {
	case u <= bound:
		return math.Exp(-alpha*bound) * math.Expm1(alpha*u) / whole
	case u < 2*bound:
		return 0.5 - math.Expm1(-alpha*(u-bound))/whole
	}
	return 1
}
