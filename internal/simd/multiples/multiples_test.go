package multiples

import (
	"fmt"
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
		number := func() float64 { return math.Ldexp(rng.NormFloat64(), rng.IntN(40)-20) }
		for n := range 150 {
			from, stride, of := n%7, n+rng.IntN(5), 1+rng.IntN(9)
			rows := make([]float64, (of-1)*stride+n)
			for i := range rows {
				rows[i] = number()
			}
			by, which := make([]float64, rng.IntN(6)), make([]uint32, 6)
			for k := range by {
				by[k], which[k] = number(), uint32(rng.IntN(of))
			}
			whole, intact := simdtest.Guarded(n+from, -7.25)
			for i := range whole {
				whole[i] = number()
			}
			want := append([]float64(nil), whole...)
			sumGo(want[from:], by, rows, which[:len(by)], stride)
			Sum(whole[from:], by, rows, which, stride)
			for i, w := range want {
				if math.Float64bits(whole[i]) != math.Float64bits(w) {
					t.Fatalf("length %d, %d rows: number %d is %g, want %g", n, len(by), i, whole[i], w)
				}
			}
			if !intact() {
				t.Fatalf("length %d: Sum wrote beside the row", n)
			}
		}
	})
}

// A row that ends before dst does is a fault, not a read of other memory.
func TestShortRowsAreRefused(t *testing.T) {
	simdtest.Each(t, func(t *testing.T) {
		defer func() {
			if recover() == nil {
				t.Error("a row beyond the last is added")
			}
		}()
		Sum(make([]float64, 16), []float64{1}, make([]float64, 40), []uint32{2}, 16)
	})
}

func BenchmarkSum(b *testing.B) {
	const n, of, count = 110, 25000, 20
	rows, dst := make([]float64, n*of), make([]float64, n)
	by, which := make([]float64, count), make([]uint32, count)
	for _, spread := range []uint32{1, of / count} {
		for _, level := range simdtest.Levels() {
			b.Run(fmt.Sprintf("%s/spread=%d", level, spread), func(b *testing.B) {
				simdtest.At(b, level)
				for i := uint32(0); b.Loop(); i++ {
					for k := range which {
						which[k] = (uint32(k)*spread + i*7) % of
					}
					Sum(dst, by, rows, which, n)
				}
				b.ReportMetric(float64(b.N)*n*count/b.Elapsed().Seconds()/1e9, "G/s")
			})
		}
	}
}
