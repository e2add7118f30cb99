package accountant

import (
	"math"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/privacy"
	"pgregory.net/rapid"
)

func TestComposeAddsUpEveryNotion(t *testing.T) {
	pure := privacy.Claim{Unit: privacy.Token, Notion: privacy.Pure, Epsilon: 0.1, Assumes: privacy.PublicData}
	approximate := privacy.Claim{Unit: privacy.Token, Notion: privacy.Approximate, Epsilon: 0.1, Delta: 1e-9}
	metric := privacy.Claim{Unit: privacy.Token, Notion: privacy.Metric, Distance: "euclidean", Epsilon: 2}
	for _, c := range []struct {
		name    string
		claim   privacy.Claim
		n       int
		delta   float64
		how     Method
		notion  privacy.Notion
		atLeast float64
		atMost  float64
	}{
		{"pure, pure wanted", pure, 400, 0, Basic, privacy.Pure, 40, 40.001},
		{"pure, one use", pure, 1, 1e-6, Optimal, privacy.Approximate, 0.0999, 0.1},
		{"pure, delta allowed", pure, 400, 1e-6, Optimal, privacy.Approximate, 10, 12},
		{"approximate", approximate, 400, 1e-6, Optimal, privacy.Approximate, 10, 12},
		{"metric", metric, 400, 0, MetricSum, privacy.Metric, 2, 2},
	} {
		got, how, err := Compose(c.claim, c.n, c.delta)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if how != c.how || got.Notion != c.notion || got.Unit != privacy.Text || got.Epsilon < c.atLeast || got.Epsilon > c.atMost ||
			got.Delta != c.delta || got.Assumes != c.claim.Assumes {
			t.Errorf("%s: %+v by %s", c.name, got, how)
		}
	}
	if got, _, _ := Compose(metric, 3, 0); got.Distance != "summed euclidean" {
		t.Errorf("the distance of a metric sum is %q", got.Distance)
	}
}

func TestComposeRefusesWhatCannotHold(t *testing.T) {
	approximate := privacy.Claim{Notion: privacy.Approximate, Epsilon: 1, Delta: 1e-3}
	lipschitz := privacy.Claim{Notion: privacy.MetricApproximate, Epsilon: 1, Delta: 1e-3, Distance: "euclidean"}
	for _, c := range []struct {
		name  string
		claim privacy.Claim
		n     int
		delta float64
		want  string
	}{
		{"delta below the deltas", approximate, 100, 0.01, "delta is 0.01, must be at least 0.095"},
		{"pure from approximate", approximate, 2, 0, "delta is 0, must be at least 0.00199"},
		{"deltas of one", lipschitz, 1000, 0, "delta is 0.001, must be below 1/1000 for 1000 uses"},
		{"no uses", approximate, 0, 0.1, "uses is 0, must be at least 1"},
		{"delta of one", approximate, 1, 1, "delta is 1, must be in [0, 1)"},
		{"none", privacy.Claim{Notion: privacy.None, Epsilon: math.Inf(1)}, 1, 0.1, "notion is none, must be pure or approximate"},
		{"infinite", privacy.Claim{Notion: privacy.Pure, Epsilon: math.Inf(1)}, 1, 0.1, "epsilon is +Inf, must be positive and finite"},
	} {
		if _, _, err := Compose(c.claim, c.n, c.delta); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

// Whatever is known, more uses never lose less, the two directions agree, and
// no figure is above basic composition.
func TestUsesOfOneMechanismAreMonotone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		u := Use{Epsilon: rapid.Float64Range(0.001, 3).Draw(t, "epsilon")}
		switch rapid.IntRange(0, 2).Draw(t, "kind") {
		case 1:
			l, err := TwoLevel(u.Epsilon, rapid.IntRange(1, 50).Draw(t, "set"), 50, 0)
			u.Losses = must(t, l, err)
		case 2:
			u.Delta = 1e-9
			u.GaussianRatio = privacy.GaussianRatio(u.Epsilon, u.Delta)
		}
		delta := rapid.SampledFrom([]float64{1e-3, 1e-6}).Draw(t, "delta")
		last := 0.0
		for _, n := range []int{1, 2, 5, 40, 300} {
			epsilon, how, err := u.EpsilonOf(n, delta)
			if err != nil {
				t.Fatal(err)
			}
			if epsilon < last*(1-1e-9) || epsilon > float64(n)*u.Epsilon*(1+1e-9) {
				t.Fatalf("%+v: %d uses have epsilon %g by %s, fewer had %g", u, n, epsilon, how, last)
			}
			last = epsilon
			at, by, err := u.DeltaOf(n, epsilon)
			if err != nil || at > delta*(1+1e-6) {
				t.Fatalf("%+v: %d uses have delta %g at %g by %s, must be %g by %s (%v)", u, n, at, epsilon, by, delta, how, err)
			}
		}
	})
}

func TestAddedUpFiguresAreNotBelowTheirSum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, x := rapid.IntRange(1, 1<<20).Draw(t, "n"), rapid.Float64Range(1e-9, 10).Draw(t, "x")
		if p := times(n, x); math.FMA(float64(n), x, -p) > 0 || p > float64(n)*x*(1+0x1p-51) {
			t.Fatalf("%d times %g is %g", n, x, p)
		}
	})
}
