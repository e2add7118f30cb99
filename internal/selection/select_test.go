package selection

import (
	"fmt"
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

// Lists that are long enough for blocks are parted as short ones are: by the same swaps.
func TestBlocksSwapWhatIsSwappedOneByOne(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for round := range 200 {
		v := make([]float64, 1+rng.IntN(1500))
		for i := range v {
			v[i] = float64(rng.IntN(1 + 3*round*round))
		}
		k := 1 + rng.IntN(len(v))
		want := slices.Clone(v)
		selectSimply(want, k)
		if Select(v, k); !slices.Equal(v, want) {
			t.Fatalf("round %d: the %d-th of %d values leaves another order", round, k, len(v))
		}
	}
}

// selectSimply is Select without blocks.
func selectSimply(v []float64, k int) {
	lo, hi := 0, len(v)-1
	for lo < hi {
		pivot := v[lo+(hi-lo)/2]
		i, j := lo, hi
		for i <= j {
			for v[i] < pivot {
				i++
			}
			for v[j] > pivot {
				j--
			}
			if i <= j {
				v[i], v[j] = v[j], v[i]
				i, j = i+1, j-1
			}
		}
		switch at := k - 1; {
		case at <= j:
			hi = j
		case at >= i:
			lo = i
		default:
			return
		}
	}
}

func BenchmarkSelect(b *testing.B) {
	rng := rand.New(rand.NewPCG(7, 8))
	for _, n := range []int{200, 20000} {
		all, v := make([]float64, n), make([]float64, n)
		for i := range all {
			all[i] = rng.ExpFloat64()
		}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				copy(v, all)
				Select(v, n/2)
			}
		})
		b.Run(fmt.Sprint(n, "/simply"), func(b *testing.B) {
			for b.Loop() {
				copy(v, all)
				selectSimply(v, n/2)
			}
		})
	}
}
