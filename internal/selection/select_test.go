package selection

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestQuickselectFindsTheKthSmallest(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 2000 {
		v := make([]uint64, 1+rng.IntN(40))
		for i := range v {
			v[i] = rng.Uint64N(12)
		}
		sorted := slices.Clone(v)
		slices.Sort(sorted)
		k := 1 + rng.IntN(len(v))
		if got := Select(v, k); got != sorted[k-1] {
			t.Fatalf("the %d-th smallest of %v is %d, got %d", k, sorted, sorted[k-1], got)
		}
		if slices.Sort(v[:k]); !slices.Equal(v[:k], sorted[:k]) {
			t.Fatalf("the first %d of %v are not the smallest of %v", k, v, sorted)
		}
	}
	if Select([]uint64{math.MaxUint64}, 1) != math.MaxUint64 {
		t.Error("one value is its own smallest")
	}
}

func TestSelectTakesNegatedNumbers(t *testing.T) {
	v := []float64{-1, -4, -2.5, -4, 0}
	if got := Select(v, 2); got != -4 || v[0] != -4 || v[1] != -4 {
		t.Errorf("the second of %v is %g", v, got)
	}
}
