package dot

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Every kernel gives the plain loop's numbers, at every length and at the ends
// of the ranges, and writes nothing beside its results.
func TestKernelsEqualTheirSpecification(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for stride := Pad; stride <= 4096; stride += Pad * (1 + rng.IntN(4)) {
		n := rng.IntN(6)
		extreme := rng.IntN(3) == 0
		small := func(limit int) int {
			if extreme {
				return limit * (1 - 2*rng.IntN(2))
			}
			return rng.IntN(2*limit+1) - limit
		}
		x16, x64 := make([]int16, 4*stride), make([]float64, 4*stride)
		y8, y32 := make([]int8, n*stride), make([]float32, n*stride)
		limit := 1 << 18 // stride limit^2 stays below 2^53 at 4,096 elements
		for i := range x16 {
			x16[i], x64[i] = int16(small(127)), float64(small(limit))
		}
		for i := range y8 {
			y8[i], y32[i] = int8(small(127)), float32(small(limit))
		}
		const guard = -77
		got, want := slices.Repeat([]int32{guard}, 4*n+8), slices.Repeat([]int32{guard}, 4*n+8)
		Int8x4(got[4:4*n+4], x16, y8, n, stride)
		int8x4(want[4:4*n+4], x16, y8, n, stride)
		if !slices.Equal(got, want) {
			t.Fatalf("stride %d: Int8x4 gives %v, want %v", stride, got, want)
		}
		gotF, wantF := slices.Repeat([]float64{guard}, 4*n+8), slices.Repeat([]float64{guard}, 4*n+8)
		Float64x4(gotF[4:4*n+4], x64, y32, n, stride)
		float64x4(wantF[4:4*n+4], x64, y32, n, stride)
		if !slices.Equal(gotF, wantF) {
			t.Fatalf("stride %d: Float64x4 gives %v, want %v", stride, gotF, wantF)
		}
		if n > 1 {
			if a, b := Int8(y8[:stride], y8[stride:2*stride]), int8x1(y8[:stride], y8[stride:2*stride]); a != b {
				t.Fatalf("stride %d: Int8 gives %d, want %d", stride, a, b)
			}
		}
	}
}
