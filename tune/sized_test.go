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
