package main

import (
	"math"
	"testing"
)

func TestChanceIsSharedByTheBest(t *testing.T) {
	for _, c := range []struct {
		own    float64
		others []float64
		want   float64
	}{{2, []float64{1, 0}, 1}, {2, []float64{2, 1, 2}, 1.0 / 3}, {1, []float64{2}, 0}, {0, make([]float64, 99), 0.01}} {
		if got := chance(c.own, c.others); got != c.want {
			t.Errorf("%g among %v: %g, want %g", c.own, c.others, got, c.want)
		}
	}
}

// Nothing is learnt without a release, and everything may be from a clear vector.
func TestLimitOfNaming(t *testing.T) {
	if got := limit(0, 100); math.Abs(got-0.01) > 1e-12 {
		t.Errorf("%g of 100", got)
	}
	if got := limit(math.Inf(1), 100); got != 1 {
		t.Errorf("%g from a clear vector", got)
	}
	if got := limit(math.Log(99), 100); math.Abs(got-0.5) > 1e-12 {
		t.Errorf("%g after ln 99", got)
	}
}
