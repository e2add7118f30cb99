package catalog

import (
	"github.com/sotto-dp/sotto/internal/stage"
	"testing"

	"github.com/sotto-dp/sotto/mechanism/internal/oracle"
	"github.com/sotto-dp/sotto/privacy"
)

func TestGaussianAnalyticFollowsItsNoise(t *testing.T) {
	stage.Unraced(t)
	followsOnALine(t, gaussianAnalyticEntry, 8, map[string]string{"delta": "0.01"}, func(m settled) func(float64) float64 { return normalCDF(setting(t, m, "sigma")) })
}

func TestGaussianAnalyticNeverPassesItsDelta(t *testing.T) {
	for _, epsilon := range []float64{0.01, 1, 4, 20} {
		m := oracle.MustOpen(t, gaussianAnalyticEntry, oracle.Line(t, 9), epsilon, map[string]string{"clip": "3"})
		if d := privacy.GaussianDelta(epsilon, setting(t, m, "sigma")/6); d > 1e-6 || d < 1e-6*(1-1e-6) {
			t.Errorf("epsilon %g: the noise has delta %.15g, want 1e-6 and no more", epsilon, d)
		}
	}
}
