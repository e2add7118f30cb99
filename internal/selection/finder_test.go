package selection

import (
	"cmp"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sotto-dp/sotto/internal/simd/simdtest"
)

// Rows shorter and longer than those that are sampled, with few and with many equal
// elements, with the largest elements there are, and in order, so that a sample
// of them misleads.
func TestFinderMarksTheSmallestElements(t *testing.T) {
	simdtest.Each(t, func(t *testing.T) {
		check[uint32](t, math.MaxUint32)
		check[float64](t, 1<<53)
	})
}

// checkAbout checks that MarkAbout marks some smallest elements, one at least and not too many.
func checkAbout[T uint32 | float64](t *testing.T, f *Finder[T], row []T, order []int, k, most int) {
	t.Helper()
	dst := make([]uint64, (len(row)+63)/64)
	f.MarkAbout(dst, row, k, most)
	marked := 0
	for marked < len(order) && dst[order[marked]/64]>>(order[marked]%64)&1 == 1 {
		marked++
	}
	count := 0
	for _, word := range dst {
		count += bits.OnesCount64(word)
	}
	if count != marked || marked < 1 || marked > most {
		t.Fatalf("about %d of %d are to be marked, at most %d: %d are, %d of them the smallest", k, len(row), most, count, marked)
	}
}

func check[T uint32 | float64](t *testing.T, most T) {
	t.Helper()
	rng := rand.New(rand.NewPCG(7, 8))
	var f Finder[T]
	for _, n := range []int{1, 2, 63, 64, 65, few, few + 1, 5000} {
		for _, values := range []int64{1, 2, 30, 5000, 1 << 31} {
			row := make([]T, n)
			for i := range row {
				row[i] = T(rng.Int64N(values))
				if rng.IntN(20) == 0 {
					row[i] = most
				}
			}
			for _, sorted := range []bool{false, true} {
				if sorted {
					slices.Sort(row)
				}
				order := make([]int, n)
				for i := range order {
					order[i] = i
				}
				slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(row[a], row[b]) })
				for _, k := range []int{0, 1, 2, 16, 500, n / 4, n / 2, n - 1, n} {
					if k > n {
						continue
					}
					dst := make([]uint64, (n+63)/64)
					dst[0] = 1
					f.Mark(dst, row, k)
					want := make([]uint64, len(dst))
					want[0] = 1 // it was set
					for _, i := range order[:k] {
						want[i/64] |= 1 << (i % 64)
					}
					if !slices.Equal(dst, want) {
						t.Fatalf("the %d smallest of %d %T below %d, sorted %t, are not marked", k, n, most, values, sorted)
					}
					if k > 0 {
						checkAbout(t, &f, row, order, k, min(n, k+k/3))
					}
				}
			}
		}
	}
}
