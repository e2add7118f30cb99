package dot

import (
	"math/rand/v2"
	"testing"
)

// Every implementation gives the sum of squared differences, exactly, for every
// range of columns and number of rows, and writes nothing beside its results.
func TestWideSquaresAreExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, k := range wideKernels() {
		for dim := 1; dim <= 4096; dim += 1 + rng.IntN(1+dim) {
			words := 1 + rng.IntN(90)
			limit := 1 << 18 // dim (2 limit)^2 stays below 2^53 at 4,096 components
			rows := make([]float32, words*dim)
			for i := range rows {
				rows[i] = float32(rng.IntN(2*limit+1) - limit)
				if dim%3 == 0 {
					rows[i] = float32(limit * (1 - 2*rng.IntN(2)))
				}
			}
			table := packWide(k, rows, dim)
			xs := make([]int, 1+rng.IntN(40))
			for i := range xs {
				xs[i] = rng.IntN(words)
			}
			from := rng.IntN(words)
			to := from + 1 + rng.IntN(words-from)
			const guard = -77.0
			got := make([]float64, len(xs)*(to-from)+16)
			for i := range got {
				got[i] = guard
			}
			var s WideScratch
			table.Squares(got[8:], rows, xs, from, to, &s)
			for i, x := range xs {
				for y := from; y < to; y++ {
					want := int64(0)
					for j := range dim {
						e := int64(rows[x*dim+j]) - int64(rows[y*dim+j])
						want += e * e
					}
					if g := got[8+i*(to-from)+y-from]; g != float64(want) {
						t.Fatalf("%s, dim %d: words %d and %d are %g apart, want %d", k.name, dim, x, y, g, want)
					}
				}
			}
			for i, g := range got {
				if (i < 8 || i >= 8+len(xs)*(to-from)) && g != guard {
					t.Fatalf("%s, dim %d, %d rows, columns %d to %d of %d: wrote beside the results", k.name, dim, len(xs), from, to, words)
				}
			}
		}
	}
}
