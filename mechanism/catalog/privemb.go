package catalog

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/elementary"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/internal/additive"
	"github.com/sotto-dp/sotto/mechanism/internal/parameters"
	"github.com/sotto-dp/sotto/noise"
	"github.com/sotto-dp/sotto/privacy"
)

var privembEntry = mechanism.Entry{
	Name:         "privemb",
	Summary:      "random projection by a public matrix plus spherical noise scaled to its certified Lipschitz constant",
	Paper:        "PrivEmb (Feyisetan, Kasiviswanathan 2021, \"Private release of text embedding vectors\"), with a certified constant in place of 1 + beta",
	Notion:       privacy.Metric,
	Standing:     privacy.Proved,
	Reviewed:     "f65d8bc8172e4959",
	DefaultFor:   []mechanism.Default{{Use: mechanism.UseVectors, Notion: privacy.Metric}},
	Stops:        mechanism.Steps(1, 20, 1),
	Cost:         mechanism.Pairs,
	Parameters:   []mechanism.Parameter{privembBeta, privembDelta, privembM, privembLipschitz, privembPhi},
	New:          newPrivembWords,
	NewPerturber: newPrivembVectors,
}

var (
	privembBeta  = mechanism.Parameter{Name: "beta", Kind: mechanism.Number, Default: "0.7", Accepts: mechanism.Inside(0, 1), Help: "distortion of distances, which sets the dimensions"}
	privembDelta = mechanism.Parameter{Name: "delta", Kind: mechanism.Number, Default: additive.DeltaParameter.Default, Accepts: additive.DeltaParameter.Accepts,
		Help: "chance of a larger distortion, which sets the dimensions"}
	privembM = mechanism.Parameter{Name: "dimensions", Kind: mechanism.Integer, Default: "(sqrt(log2 d) + sqrt(ln(1/delta)))^2/beta^2, rounded up", Accepts: mechanism.Between(1, additive.MostComponents),
		Help: "components after the projection"}
	privembLipschitz = mechanism.Parameter{Name: "lipschitz", Kind: mechanism.Choice, Default: "table for words, spectral for vectors", Accepts: mechanism.OneOf("table", "spectral", "paper"),
		Help: "constant by which the noise is scaled"}
	privembPhi = mechanism.Parameter{Name: "phi", Kind: mechanism.Integer, Default: "1", Accepts: mechanism.Between(0, math.MaxInt), Help: "public seed of the projection"}
)

// privembDimensions returns the paper's m for vectors of dim components:
// (sqrt(log2 dim) + sqrt(ln(1/delta)))^2/beta^2, not yet rounded.
func privembDimensions(dim int, delta, beta float64) float64 {
	log := math.Log(1 / delta)
	if math.IsInf(log, 1) {
		log = -elementary.Log(delta)
	}
	r := math.Sqrt(math.Log2(float64(dim))) + math.Sqrt(log)
	return r * r / (beta * beta)
}

// privemb is one projection with its noise.
type privemb struct {
	phi       additive.Projection
	projected *embedding.Table // the table's vectors under phi
	scale     float64          // of the noise: density proportional to e^(-norm/scale)
	claim     privacy.Claim
	settings  []mechanism.Setting
}

func newPrivemb(ctx context.Context, table *embedding.Table, spec mechanism.Spec, on additive.Use) (*privemb, error) {
	p := parameters.Read("privemb", spec)
	beta := p.Number(privembBeta)
	delta := p.Number(privembDelta)
	m, sized := p.Integer(privembM)
	if !sized {
		m = int(min(additive.MostComponents+1, math.Ceil(privembDimensions(table.Dim(), delta, beta))))
		if m > additive.MostComponents && p.Err == nil {
			p.Fail(privembBeta.Bad("privemb", beta, fmt.Sprintf("larger: more than %d dimensions", additive.MostComponents)))
		}
	}
	seed, seeded := p.Integer(privembPhi)
	how, scaled := p.Choice(privembLipschitz)
	if !scaled {
		how = map[additive.Use]string{additive.OnWords: "table", additive.OnVectors: "spectral"}[on]
	}
	settings, err := p.Close()
	if err != nil {
		return nil, err
	}
	e := &privemb{phi: additive.NewProjection(table.Dim(), m, uint64(seed))}
	if e.projected, err = e.phi.Table(ctx, table); err != nil {
		return nil, err
	}
	// The true loss is epsilon L per unit of distance, L the constant over the
	// pairs in question, whatever the noise was scaled by.
	spectral := how == "spectral" || on == additive.OnVectors && how == "paper"
	var constant float64
	if spectral {
		constant, err = e.phi.SpectralNorm(ctx)
	} else {
		hidden := 0.0
		if on == additive.OnVectors { // averages' images are not rounded, as words' are
			hidden = additive.Hidden(e.projected)
		}
		constant, err = additive.TableLipschitz(ctx, table, e.projected, hidden, spec)
	}
	if err != nil {
		return nil, err
	}
	if on == additive.OnVectors && !spectral {
		// Beside pairs of words a few steps apart, what rounding hides is large.
		norm, err := e.phi.SpectralNorm(ctx)
		if err != nil {
			return nil, err
		}
		constant = min(norm, constant)
	}
	by := constant
	if how == "paper" {
		by = 1 + beta
	}
	e.scale = by / spec.Epsilon
	if err := additive.CheckNoise("privemb", spec.Epsilon, e.scale*math.Sqrt(float64(m)), e.projected.Largest()); err != nil {
		return nil, err
	}
	e.claim = privacy.Claim{Unit: privacy.Token, Notion: privacy.Metric, Distance: "euclidean",
		Epsilon: spec.Epsilon * (constant / by), Assumes: additive.Assumed}
	if on == additive.OnVectors {
		e.claim.Unit, e.claim.Assumes = privacy.Vector, privacy.PublicData|privacy.RealArithmetic
		if !spectral {
			e.claim.Distance = "mean-word"
		}
	}
	e.settings = append(settings, privembM.Setting(m, sized), privembPhi.Setting(seed, seeded), mechanism.Setting{Name: "phi-sha256", Value: e.phi.Digest()},
		privembLipschitz.Setting(how, scaled), mechanism.Setting{Name: "lipschitz-constant", Value: constant}, mechanism.Setting{Name: "scale", Value: e.scale})
	return e, nil
}

func newPrivembWords(ctx context.Context, table *embedding.Table, spec mechanism.Spec) (mechanism.Mechanism, error) {
	e, err := newPrivemb(ctx, table, spec, additive.OnWords)
	if err != nil {
		return nil, err
	}
	return &additive.Words{
		Table: e.projected, Promise: e.claim, InForce: e.settings, Clip: additive.Unclipped,
		Fill: func(dst []float32, src rand.Source) {
			noise.FillSpherical(dst, e.projected.Dim(), 1/e.scale, src)
		},
	}, nil
}

func newPrivembVectors(ctx context.Context, table *embedding.Table, spec mechanism.Spec) (mechanism.Perturber, error) {
	e, err := newPrivemb(ctx, table, spec, additive.OnVectors)
	if err != nil {
		return nil, err
	}
	return &privembVectors{e, math.Ldexp(1, int(math.Floor(math.Log2(e.scale)))-snapBits)}, nil
}

// snapBits: released components are whole multiples of a power of two between
// scale/2^snapBits and half of that.
const snapBits = 20

// privembVectors releases Phi x plus noise, rounded to a grid.
type privembVectors struct {
	*privemb
	step float64
}

func (m *privembVectors) Claim() privacy.Claim          { return m.claim }
func (m *privembVectors) Settings() []mechanism.Setting { return m.settings }

// Dimensions returns those of the table's vectors and of the projection.
func (m *privembVectors) Dimensions() (int, int) { return m.phi.In, m.phi.Out }

// Perturb writes a private projection of src into dst.
func (m *privembVectors) Perturb(dst, src []float32, rng rand.Source) error {
	src, err := additive.CheckVectors("privemb", dst, src, m.phi.In, m.phi.Out)
	if err != nil {
		return err
	}
	w, z := make([]float64, m.phi.Out), make([]float64, m.phi.Out)
	m.phi.Apply(w, src)
	noise.Spherical(z, 1/m.scale, noise.OrSecure(rng))
	for k := range dst {
		dst[k] = additive.Finite32(math.RoundToEven((w[k]+z[k])/m.step) * m.step)
	}
	return nil
}
