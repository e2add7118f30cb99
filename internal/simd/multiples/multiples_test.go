package multiples

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sotto-dp/sotto/internal/simd/simdtest"
)

// Kernels give the bits of the loop at every length and alignment, and write nothing beside
// the row.
func TestKernelsEqualTheirSpecification(t *testing.T) {
	simdtest.Each(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(1, 2))
		for n := range 140 {
			from := n % 7
			row, add := make([]float64, n+3), rng.NormFloat64()
			whole, intact := simdtest.Guarded(n+from, -7.25)
			for i := range row {
				row[i] = math.Ldexp(rng.NormFloat64(), rng.IntN(40)-20)
			}
			for i := range whole {
				whole[i] = math.Ldexp(rng.NormFloat64(), rng.IntN(40)-20)
			}
			want := append([]float64(nil), whole...)
			addGo(want[from:], add, row)
			Add(whole[from:], add, row)
			for i, w := range want {
				if math.Float64bits(whole[i]) != math.Float64bits(w) {
					t.Fatalf("length %d: number %d is %g, want %g", n, i, whole[i], w)
				}
			}
			if !intact() {
				t.Fatalf("length %d: Add wrote beside the row", n)
			}
		}
	})
}
