package exponential

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestEveryKernelIsTheExponential(t *testing.T) {
	for _, k := range all() {
		var v, was []float32
		for x := float32(-87); x <= 87; x += 0.00737 {
			v, was = append(v, x), append(was, x)
		}
		k.of(v, 1, 0)
		for i, x := range was {
			if want := math.Exp(float64(x)); math.Abs(float64(v[i])-want) > 4e-7*want {
				t.Fatalf("%s: exp(%g) = %g, want %g", k.name, x, v[i], want)
			}
		}
		far := []float32{500, -500, float32(math.Inf(1)), float32(math.Inf(-1))}
		k.of(far, 1, 0)
		for i, want := range []float64{math.Exp(87), math.Exp(-87), math.Exp(87), math.Exp(-87)} {
			if math.Abs(float64(far[i])-want) > 4e-7*want {
				t.Errorf("%s: far out it is %g, want %g", k.name, far[i], want)
			}
		}
	}
}

// A number's result is the same in any place, alone or among others, and in both
// sets of instructions.
func TestPlaceAndCompanyChangeNoBit(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for n := 1; n < 70; n++ {
		v := make([]float32, n)
		for i := range v {
			v[i] = float32(rng.NormFloat64() * 10)
		}
		var first []float32
		for _, k := range all() {
			const guard = 12345
			many := append(append([]float32{guard}, v...), guard)
			k.of(many[1:n+1], -2, 0.75)
			if many[0] != guard || many[n+1] != guard {
				t.Fatalf("%s wrote beside %d numbers", k.name, n)
			}
			for i, x := range v {
				one := []float32{x}
				k.of(one, -2, 0.75)
				if one[0] != many[i+1] {
					t.Fatalf("%s: number %d of %d is %g, alone %g", k.name, i, n, many[i+1], one[0])
				}
			}
			if k.name == "go" {
				continue
			}
			if first == nil {
				first = many
			}
			for i := range first {
				if first[i] != many[i] {
					t.Fatalf("%s: number %d is %g, want %g", k.name, i, many[i], first[i])
				}
			}
		}
	}
}

func BenchmarkOf(b *testing.B) {
	for _, k := range all() {
		b.Run(k.name, func(b *testing.B) {
			v := make([]float32, 5000)
			for b.Loop() {
				k.of(v, -1, 0)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/5000, "ns/number")
		})
	}
}
