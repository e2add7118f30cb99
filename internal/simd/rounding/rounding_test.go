package rounding

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/sotto-dp/sotto/internal/simd/simdtest"
)

func TestKernelsEqualTheirSpecification(t *testing.T) {
	simdtest.Each(t, func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			n := Multiple * rapid.IntRange(0, 40).Draw(t, "n")
			r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
			size := math.Ldexp(1, rapid.IntRange(-130, 120).Draw(t, "size"))
			x := make([]float32, n)
			for i := range x {
				x[i] = float32(size * r.NormFloat64())
				if r.IntN(4) == 0 {
					x[i] = float32(size * float64(r.IntN(5)-2) / 2) // ties
				}
			}
			largest, square := Measure(x)
			wantLargest, wantSquare := measureGo(x)
			if largest != wantLargest || square != wantSquare {
				t.Fatalf("measured %g and %g, want %g and %g", largest, square, wantLargest, wantSquare)
			}
			if largest == 0 {
				return
			}
			for _, scale := range []float64{largest / 127, largest} {
				got, intact := simdtest.Guarded[int8](n, 77)
				want := make([]int8, n)
				left, sum := Round(got, x, scale, 1/scale)
				wantLeft, wantSum := roundGo(want, x, scale, 1/scale)
				if left != wantLeft || sum != wantSum || !slices.Equal(got, want) || !intact() {
					t.Fatalf("%d, left %g, sum %d; want %d, left %g, sum %d", got, left, sum, want, wantLeft, wantSum)
				}
			}
		})
	})
}

func TestNumbersThatAreNotFiniteShowInTheSquare(t *testing.T) {
	simdtest.Each(t, func(t *testing.T) {
		for at := range 2 * Multiple {
			for _, v := range []float64{math.Inf(1), math.Inf(-1), math.NaN()} {
				x := make([]float32, 2*Multiple)
				x[at] = float32(v)
				if _, square := Measure(x); !(math.IsInf(square, 1) || math.IsNaN(v) && math.IsNaN(square)) {
					t.Errorf("component %d is %g, the square %g", at, v, square)
				}
			}
		}
	})
}

func BenchmarkRound(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	x, dst := make([]float32, 304), make([]int8, 304)
	for i := range x {
		x[i] = float32(r.NormFloat64())
	}
	for _, level := range simdtest.Levels() {
		b.Run(level.String(), func(b *testing.B) {
			simdtest.At(b, level)
			for b.Loop() {
				largest, _ := Measure(x)
				Round(dst, x, largest/127, 127/largest)
			}
		})
	}
}
