package adam

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sotto-dp/sotto/internal/simd/simdtest"
)

// Kernels move weights exactly as the loop does, for any number of them,
// infinities and NaN included, and write nothing else.
func TestKernelsEqualTheirSpecification(t *testing.T) {
	simdtest.Each(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(1, 1))
		odd := []float32{0, 1e-38, -1e-38, 9.9e-31, -9.9e-31, 1e19, float32(math.Inf(1)), float32(math.NaN())}
		for n := range 70 {
			var start, got, want [4][]float32 // weights, gradient, mean, square
			for i := range start {
				start[i] = make([]float32, n+1)
				for k := range start[i] {
					start[i][k] = float32(rng.NormFloat64())
					if rng.IntN(4) == 0 {
						start[i][k] = odd[rng.IntN(len(odd))]
					}
					if i == 3 {
						start[i][k] = max(start[i][k], -start[i][k])
					}
				}
				got[i], want[i] = slices.Clone(start[i]), slices.Clone(start[i])
			}
			s := NewStep(1+rng.IntN(1000), 1e-3, 0.5)
			s.Move(got[0][:n], got[1][:n], got[2][:n], got[3][:n])
			stepGo(want[0][:n], want[1][:n], want[2][:n], want[3][:n], &s.constants)
			for i, v := range got {
				for k, x := range v {
					if !simdtest.SameBits(x, want[i][k]) {
						t.Fatalf("%d of list %d, of %d, is %g, want %g", k, i, n, x, want[i][k])
					}
				}
			}
		}
	})
}

func BenchmarkMove(b *testing.B) {
	const n = 1 << 22
	v := make([]float32, 4*n)
	for i := range v {
		v[i] = float32(i%97) / 97
	}
	for _, l := range simdtest.Levels() {
		b.Run(l.String(), func(b *testing.B) {
			simdtest.At(b, l)
			s := NewStep(10, 1e-3, 1)
			for b.Loop() {
				s.Move(v[:n], v[n:2*n], v[2*n:3*n], v[3*n:])
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/weight")
		})
	}
}
