package directions

import (
	"math/rand/v2"
	"testing"
)

// Rows that are taken four at once have the bits of rows that are taken one by one: seeded
// releases depend on them.
func TestRowsBesideEachOtherAreSummedAsOneByOne(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, size := range [][2]int{{2, 2}, {3, 3}, {7, 4}, {100, 30}, {100, 33}, {300, 299}} {
		in, out := size[0], size[1]
		w := &Whitening{in: in, out: out}
		for range in {
			w.mean = append(w.mean, rng.NormFloat64())
		}
		for range in * out {
			w.rows = append(w.rows, rng.NormFloat64())
		}
		src, got := make([]float32, in), make([]float64, out)
		for k := range src {
			src[k] = float32(rng.NormFloat64())
		}
		w.project(got, src)
		for r := range out {
			sum := 0.0
			for k, x := range src {
				sum += float64(w.rows[r*in+k] * (float64(x) - w.mean[k]))
			}
			if got[r] != sum {
				t.Errorf("%d to %d components: row %d is %v, want %v", in, out, r, got[r], sum)
			}
		}
	}
}
