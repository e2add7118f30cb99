package mechanism

import (
	"math"
	"testing"

	"github.com/sotto-dp/sotto/noise"
	"github.com/sotto-dp/sotto/privacy"
)

func TestADePTPaysForWhatItsClipLeaves(t *testing.T) {
	table := randomTable(t, 30, 16)
	open := func(e Entry, parameters map[string]string) Perturber {
		p, err := e.NewPerturber(table, Spec{Epsilon: 2, Parameters: parameters})
		if err != nil {
			t.Fatal(err)
		}
		if p.Claim().Unit != privacy.Text {
			t.Errorf("%s protects %s", e.Name, p.Claim().Unit)
		}
		return p
	}
	for what, c := range map[string]struct {
		p            Perturber
		scale, claim float64
	}{
		"l1":        {open(adeptEntry, map[string]string{"clip": "3"}), 2 * 3 / 2., 2},
		"l2":        {open(adeptEntry, map[string]string{"clip": "3", "norm": "l2"}), 2 * 3 * 4 / 2., 2},
		"published": {open(adeptPublishedEntry, map[string]string{"clip": "3"}), 2 * 3 / 2., 8},
	} {
		if got := setting(t, c.p, "scale"); math.Abs(got/c.scale-1) > 1e-12 || got < c.scale {
			t.Errorf("%s: scale %.15g, want %g and no less", what, got, c.scale)
		}
		if got := c.p.Claim().Epsilon; math.Abs(got/c.claim-1) > 1e-12 {
			t.Errorf("%s: claims epsilon %g, want %g", what, got, c.claim)
		}
	}
}

// A vector far outside is clipped in the norm that was asked for: the mean of
// many releases is the clipped vector. The mean of 20,000 Laplace numbers of
// scale b has a standard deviation of b/100; six of them fail with chance 2e-9.
func TestADePTClipsInItsNorm(t *testing.T) {
	table := randomTable(t, 30, 4)
	src := []float32{30, -30, 0, 30}
	for norm, want := range map[string]float64{"l1": 1, "l2": 3 / math.Sqrt(3)} {
		p, err := adeptEntry.NewPerturber(table, Spec{Epsilon: 20, Parameters: map[string]string{"clip": "3", "norm": norm}})
		if err != nil {
			t.Fatal(err)
		}
		const draws = 20_000
		var mean [4]float64
		dst, rng := make([]float32, 4), noise.Seeded(5, 5)
		for range draws {
			if err := p.Perturb(dst, src, rng); err != nil {
				t.Fatal(err)
			}
			for k, v := range dst {
				mean[k] += float64(v) / draws
			}
		}
		off := 6 * setting(t, p, "scale") / 100
		for k, sign := range []float64{1, -1, 0, 1} {
			if math.Abs(mean[k]-sign*want) > off {
				t.Errorf("%s: component %d is %g on average, want %g", norm, k+1, mean[k], sign*want)
			}
		}
	}
}
