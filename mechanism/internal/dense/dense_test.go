package dense

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The exported functions agree with the loops that specify them, at every
// length and alignment, and write nothing outside the row.
func TestFastLoopsAgreeWithThePlainOnes(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for n := 1; n < 300; n++ {
		from := n % 9
		a, b := make([]float32, n+from), make([]float32, n+from+8)
		for i := range b {
			b[i] = float32(rng.NormFloat64())
		}
		for i := range a {
			a[i] = float32(0.01 + rng.Float64())
		}
		k, v := a[from:], b[from:from+n]
		near(t, n, "dot", DotPositive(k, v), dotPositive(k, v), 1e-5*float64(n))
		near(t, n, "largest difference", MaxDifference(v, k, 0.7), maxDifference(v, k, 0.7), 1e-6)
		near(t, n, "smallest ratio", MinRatio(v, k), minRatio(v, k), 0)
		want := append([]float32(nil), b...)
		axpy(want[from:from+n], -0.3, k)
		Axpy(v, -0.3, k)
		for i := range b {
			near(t, n, "axpy", b[i], want[i], 1e-6)
		}
	}
}

func near(t *testing.T, n int, what string, got, want float32, tolerance float64) {
	t.Helper()
	if !(math.Abs(float64(got)-float64(want)) <= tolerance) {
		t.Fatalf("length %d: %s is %g, want %g", n, what, got, want)
	}
}
