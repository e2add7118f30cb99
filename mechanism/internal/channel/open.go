package channel

import (
	"context"
	"math"

	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/internal/parameters"
	"github.com/sotto-dp/sotto/mechanism/internal/shipped"
	"github.com/sotto-dp/sotto/privacy"
)

// NominalParameter fixes the paper's parameter.
var NominalParameter = mechanism.Parameter{Name: "nominal", Kind: mechanism.Number, Role: mechanism.RoleNominal, Default: "the largest that certifies epsilon", Accepts: mechanism.Positive(),
	Help: "the paper's parameter, refused where it certifies more than epsilon"}

// Pin reads the parameter nominal.
func (f *Family) Pin(p *parameters.Reader, spec mechanism.Spec) {
	nominal, given := p.Optional(NominalParameter)
	if given && spec.Published {
		p.Fail(privacy.Unwanted(f.Who, NominalParameter.Name, "where epsilon is the published parameter"))
	}
	if given {
		f.nominal, f.Ships, f.Key = nominal, false, f.Key+"-at-"+parameters.Key(nominal)
	}
}

// Open returns the member that spec describes, calibrated unless epsilon is the published
// parameter.
func (f *Family) Open(ctx context.Context, spec mechanism.Spec, settings []mechanism.Setting) (mechanism.Mechanism, error) {
	known := shipped.Calibration{Nominal: spec.Epsilon}
	if spec.Published {
		settings = append(settings, mechanism.Setting{Name: "calibrate", Value: "published"})
	} else {
		var err error
		if known, err = f.calibrate(ctx, spec); err != nil {
			return nil, err
		}
		settings = append(settings, mechanism.Setting{Name: "calibrate", Value: "certified"})
	}
	c, err := f.channel(known.Nominal)
	if err != nil {
		return nil, err
	}
	c.promise.Epsilon = spec.Epsilon
	c.inForce = append(settings, mechanism.Setting{Name: "t", Value: c.law.T})
	if !math.IsInf(c.law.Gamma, 1) {
		c.inForce = append(c.inForce, mechanism.Setting{Name: "gamma", Value: c.law.Gamma})
	}
	if spec.Published {
		return c, nil
	}
	c.promise.Assumes &^= privacy.RealArithmetic
	return NewCalibrated(c, known.Loss(), known.Source), nil
}

// Calibrated is a member whose exact losses were computed when its parameter
// was chosen.
type Calibrated struct {
	*Distance
	known  mechanism.Loss
	source mechanism.Source
}

// NewCalibrated returns a channel with known losses and their source.
func NewCalibrated(c *Distance, known mechanism.Loss, source mechanism.Source) *Calibrated {
	return &Calibrated{c, known, source}
}

// Loss returns the losses found by the calibration that chose the parameter.
func (c *Calibrated) Loss() mechanism.Loss { return c.known }

// Source returns the origin of these losses.
func (c *Calibrated) Source() mechanism.Source { return c.source }
