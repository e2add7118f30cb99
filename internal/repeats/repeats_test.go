package repeats

import (
	"slices"
	"testing"

	"github.com/sotto-dp/sotto/noise"
)

func drawn(n int, values uint64, stream uint64) []uint64 {
	rng, out := noise.Seeded(3, stream), make([]uint64, n)
	for i := range out {
		out[i] = noise.Below(rng, values)
	}
	return out
}

// Independent draws pass, and each way to repeat draws is found.
func TestRepeatsAreFound(t *testing.T) {
	agree := Agreement(drawn(400, 8, 0), drawn(400, 8, 1))
	if agree <= 1.0/8 || agree > 0.3 {
		t.Fatalf("draws of 8 values agree with a chance of %g", agree)
	}
	run := drawn(1000, 8, 2)
	part := slices.Clone(run)
	copy(part[600:800], part[100:300])
	adjacent := slices.Clone(run)
	for i := range adjacent {
		adjacent[i] = run[i/2*2]
	}
	for name, c := range map[string]struct {
		out    []uint64
		passes bool
	}{
		"independent":               {run, true},
		"one value":                 {slices.Repeat([]uint64{3}, 1000), false},
		"a stream used twice":       {append(run[:500:500], run[:500]...), false},
		"200 draws used twice":      {part, false},
		"every draw used twice":     {adjacent, false},
		"too few to show anything":  {run[:10], false},
		"four streams of one batch": {slices.Repeat(run[:250], 4), false},
	} {
		if err := (Draws[uint64]{Out: c.out, Agree: agree}).Check(); (err == nil) != c.passes {
			t.Errorf("%s: %v", name, err)
		}
	}
	long := append(drawn(30_000, 8, 4), drawn(30_000, 8, 4)...)
	if err := (Draws[uint64]{Out: long, Agree: agree, Also: []int{30_000}}).Check(); err == nil {
		t.Error("a long run that is used twice passes")
	}
}

// What the bound of the agreement says of runs that always or never agree.
func TestAgreementIsAnUpperBound(t *testing.T) {
	if a := Agreement(drawn(300, 2, 0), drawn(300, 2, 0)); a < 1-1e-9 {
		t.Errorf("equal runs agree with a chance of %g", a)
	}
	if a := Agreement([]uint64{1, 1, 1}, []uint64{2, 2, 2}); a < 0.99 {
		t.Errorf("three draws bound the chance by %g", a)
	}
}
