package catalog

import (
	"github.com/sotto-dp/sotto/internal/stage"
	"math"
	"testing"

	"github.com/sotto-dp/sotto/mechanism/internal/oracle"
)

func normalCDF(sigma float64) func(float64) float64 {
	return func(u float64) float64 { return math.Erfc(-u/(sigma*math.Sqrt2)) / 2 }
}

// Sigma itself is checked against the reference in package privacy.
func TestGaussianFollowsItsNoise(t *testing.T) {
	stage.Unraced(t)
	followsOnALine(t, gaussianEntry, 1, map[string]string{"delta": "0.9"}, func(m settled) func(float64) float64 { return normalCDF(setting(t, m, "sigma")) })
	m := oracle.MustOpen(t, gaussianEntry, oracle.Line(t, 9), 1, map[string]string{"delta": "1e-6", "clip": "0.5"})
	if got, want := setting(t, m, "sigma"), math.Sqrt(2*math.Log(1.25e6)); got < want || got > want*(1+1e-12) {
		t.Errorf("sigma is %.15g, want %.15g and no less", got, want)
	}
}
