package symmetric

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// The leading pairs are those of the whole decomposition.
func TestLeadingFindsTheLargest(t *testing.T) {
	const n, k = 40, 3
	rng := rand.New(rand.NewPCG(3, 4))
	a := make([]float64, n*n)
	for r := range 30 { // of rank 30
		scale := 100 / float64(1+r*r)
		v := make([]float64, n)
		for i := range v {
			v[i] = rng.NormFloat64()
		}
		for i, x := range v {
			for j, y := range v {
				a[i*n+j] += scale * x * y
			}
		}
	}
	all, whole := Eigen(slices.Clone(a), n)
	values, vectors, err := Leading(t.Context(), a, n, k+8)
	if err != nil {
		t.Fatal(err)
	}
	for c := range k {
		if math.Abs(values[c]-all[c]) > 1e-8*all[0] {
			t.Errorf("value %d is %g, want %g", c, values[c], all[c])
		}
		product := 0.0
		for i := range n {
			product += vectors[i*(k+8)+c] * whole[i*n+c]
		}
		if math.Abs(math.Abs(product)-1) > 1e-6 {
			t.Errorf("vector %d has the product %g with the whole decomposition's", c, product)
		}
	}
	zero, _, err := Leading(t.Context(), make([]float64, n*n), n, k)
	if err != nil || slices.Max(zero) != 0 {
		t.Errorf("of zero: %v, %v", zero, err)
	}
}
