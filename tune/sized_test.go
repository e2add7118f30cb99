package tune

import (
	"math"
	"testing"

	"github.com/sotto-dp/sotto/embedding/builtin"
	"github.com/sotto-dp/sotto/mechanism"
)

// The sets of neighbours shrink as epsilon grows, so a figure jumps where their size changes.
// A target within a jump is reached with the size below it, which the result names; whoever
// gives the size gets that size.
func TestSearchReachesTargetsWithinAJumpOfTheSize(t *testing.T) {
	english, err := builtin.English()
	if err != nil {
		t.Fatal(err)
	}
	table, err := english.First(500)
	if err != nil {
		t.Fatal(err)
	}
	entry := find(t, "neighbours")
	size, _ := entry.Parameter(mechanism.RoleSize)
	jumps := 0
	for _, target := range []Target{{"attack", 0.1}, {"unchanged", 0.5}, {"distance", 3}, {"certified", 8}, {"attack", 0.02}} {
		r, err := Search(t.Context(), entry, table, mechanism.Spec{}, target)
		if err != nil {
			t.Fatal(err)
		}
		fig, _ := target.find()
		row, err := Compare(t.Context(), entry, table, mechanism.Spec{Epsilon: r.Epsilon, Parameters: r.Parameters})
		if err != nil {
			t.Fatal(err)
		}
		got := fig.read(row)
		if !r.Reached || fig.ahead(got, target.Value) > 1e-9 || math.Abs(got-target.Value) > tolerance*target.Value || got != r.Found {
			t.Errorf("%s %g: %s; opened again %g", target.Figure, target.Value, r.Verdict, got)
		}
		if r.Parameters.Gives(size) {
			jumps++
		}
	}
	if jumps < 3 {
		t.Errorf("%d of the targets are within jumps: the test does not test", jumps)
	}
	given := mechanism.Spec{Parameters: mechanism.Values{}.With(size, 300)}
	r, err := Search(t.Context(), entry, table, given, Target{"attack", 0.5})
	if err != nil || r.Reached || len(r.Parameters) > 0 {
		t.Errorf("with a size of 300: %s, %v (%v)", r.Verdict, r.Parameters, err)
	}
}

// No result has an epsilon that changes nothing: below the jump a set of two words hides half of
// them at any epsilon, and one word reaches the target at about a quarter of the largest.
func TestSearchGainsByALargeEpsilon(t *testing.T) {
	english, err := builtin.English()
	if err != nil {
		t.Fatal(err)
	}
	table, err := english.First(500)
	if err != nil {
		t.Fatal(err)
	}
	entry := find(t, "neighbours")
	size, _ := entry.Parameter(mechanism.RoleSize)
	two := mechanism.Values{}.With(size, 2)
	for _, c := range []struct {
		target  Target
		given   mechanism.Values
		reached bool
		most    float64
	}{
		{Target{"attack", 0.6}, nil, true, 7},
		{Target{"attack", 0.5}, nil, true, 7},
		{Target{"unchanged", 0.52}, nil, true, 7},
		{Target{"unchanged", 0.75}, nil, true, 8},
		{Target{"distance", 1.5}, nil, true, 8},
		{Target{"attack", 0.6}, two, false, 12},
		{Target{"distance", 1}, two, false, 12},
	} {
		r, err := Search(t.Context(), entry, table, mechanism.Spec{Parameters: c.given}, c.target)
		if err != nil {
			t.Fatal(err)
		}
		if r.Reached != c.reached || r.Epsilon > c.most || r.Wanted != c.target.Value {
			t.Errorf("%s %g with %v: epsilon %g, %s; want at most %g", c.target.Figure, c.target.Value, c.given, r.Epsilon, r.Verdict, c.most)
		}
		if len(c.given) > 0 && r.Parameters.Gives(size) {
			t.Errorf("%s %g: chose %v where the caller gave it", c.target.Figure, c.target.Value, r.Parameters)
		}
	}
	// What the caller gave may exclude a size of its own: the jump stays.
	capped := mechanism.Spec{Parameters: mechanism.Values{"objective": "signal"}}
	if r, err := Search(t.Context(), entry, table, capped, Target{"attack", 0.6}); err != nil || r.Reached || r.Epsilon > 12 {
		t.Errorf("with an objective: epsilon %g, %s, %v", r.Epsilon, r.Verdict, err)
	}
}
