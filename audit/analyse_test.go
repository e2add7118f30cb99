package audit

import (
	"context"
	"encoding/json"
	"github.com/sotto-dp/sotto/internal/stage"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/refdata"
	"github.com/sotto-dp/sotto/internal/testseed"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/catalog"
	"github.com/sotto-dp/sotto/noise"
	"github.com/sotto-dp/sotto/privacy"
)

func TestTruncatedNoiseMatchesTheReference(t *testing.T) {
	raw, err := os.ReadFile(refdata.Path(t, "oracles/formulas.json"))
	if err != nil {
		t.Fatal(err)
	}
	var reference struct {
		Rows []struct {
			D      int     `json:"d"`
			C      float64 `json:"C"`
			Eps    float64 `json:"eps"`
			Root   float64 `json:"delta_root"`
			Alpha  float64 `json:"alpha"`
			Bound  float64 `json:"A"`
			One    float64 `json:"true_delta_shift_one_coordinate"`
			Spread float64 `json:"true_delta_shift_spread"`
		} `json:"trlaplace_published"`
		Adept []struct {
			N         int     `json:"n"`
			C         float64 `json:"C"`
			Published float64 `json:"published"`
			True      float64 `json:"true"`
		} `json:"adept_l1_sensitivity"`
	}
	if err := json.Unmarshal(raw, &reference); err != nil || len(reference.Rows) == 0 || len(reference.Adept) == 0 {
		t.Fatal(err)
	}
	same := func(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Abs(b) }
	for _, r := range reference.Rows {
		noise, err := publishedTruncated(r.D, r.C, r.Eps, r.Root)
		if err != nil {
			t.Fatal(err)
		}
		one, spread := make([]float64, r.D), make([]float64, r.D)
		one[0] = 2 * r.C
		for k := range spread {
			spread[k] = 2 * r.C / math.Sqrt(float64(r.D))
		}
		if !same(noise.Alpha, r.Alpha) || !same(noise.Bound, r.Bound) || !same(noise.Delta(one), r.One) || !same(noise.Delta(spread), r.Spread) {
			t.Errorf("%+v: %+v, deltas %g and %g", r, noise, noise.Delta(one), noise.Delta(spread))
		}
		if worst, _ := noise.worstDelta(); !same(worst, max(r.One, r.Spread)) && worst < r.Spread {
			t.Errorf("%+v: the worst delta is %g", r, worst)
		}
	}
	for _, r := range reference.Adept {
		if published, actual := adeptSensitivity(r.N, r.C); !same(published, r.Published) || !same(actual, r.True) {
			t.Errorf("%+v: %g, %g", r, published, actual)
		}
	}
}

// The classical calibration holds up to epsilon 1, where its proof ends, and not
// at every larger one.
func TestClassicalGaussianFailsAboveItsProof(t *testing.T) {
	for _, delta := range []float64{1e-2, 1e-6, 1e-9} {
		for _, epsilon := range []float64{0.1, 0.5, 1} {
			if got := privacy.GaussianDelta(epsilon, privacy.ClassicalGaussianRatio(epsilon, delta)); got > delta {
				t.Errorf("epsilon %g: true delta %g, claimed %g", epsilon, got, delta)
			}
		}
		failed := false
		for epsilon := 1.0; epsilon < 200 && !failed; epsilon *= 1.1 {
			failed = privacy.GaussianDelta(epsilon, privacy.ClassicalGaussianRatio(epsilon, delta)) > delta
		}
		if !failed {
			t.Errorf("delta %g: the classical calibration never fails", delta)
		}
	}
}

// additive is a mechanism for vectors made of a clip and a noise, for tests.
type additive struct {
	dim   int
	clip  float64 // 0: none
	claim privacy.Claim
	noise func(rng *rand.Rand) float64
	// shared draws one noise for all components.
	shared bool
	// own scales the noise by the private vector's norm.
	own bool
}

func (a additive) Claim() privacy.Claim   { return a.claim }
func (a additive) Dimensions() (int, int) { return a.dim, a.dim }
func (a additive) Settings() []mechanism.Setting {
	return []mechanism.Setting{{Name: "epsilon", Value: a.claim.Epsilon}, {Name: "clip", Value: max(a.clip, 1)}}
}

func (a additive) Perturb(dst, src []float32, rng rand.Source) error {
	r := rand.New(noise.OrSecure(rng))
	v := widen(src)
	if a.clip > 0 {
		v = clip(v, a.clip)
	}
	scale := 1.0
	if a.own {
		q := 0.0
		for _, x := range v {
			q += x * x
		}
		scale = 0.1 + 0.9*math.Sqrt(q)
	}
	one := a.noise(r)
	for k := range dst {
		e := one
		if !a.shared && k > 0 {
			e = a.noise(r)
		}
		dst[k] = float32(v[k] + e*scale)
	}
	return nil
}

func laplace(r *rand.Rand, scale float64) float64 {
	e := r.ExpFloat64() * scale
	if r.Uint64()&1 == 0 {
		return -e
	}
	return e
}

func vectorClaim(n privacy.Notion, epsilon, delta float64) privacy.Claim {
	return privacy.Claim{Unit: privacy.Vector, Notion: n, Epsilon: epsilon, Delta: delta, Distance: map[bool]string{true: "euclidean"}[isMetric(n)]}
}

// member opens an entry for vectors of dim components.
func member(t *testing.T, name string, dim int, epsilon float64, parameters map[string]string) (mechanism.Entry, mechanism.Perturber) {
	t.Helper()
	entry, _ := catalog.Find(name)
	p, err := entry.NewPerturber(t.Context(), randomTable(t, 2, dim), mechanism.Spec{Epsilon: epsilon, Parameters: parameters})
	if err != nil {
		t.Fatal(err)
	}
	return entry, p
}

// The truth is 0.8979; 10^4 draws in all must show 0.85.
func TestSamplingFindsWhatLiesBeyondTheSupport(t *testing.T) {
	entry, p := member(t, "trlaplace-published", 100, 0.5, map[string]string{"clip": "1", "root": "0.25"})
	f, err := SampleVectors(context.Background(), entry, p, randomTable(t, 2, 3),
		Trial{VectorPairs: []VectorPair{Opposite(100, 1)}, Draws: 5000, Rng: noise.Seeded(testseed.Of(t, 8), 0)})
	if err != nil {
		t.Fatal(err)
	}
	if f.Verdict != Refuted || float64(f.DeltaLow) < 0.85 || float64(f.DeltaLow) > 0.8979 || f.Draws != 10000 {
		t.Errorf("%s with delta at least %g by %d draws, want refuted with 0.85 to 0.8979", f.Verdict, float64(f.DeltaLow), f.Draws)
	}
}

// The nearest word over the table of dimensions + 3 words gives the vector's
// delta, within the interval of the draws.
func TestRevealingTableShowsTheVectorsDelta(t *testing.T) {
	stage.Unraced(t)
	published, err := publishedTruncated(100, 1, 0.5, 0.25)
	if err != nil {
		t.Fatal(err)
	}
	table, err := published.revealingTable()
	if err != nil {
		t.Fatal(err)
	}
	if table.Len() != 103 {
		t.Errorf("%d words, want dimensions + 3", table.Len())
	}
	entry, m := open(t, table, "trlaplace-published", mechanism.Spec{Epsilon: 0.5, Parameters: map[string]string{"clip": "1", "root": "0.25"}})
	up, _ := table.Lookup("up")
	down, _ := table.Lookup("down")
	f, err := sample(context.Background(), entry, m, table,
		Trial{Draws: 5000, Pairs: [][2]embedding.ID{{up, down}}, Rng: noise.Seeded(testseed.Of(t, 9), 0)})
	if err != nil {
		t.Fatal(err)
	}
	if f.Verdict != Refuted || float64(f.DeltaLow) < 0.8 || float64(f.DeltaLow) > 0.8979 {
		t.Errorf("%s with delta at least %g, want refuted with 0.8 to 0.8979", f.Verdict, float64(f.DeltaLow))
	}
}

func TestAdeptIsRefutedBySamplingAndHonestNoiseIsNot(t *testing.T) {
	stage.Unraced(t)
	for _, c := range []struct {
		name       string
		parameters map[string]string
		verdict    Verdict
	}{
		{"adept-published", map[string]string{"clip": "1"}, Refuted},
		{"adept", map[string]string{"clip": "1", "norm": "l2"}, Undecided},
	} {
		entry, p := member(t, c.name, 32, 1, c.parameters)
		f, err := SampleVectors(context.Background(), entry, p, randomTable(t, 2, 3), Trial{VectorPairs: []VectorPair{Opposite(32, 1)}, Draws: 20000, Rng: noise.Seeded(testseed.Of(t, 10), 0)})
		if err != nil || f.Verdict != c.verdict {
			t.Errorf("%s: %v, %v, want %s (epsilon at least %g)", c.name, f.Verdict, err, c.verdict, float64(f.EpsilonLow))
		}
	}
}

// Above its proof the classical Gaussian is refuted where its exact delta passes
// the claim, and only there.
func TestClassicalGaussianAboveOneIsAnalysed(t *testing.T) {
	entry, _ := catalog.Find("gaussian")
	table := randomTable(t, 5, 3)
	for epsilon, want := range map[float64]Verdict{1.5: Undecided, 80: Refuted} {
		f, err := Run(context.Background(), entry, table, Options{Spec: mechanism.Spec{Epsilon: epsilon}})
		if err != nil {
			t.Fatal(err)
		}
		truth := privacy.GaussianDelta(epsilon, privacy.ClassicalGaussianRatio(epsilon, 1e-6))
		if f.Verdict != want || float64(f.DeltaLow) != truth || (want == Refuted) != (truth > 1e-6) {
			t.Errorf("epsilon %g: %s with delta %g, want %s with %g", epsilon, f.Verdict, float64(f.DeltaLow), want, truth)
		}
	}
}

// For normal latents nearly all pairs pass the bound at 32 components (an l1
// difference of about 1.13 sqrt(32) = 6.4 c against 2 c); for 1 component none.
func TestAdeptShareIsHabernals(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for name, component := range adeptLatents(rng) {
		if got := adeptShare(1, 10000, 1, component); got != 0 {
			t.Errorf("%s, 1 component: share %g, want 0", name, got)
		}
		if got := adeptShare(32, 10000, 1, component); got < 0.99 {
			t.Errorf("%s, 32 components: share %g, want nearly 1", name, got)
		}
	}
}
