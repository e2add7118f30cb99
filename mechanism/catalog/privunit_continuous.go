package catalog

import (
	"math"
	"math/rand/v2"

	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/internal/additive"
	"github.com/sotto-dp/sotto/mechanism/internal/directions"
	"github.com/sotto-dp/sotto/noise"
	"github.com/sotto-dp/sotto/privacy"
)

// privunitContinuous releases any direction, as the paper does.
type privunitContinuous struct {
	cap      directions.Cap
	public   *directions.Whitening
	claim    privacy.Claim
	settings []mechanism.Setting
	step     float64 // of the grid of released components
}

func newPrivunitContinuous(spec mechanism.Spec, public *directions.Whitening, best directions.Cap, described []mechanism.Setting) (mechanism.Perturber, error) {
	epsilon, assumes := spec.Epsilon, privacy.PublicData|privacy.RealArithmetic
	if spec.BroughtVectors {
		assumes |= privacy.PublicEncoder
	}
	// Above, chances are lost in the last digits of float64.
	if !(best.Q > 1e-12) || !(1-best.P > 1e-12) {
		return nil, privacy.Bad("privunit", "epsilon", epsilon, "smaller: the cap would be too small for real arithmetic")
	}
	settings := append([]mechanism.Setting{{Name: "epsilon", Value: epsilon}}, described...)
	return &privunitContinuous{
		cap: best, public: public, step: math.Ldexp(1, int(math.Floor(math.Log2(best.Scale())))-snapBits),
		claim: privacy.Claim{Unit: privacy.Text, Notion: privacy.Pure, Epsilon: epsilon, Assumes: assumes},
		settings: append(settings, mechanism.Setting{Name: "gamma", Value: best.Gamma},
			mechanism.Setting{Name: "inside", Value: best.P}, mechanism.Setting{Name: "scale", Value: best.Scale()}),
	}, nil
}

func (m *privunitContinuous) Claim() privacy.Claim          { return m.claim }
func (m *privunitContinuous) Settings() []mechanism.Setting { return m.settings }

// Dimensions returns those of the table's vectors and of released ones.
func (m *privunitContinuous) Dimensions() (int, int) { return m.public.Dimensions() }

// WordWeights returns the weights of words in the average of a text, nil for equal ones.
func (m *privunitContinuous) WordWeights() []float64 { return m.public.WordWeights() }

// Unit writes the unit vector of src.
func (m *privunitContinuous) Unit(dst []float64, src []float32) { m.public.Unit(dst, src) }

// Debias returns the constants that made released vectors unbiased.
func (m *privunitContinuous) Debias() mechanism.Debias {
	c := m.cap
	return mechanism.Debias{Scale: c.Scale(), Offset: make([]float64, c.Dim), Noise: momentNoise(c.Dim, c.Dot, c.Excess), Signal: momentSignal(c.Dim, c.Dot, c.Excess)}
}

// Perturb writes the unbiased vector of a draw into dst, rounded to a grid.
func (m *privunitContinuous) Perturb(dst, src []float32, rng rand.Source) error {
	in, out := m.Dimensions()
	src, err := additive.CheckVectors("privunit", dst, src, in, out)
	if err != nil {
		return err
	}
	x, drawn := make([]float64, out), make([]float64, out)
	m.public.Unit(x, src)
	m.cap.Draw(drawn, x, noise.OrSecure(rng))
	for k, v := range drawn {
		dst[k] = additive.Finite32(math.RoundToEven(v*m.cap.Scale()/m.step) * m.step)
	}
	return nil
}
