package mechanism

import (
	"math"
	"testing"
)

type settled = interface{ Settings() []Setting }

func laplaceCDF(scale float64) func(float64) float64 {
	return func(u float64) float64 {
		if u < 0 {
			return math.Exp(u/scale) / 2
		}
		return 1 - math.Exp(-u/scale)/2
	}
}

func TestLaplacePaysForTheL1Difference(t *testing.T) {
	for _, r := range formulas[struct {
		D             int
		C, Eps, Scale float64
	}](t, "laplace_scale") {
		agrees(t, "scale", r, laplaceScale(r.Eps, ballSensitivity(r.D, r.C).L1), r.Scale)
	}
}

func TestLaplaceFollowsItsNoise(t *testing.T) {
	followsOnALine(t, laplaceEntry, 10, nil, func(m settled) func(float64) float64 { return laplaceCDF(setting(t, m, "scale")) })
}
