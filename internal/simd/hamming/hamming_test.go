package hamming

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sotto-dp/sotto/internal/simd/simdtest"
)

func TestKernelsEqualTheirSpecification(t *testing.T) {
	simdtest.Each(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(1, 1))
		for _, words := range []int{1, 2, 3, 4, 5, 33, 64} {
			for _, n := range []int{1, 2, 7, 8, 9, 15, 16, 17, 40, 41, 1000} {
				rows, intact := simdtest.Guarded(n*words, ^uint64(0))
				code := make([]uint64, words)
				for i := range code { // few bits, so that several codes are as near
					code[i] = r.Uint64() >> (64 - 3*(i%2)) << (20 * r.IntN(3))
				}
				for i := range rows {
					if rows[i] = code[i%words]; r.IntN(2*words) == 0 {
						rows[i] = []uint64{0, ^uint64(0), r.Uint64(), 1 << r.IntN(64)}[r.IntN(4)]
					}
				}
				other := rows[(n-1)*words:]
				want := []Found{{}, found(nearestGo(code, rows, 0)), found(nearestGo(other, rows, 0))}
				if got := New(rows, words).Nearest([]Found{{}}, append(slices.Clone(code), other...)); !slices.Equal(got, want) {
					t.Fatalf("%d codes of %d words: %v, want %v", n, words, got, want)
				}
				if !intact() {
					t.Fatal("codes were changed")
				}
			}
		}
	})
}

// The specification itself: bits are counted one by one.
func TestNearestOfFewCodes(t *testing.T) {
	for i, c := range []struct {
		code, rows []uint64
		at, differ int
	}{
		{[]uint64{0}, []uint64{7, 3, 5, 3}, 1, 2},
		{[]uint64{1, 1 << 63}, []uint64{0, 0, 1, 0, 1, 1 << 63}, 2, 0},
		{[]uint64{0, 0, 0, 0}, []uint64{^uint64(0), 0, 0, 0, 1, 1, 1, 1}, 1, 4},
	} {
		if got := New(c.rows, len(c.code)).Nearest(nil, c.code)[0]; got != (Found{c.at, c.differ}) {
			t.Errorf("%d: %v, want code %d, which differs in %d bits", i, got, c.at, c.differ)
		}
	}
}

func BenchmarkNearest(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	rows := make([]uint64, 4*40000)
	for i := range rows {
		rows[i] = r.Uint64()
	}
	c := New(rows, 4)
	for _, l := range simdtest.Levels() {
		b.Run(l.String(), func(b *testing.B) {
			simdtest.At(b, l)
			var found []Found
			for b.Loop() { // of 32 codes
				found = c.Nearest(found[:0], rows[400:528])
			}
		})
	}
}
