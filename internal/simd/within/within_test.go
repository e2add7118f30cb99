package within

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sotto-dp/sotto/internal/simd/simdtest"
)

func TestKernelsEqualTheirSpecification(t *testing.T) {
	simdtest.Each(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(1, 1))
		equal(t, func() uint32 {
			return []uint32{0, 1, 1<<31 - 1, 1 << 31, math.MaxUint32, r.Uint32(), r.Uint32N(9)}[r.IntN(7)]
		})
		equal(t, func() float64 {
			return []float64{0, math.Copysign(0, -1), math.Inf(1), -3, 1 << 53, r.NormFloat64(), float64(r.IntN(9))}[r.IntN(7)]
		})
	})
}

// equal compares Mark with a loop over the elements.
func equal[T uint32 | float64](t *testing.T, draw func() T) {
	t.Helper()
	for n := range 400 {
		row, limit := make([]T, n), draw()
		for i := range row {
			row[i] = draw()
		}
		dst, intact := simdtest.Guarded(n/64+2, uint64(0x5555))
		count := Mark(dst, row, limit)
		want := 0
		for i, v := range row {
			if marked := dst[i/64]>>(i%64)&1 == 1; marked != (v <= limit) {
				t.Fatalf("%d elements of %T: element %d is %v, the limit %v, and marked is %t", n, v, i, v, limit, marked)
			}
			if v <= limit {
				want++
			}
		}
		used := (n + 63) / 64
		if n%64 != 0 && dst[used-1]>>(n%64) != 0 {
			t.Fatalf("%d elements: bits are set behind the last one", n)
		}
		if count != want {
			t.Fatalf("%d elements: %d are at most %v, counted %d", n, want, limit, count)
		}
		for _, word := range dst[used:] {
			if word != 0x5555 {
				t.Fatalf("%d elements: wrote behind their bits", n)
			}
		}
		if !intact() {
			t.Fatalf("%d elements: wrote outside dst", n)
		}
	}
}

func BenchmarkMark(b *testing.B) {
	row, dst := make([]uint32, 20000), make([]uint64, 313)
	for i := range row {
		row[i] = rand.Uint32()
	}
	for b.Loop() {
		Mark(dst, row, 1<<31)
	}
}

func TestAppendedNumbersAreThoseOfTheBits(t *testing.T) {
	got := Append([]uint16{7}, []uint64{1<<0 | 1<<63, 0, 1 << 5})
	if want := []uint16{7, 0, 63, 133}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
