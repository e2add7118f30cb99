package catalog

import (
	"math"
	"testing"

	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/internal/oracle"
	"github.com/sotto-dp/sotto/privacy"
)

func TestTrlaplacePublishedMatchesTheReferenceAndOwnsUpToItsDelta(t *testing.T) {
	stage.Unraced(t)
	for _, r := range formulas[struct {
		D        int
		C        float64
		Eps      float64
		Root     float64 `json:"delta_root"`
		Alpha    float64
		Bound    float64 `json:"A"`
		Variance float64 `json:"coordinate_variance"`
		Spread   float64 `json:"true_delta_shift_spread"`
		One      float64 `json:"true_delta_shift_one_coordinate"`
	}](t, "trlaplace_published") {
		alpha, bound, err := publishedTruncation(r.D, r.C, r.Eps, r.Root)
		if err != nil {
			t.Fatal(err)
		}
		agrees(t, "alpha", r, alpha, r.Alpha)
		agrees(t, "A", r, bound, r.Bound)
		agrees(t, "variance", r, truncatedVariance(alpha, bound), r.Variance)
		claim := truncatedClaim(r.D, r.C, alpha, bound)
		worst := max(r.Spread, r.One)
		if claim.Notion != privacy.Approximate || claim.Delta < worst || claim.Delta > worst*1.01 {
			t.Errorf("%+v: the claim is %s, the worst delta known is %g", r, claim, worst)
		}
		if math.Abs(claim.Epsilon/r.Eps-1) > 1e-9 {
			t.Errorf("%+v: the claim is %s", r, claim)
		}
	}
}

func TestTrlaplacePublishedFollowsItsNoise(t *testing.T) {
	stage.Unraced(t)
	followsOnALine(t, trlaplacePublishedEntry, 0.4, nil,
		func(m settled) func(float64) float64 {
			return truncatedCDF(setting(t, m, "scale"), setting(t, m, "bound"))
		})
}

func TestDummyDimensionsRaiseTheLargestEpsilonAndRepairNothing(t *testing.T) {
	table := oracle.RandomTable(t, 30, 4) // 2 * 0.25 * sqrt 4 = 1
	if _, err := trlaplacePublishedEntry.New(t.Context(), table, mechanism.Spec{Epsilon: 1}); err == nil {
		t.Error("epsilon at the limit is accepted")
	}
	m := oracle.MustOpen(t, trlaplacePublishedEntry, table, 1, map[string]string{"dummies": "96"})
	if got, want := setting(t, m, "delta"), math.Pow(0.25, 100); math.Abs(got/want-1) > 1e-12 {
		t.Errorf("delta is %g, want 4^-100 = %g", got, want)
	}
	if c := m.Claim(); c.Delta < 0.01 || math.Abs(c.Epsilon-0.2) > 1e-9 {
		t.Errorf("100 dimensions, 4 of them real, claim %s; want epsilon 1/sqrt(25) and a delta far above 4^-100", c)
	}
	byDelta := oracle.MustOpen(t, trlaplacePublishedEntry, table, 0.5, map[string]string{"delta": "0.00390625"})
	if got := setting(t, byDelta, "root"); math.Abs(got-0.25) > 1e-15 {
		t.Errorf("delta 4^-4 in 4 dimensions has the root %g", got)
	}
	// Noise shorter than the clip: some inputs share no output at all.
	short := oracle.MustOpen(t, trlaplacePublishedEntry, oracle.Line(t, 9), 0.01, map[string]string{"root": "0.9999", "clip": "1"})
	if c := short.Claim(); c.Delta < 0.99 {
		t.Errorf("noise of bound %g after a clip of 1 claims %s", setting(t, short, "bound"), c)
	}
}
