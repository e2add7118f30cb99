package catalog

import (
	"github.com/sotto-dp/sotto/internal/stage"
	"math"
	"slices"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/internal/additive"
	"github.com/sotto-dp/sotto/mechanism/internal/oracle"
	"github.com/sotto-dp/sotto/noise"
)

type settled = interface{ Settings() []mechanism.Setting }

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
		agrees(t, "scale", r, additive.LaplaceScale(r.Eps, additive.BallSensitivity(r.D, r.C).L1), r.Scale)
	}
}

func TestLaplaceFollowsItsNoise(t *testing.T) {
	stage.Unraced(t)
	followsOnALine(t, laplaceEntry, 10, nil, func(m settled) func(float64) float64 { return laplaceCDF(setting(t, m, "scale")) })
}

// Noise a thousandth of a word's distance shows where a word's vector was when it
// was added: words beyond the clip come out as the word at the clip.
func TestWordsAreClippedBeforeTheNoise(t *testing.T) {
	table := oracle.Line(t, 9)
	m := oracle.MustOpen(t, laplaceEntry, table, 4000, map[string]string{"clip": "2"})
	out, err := m.Replace(nil, []embedding.ID{0, 1, 2, 3, 5, 8}, noise.Seeded(1, 1))
	if err != nil {
		t.Fatal(err)
	}
	if want := []embedding.ID{0, 1, 2, 2, 2, 2}; !slices.Equal(out, want) {
		t.Errorf("words became %v, want %v", out, want)
	}
}
