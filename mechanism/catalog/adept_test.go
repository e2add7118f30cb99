package catalog

import (
	"math"
	"testing"

	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/internal/oracle"
	"github.com/sotto-dp/sotto/noise"
	"github.com/sotto-dp/sotto/privacy"
)

func TestADePTPaysForWhatItsClipLeaves(t *testing.T) {
	table := oracle.RandomTable(t, 30, 16)
	open := func(e mechanism.Entry, parameters map[string]string) mechanism.Perturber {
		p, err := e.NewPerturber(t.Context(), table, mechanism.Spec{Epsilon: 2, Parameters: parameters})
		if err != nil {
			t.Fatal(err)
		}
		if p.Claim().Unit != privacy.Text {
			t.Errorf("%s protects %s", e.Name, p.Claim().Unit)
		}
		return p
	}
	for what, c := range map[string]struct {
		p            mechanism.Perturber
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

// A vector far outside is clipped in the chosen norm: the mean of many releases
// is the clipped vector. The mean of 20,000 Laplace numbers of scale b has a
// standard deviation of b/100; six of them fail with chance 2e-9.
func TestADePTClipsInItsNorm(t *testing.T) {
	table := oracle.RandomTable(t, 30, 4)
	src := []float32{30, -30, 0, 30}
	for norm, want := range map[string]float64{"l1": 1, "l2": 3 / math.Sqrt(3)} {
		p, err := adeptEntry.NewPerturber(t.Context(), table, mechanism.Spec{Epsilon: 20, Parameters: map[string]string{"clip": "3", "norm": norm}})
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

// Over an encoder's vectors the clip is the median norm of its public corpus, in
// the norm by which vectors are clipped; a ball of l1 or of l2 radius C has l2 sensitivity 2C.
func TestADePTOverAnEncoder(t *testing.T) {
	latent := mechanism.Latent{Dim: 16, MedianL1: 12, MedianL2: 5}
	for _, c := range []struct {
		entry      mechanism.Entry
		parameters map[string]string
		clip       float64
		noise      string
		size       float64
		claim      privacy.Claim
	}{
		{adeptEntry, nil, 12, "scale", 2 * 12 / 2., privacy.Claim{Notion: privacy.Pure, Epsilon: 2}},
		{adeptEntry, map[string]string{"norm": "l2"}, 5, "scale", 2 * 5 * 4 / 2., privacy.Claim{Notion: privacy.Pure, Epsilon: 2}},
		{adeptEntry, map[string]string{"noise": "gaussian", "delta": "1e-5"}, 5, "sigma", 2 * 5 * privacy.GaussianRatio(2, 1e-5), privacy.Claim{Notion: privacy.Approximate, Epsilon: 2, Delta: 1e-5}},
		{adeptEntry, map[string]string{"noise": "gaussian", "norm": "l1"}, 12, "sigma", 2 * 12 * privacy.GaussianRatio(2, 1e-6), privacy.Claim{Notion: privacy.Approximate, Epsilon: 2, Delta: 1e-6}},
		{adeptPublishedEntry, nil, 5, "scale", 2 * 5 / 2., privacy.Claim{Notion: privacy.Pure, Epsilon: 2 * 4 * (1 + 0x1p-50)}},
	} {
		p, err := c.entry.NewLatent(t.Context(), latent, mechanism.Spec{Epsilon: 2, Parameters: c.parameters})
		if err != nil {
			t.Fatal(err)
		}
		if in, out := p.Dimensions(); in != 16 || out != 16 || setting(t, p, "clip") != c.clip {
			t.Errorf("%s %v: %d components to %d, clipped to %g", c.entry.Name, c.parameters, in, out, setting(t, p, "clip"))
		}
		if got := setting(t, p, c.noise); math.Abs(got/c.size-1) > 1e-9 || got < c.size {
			t.Errorf("%s %v: %s %.15g, want %g and no less", c.entry.Name, c.parameters, c.noise, got, c.size)
		}
		c.claim.Unit, c.claim.Assumes = privacy.Text, privacy.PublicData
		if p.Claim() != c.claim {
			t.Errorf("%s %v claims %+v, want %+v", c.entry.Name, c.parameters, p.Claim(), c.claim)
		}
	}
	for says, c := range map[string]mechanism.Latent{
		"adept needs clip: the median norm of the public corpus's latent vectors is no scale to clip at": {Dim: 4},
		"adept: dimensions must be at most 4096, got 5000":                                               {Dim: 5000, MedianL1: 1},
	} {
		if _, err := adeptEntry.NewLatent(t.Context(), c, mechanism.Spec{Epsilon: 2}); err == nil || err.Error() != says {
			t.Errorf("%v, want %s", err, says)
		}
	}
}

// Draws have the claimed size: over 20,000 draws of 4 components the mean square of
// Gaussian noise is sigma^2 within a relative error of 6 sqrt(2/80,000) = 3%,
// except with probability 2e-9. Half of sigma, the mutant, is seen.
func TestADePTDrawsTheGaussianItClaims(t *testing.T) {
	p, err := adeptEntry.NewLatent(t.Context(), mechanism.Latent{Dim: 4, MedianL1: 3, MedianL2: 2}, mechanism.Spec{Epsilon: 3, Parameters: map[string]string{"noise": "gaussian"}})
	if err != nil {
		t.Fatal(err)
	}
	sigma := setting(t, p, "sigma")
	dst, src, rng := make([]float32, 4), make([]float32, 4), noise.Seeded(6, 6)
	square := 0.0
	for range 20_000 {
		if err := p.Perturb(dst, src, rng); err != nil {
			t.Fatal(err)
		}
		for _, x := range dst {
			square += float64(x) * float64(x) / 80_000
		}
	}
	fits := func(sigma float64) bool { return math.Abs(square/(sigma*sigma)-1) < 0.03 }
	if !fits(sigma) || fits(sigma/2) {
		t.Errorf("the mean square is %g, sigma %g", square, sigma)
	}
}
