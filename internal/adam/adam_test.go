package adam

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// Every kernel moves weights as the specification does, to the bit, for any number
// of them, numbers that end and numbers that are none included, and writes nothing
// beside them.
func TestEveryKernelMovesAsTheSpecificationDoes(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	odd := []float32{0, 1e-38, -1e-38, 9.9e-31, -9.9e-31, 1e19, float32(math.Inf(1)), float32(math.NaN())}
	defer func(was kernel) { best = was }(best)
	for n := range 70 {
		var start [4][]float32 // weights, gradient, mean, square
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
		}
		s := Step{Number: 1 + rng.IntN(1000), Rate: 1e-3, Cut: 0.5}
		var want [][]float32
		for _, k := range slices.Backward(all()) {
			best = k
			var got [][]float32
			for _, v := range start {
				got = append(got, slices.Clone(v))
			}
			s.Move(got[0][:n], got[1][:n], got[2][:n], got[3][:n])
			if want == nil {
				want = got
			}
			for i, v := range got {
				for k, x := range v {
					if math.Float32bits(x) != math.Float32bits(want[i][k]) && (x == x || want[i][k] == want[i][k]) {
						t.Fatalf("%s: %d of list %d, of %d, is %g, want %g", best.name, k, i, n, x, want[i][k])
					}
				}
				if a, b := v[n], start[i][n]; a != b && a == a {
					t.Fatalf("%s wrote beside %d numbers", best.name, n)
				}
			}
		}
	}
}

func BenchmarkMove(b *testing.B) {
	const n = 1 << 22
	v := make([]float32, 4*n)
	for i := range v {
		v[i] = float32(i%97) / 97
	}
	defer func(was kernel) { best = was }(best)
	for _, k := range all() {
		b.Run(k.name, func(b *testing.B) {
			best = k
			for b.Loop() {
				Step{Number: 10, Rate: 1e-3, Cut: 1}.Move(v[:n], v[n:2*n], v[2*n:3*n], v[3*n:])
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/weight")
		})
	}
}
