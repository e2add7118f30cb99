package grid_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/grid"
	"github.com/sotto-dp/sotto/internal/simd/simdtest"
	"github.com/sotto-dp/sotto/internal/stage"
)

func randomTable(t testing.TB, rng *rand.Rand, n, dim int, narrow bool) *embedding.Table {
	words := make([]string, n)
	for i := range words {
		words[i] = "w" + strconv.Itoa(i)
	}
	var table *embedding.Table
	var err error
	if narrow {
		values := make([]int8, n*dim)
		for i := range values {
			values[i] = int8(rng.IntN(255) - 127)
		}
		table, err = embedding.NewNarrow(embedding.Narrow{Name: "random", Words: words, Dim: dim, Step: 1.0 / 32, Grid: values})
	} else {
		vectors := make([]float32, n*dim)
		scale := math.Pow(10, float64(rng.IntN(60)-30))
		for i := range vectors {
			vectors[i] = float32(rng.NormFloat64() * scale * math.Pow(10, float64(rng.IntN(4))))
		}
		table, err = embedding.New(embedding.Source{Name: "random", Words: words, Dim: dim, Vectors: vectors})
	}
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// Squared distances equal those of big integers, for tiny and huge values, at
// every kind of width, in rows and alone.
func TestSquaredDistancesAreExactIntegers(t *testing.T) {
	stage.Unraced(t)
	simdtest.Each(t, squaredDistancesAreExactIntegers)
}

func squaredDistancesAreExactIntegers(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for trial := range 60 {
		dim := 1 + rng.IntN(40)
		if trial%10 == 0 {
			dim = 1 + rng.IntN(embedding.MaxDim)
		}
		narrow := trial%2 == 0 && dim <= 256
		table := randomTable(t, rng, 1+rng.IntN(300), dim, narrow)
		n := table.Len()
		var xs []embedding.ID
		for range 1 + rng.IntN(9) {
			xs = append(xs, embedding.ID(rng.IntN(n)))
		}
		from := rng.IntN(n)
		if trial%3 == 0 {
			from &^= 15 // where blocks begin
		}
		to := from + 1 + rng.IntN(n-from)
		got := make([]float64, len(xs)*(to-from))
		table.SquaredDistances(got, xs, from, to)
		got32 := make([]uint32, len(got))
		if grid.SquaredDistances32(table.Grid(), got32, xs, from, to) != narrow {
			t.Fatalf("32-bit distances are for int8 grids alone")
		}
		for check := range 40 {
			i, j := rng.IntN(len(xs)), from+rng.IntN(to-from)
			if check == 0 {
				j = from
			}
			want, e := new(big.Int), new(big.Int)
			a, b := table.Steps(nil, xs[i]), table.Steps(nil, embedding.ID(j))
			for k := range dim {
				e.Sub(big.NewInt(a[k]), big.NewInt(b[k]))
				want.Add(want, e.Mul(e, e))
			}
			if want.BitLen() > 53 {
				t.Fatalf("dim %d: a squared distance needs %d bits", dim, want.BitLen())
			}
			exact := float64(want.Int64())
			at := i*(to-from) + j - from
			if got[at] != exact || table.SquaredDistance(xs[i], embedding.ID(j)) != exact || narrow && float64(got32[at]) != exact {
				t.Fatalf("dim %d: %g and %g, want %g", dim, got[at], table.SquaredDistance(xs[i], embedding.ID(j)), exact)
			}
		}
	}
}

func BenchmarkSquaredDistances(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		name   string
		rows   int
		dim    int
		narrow bool
	}{{"int8/1x20000x100", 1, 100, true}, {"int8/16x20000x100", 16, 100, true}, {"wide/16x20000x100", 16, 100, false}, {"wide/16x20000x300", 16, 300, false}} {
		b.Run(c.name, func(b *testing.B) {
			table := randomTable(b, rng, 20000, c.dim, c.narrow)
			xs := make([]embedding.ID, c.rows)
			dst, dst32 := make([]float64, c.rows*20000), make([]uint32, c.rows*20000)
			for b.Loop() {
				if !grid.SquaredDistances32(table.Grid(), dst32, xs, 0, 20000) {
					table.SquaredDistances(dst, xs, 0, 20000)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*c.rows), "us/row")
		})
	}
}
