package accountant

import (
	"math"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/privacy"
	"pgregory.net/rapid"
)

func TestUseAddsUpByTheBestMethod(t *testing.T) {
	pure := Use{Epsilon: 0.1}
	approximate := Use{Epsilon: 0.1, Delta: 1e-9}
	for _, c := range []struct {
		name    string
		use     Use
		n       int
		delta   float64
		how     Method
		atLeast float64
		atMost  float64
	}{
		{"pure, pure wanted", pure, 400, 0, Basic, 40, 40.001},
		{"pure, one use", pure, 1, 1e-6, Optimal, 0.0999, 0.1},
		{"pure, delta allowed", pure, 400, 1e-6, Optimal, 10, 12},
		{"approximate", approximate, 400, 1e-6, Optimal, 10, 12},
		// No epsilon holds where the deltas alone exceed the one allowed.
		{"delta below the deltas", Use{Epsilon: 1, Delta: 1e-3}, 100, 0.0951, Basic, math.Inf(1), math.Inf(1)},
		{"delta just above the deltas", Use{Epsilon: 1, Delta: 1e-3}, 100, 0.0953, Optimal, 1, 100},
		{"pure from approximate", Use{Epsilon: 1, Delta: 1e-3}, 2, 0, Basic, math.Inf(1), math.Inf(1)},
	} {
		got, how, err := c.use.EpsilonOf(c.n, c.delta)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if how != c.how || got < c.atLeast || got > c.atMost {
			t.Errorf("%s: epsilon %g by %s, want %g to %g by %s", c.name, got, how, c.atLeast, c.atMost, c.how)
		}
	}
}

func TestUseRefusesParametersOutOfRange(t *testing.T) {
	for _, c := range []struct {
		name  string
		use   Use
		n     int
		delta float64
		want  string
	}{
		{"no uses", Use{Epsilon: 1}, 0, 0.1, "uses must be at least 1, got 0"},
		{"delta of one", Use{Epsilon: 1}, 1, 1, "delta must be in [0, 1), got 1"},
		{"a use's delta of one", Use{Epsilon: 1, Delta: 1}, 1, 0.1, "delta must be in [0, 1), got 1"},
		{"infinite", Use{Epsilon: math.Inf(1)}, 1, 0.1, "epsilon must be positive and finite, got +Inf"},
		{"not a number", Use{Epsilon: math.NaN()}, 1, 0.1, "epsilon must be positive and finite, got NaN"},
	} {
		if _, _, err := c.use.EpsilonOf(c.n, c.delta); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

// For every kind of use, more uses never lose less, the two directions agree,
// and no figure is above basic composition.
func TestUsesOfOneMechanismAreMonotone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		u := Use{Epsilon: rapid.Float64Range(0.001, 3).Draw(t, "epsilon")}
		switch rapid.IntRange(0, 2).Draw(t, "kind") {
		case 1:
			l, err := TwoLevel(u.Epsilon, rapid.IntRange(1, 50).Draw(t, "set"), 50)
			u.Losses = must(t, l, err)
		case 2:
			u.Delta = 1e-9
			u.GaussianRatio = privacy.GaussianRatio(u.Epsilon, u.Delta)
		}
		delta := rapid.SampledFrom([]float64{1e-3, 1e-6}).Draw(t, "delta")
		last := 0.0
		for _, n := range []int{1, 2, 5, 40, 100} {
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

func TestTimesIsNotBelowTheProduct(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, x := rapid.IntRange(1, 1<<20).Draw(t, "n"), rapid.Float64Range(1e-9, 10).Draw(t, "x")
		if p := times(n, x); math.FMA(float64(n), x, -p) > 0 || p > float64(n)*x*(1+0x1p-51) {
			t.Fatalf("%d times %g is %g", n, x, p)
		}
	})
}
