package gemm

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// whole fills numbers with small integers: every sum is exact, so that tiles
// agree to the bit whatever their order of rounding.
func whole[F Number](r *rand.Rand, n int) []F {
	v := make([]F, n)
	for i := range v {
		v[i] = F(r.IntN(17) - 8)
	}
	return v
}

// matrix draws rows x cols numbers, laid out by rows or by columns.
func matrix[F Number](r *rand.Rand, rows, cols int) Matrix[F] {
	if r.IntN(2) == 0 {
		return Of(whole[F](r, rows*cols), rows, cols)
	}
	return Of(whole[F](r, rows*cols), cols, rows).T()
}

func (m Matrix[F]) at(i, j int) F { return m.Data[i*m.down+j*m.over] }

// checkProduct multiplies random matrices with k and with the definition.
func checkProduct[F Number](t *rapid.T, k *Kernels[F]) {
	dim := func(name string) int { return rapid.IntRange(1, 70).Draw(t, name) }
	m, n, depth := dim("rows"), dim("columns"), dim("depth")
	if rapid.Bool().Draw(t, "deep") {
		depth += 240 // over the edge of a block
	}
	threads := rapid.IntRange(1, 3).Draw(t, "threads")
	r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
	a, b := matrix[F](r, m, depth), matrix[F](r, depth, n)
	add := r.IntN(2) == 0
	// c stands in a wider matrix, whose other columns stay.
	wide := n + r.IntN(3)
	c := Matrix[F]{whole[F](r, m*wide+40), m, n, wide, 1}
	before := append([]F(nil), c.Data...)
	p := Packed[F]{kernels: k}
	p.Pack(matrix[F](r, 1+r.IntN(80), 1+r.IntN(80))) // memory that was used
	p.Pack(b)
	p.Multiply(c, a, add, threads)
	for at, got := range c.Data {
		i, j := at/wide, at%wide
		want := before[at]
		if i < m && j < n {
			if !add {
				want = 0
			}
			for z := range depth {
				want += a.at(i, z) * b.at(z, j)
			}
		}
		if got != want {
			t.Fatalf("%s: number %d, %d is %g, want %g", k.Name, i, j, got, want)
		}
	}
}

func TestAProductIsItsDefinition(t *testing.T) {
	for _, k := range All() {
		t.Run(k.Name, func(t *testing.T) { rapid.Check(t, func(t *rapid.T) { checkProduct(t, k) }) })
	}
	t.Run("float64", func(t *testing.T) { rapid.Check(t, func(t *rapid.T) { checkProduct(t, &plain64) }) })
}

// Large enough for threads to start, with shapes that share out rows and panels.
func TestThreadsAndCompanyChangeNoBit(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	for _, shape := range [][3]int{{257, 300, 97}, {20, 300, 1000}} {
		m, depth, n := shape[0], shape[1], shape[2]
		a, b := make([]float32, m*depth), make([]float32, depth*n)
		for _, v := range [][]float32{a, b} {
			for i := range v {
				v[i] = float32(r.NormFloat64())
			}
		}
		var results [][]float32
		for _, k := range All() {
			p := Packed[float32]{kernels: k}
			p.Pack(Of(b, depth, n))
			one := make([]float32, m*n)
			p.Multiply(Of(one, m, n), Of(a, m, depth), false, 1)
			results = append(results, one)
			for _, threads := range []int{2, 3} {
				many := make([]float32, m*n)
				p.Multiply(Of(many, m, n), Of(a, m, depth), false, threads)
				same(t, fmt.Sprintf("%s: %d threads", k.Name, threads), many, one)
			}
			row := make([]float32, n) // the last row, on its own
			p.Multiply(Of(row, 1, n), Of(a[(m-1)*depth:], 1, depth), false, 1)
			same(t, k.Name+": a row alone", row, one[(m-1)*n:])
		}
		// Both sets of instructions round once a step, in the same order.
		for i := 1; i+1 < len(results); i++ {
			same(t, All()[i].Name+" and "+All()[0].Name, results[i], results[0])
		}
	}
}

func same(t *testing.T, what string, got, want []float32) {
	t.Helper()
	for i := range want {
		if math.Float32bits(got[i]) != math.Float32bits(want[i]) {
			t.Fatalf("%s: number %d is %g, want %g", what, i, got[i], want[i])
		}
	}
}

func TestShapesThatDoNotFitAreRefused(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("2 x 3 times 4 x 5 is multiplied")
		}
	}()
	Multiply(Of(make([]float32, 10), 2, 5), Of(make([]float32, 6), 2, 3), Of(make([]float32, 20), 4, 5), false, 1)
}

func BenchmarkMultiply(b *testing.B) {
	for _, c := range []struct {
		name        string
		m, depth, n int
		ta, tb      bool
	}{
		{"AB/1280x128x5000", 1280, 128, 5000, false, false},
		{"ABt/1280x5000x128", 1280, 5000, 128, false, true},
		{"AtB/128x1280x5000", 128, 1280, 5000, true, false},
		{"AB/64x128x512", 64, 128, 512, false, false},
	} {
		x, y := Of(make([]float32, c.m*c.depth), c.m, c.depth), Of(make([]float32, c.depth*c.n), c.depth, c.n)
		if c.ta {
			x = Of(x.Data, c.depth, c.m).T()
		}
		if c.tb {
			y = Of(y.Data, c.n, c.depth).T()
		}
		out := Of(make([]float32, c.m*c.n), c.m, c.n)
		for _, k := range All() {
			for _, threads := range []int{1, 2} {
				b.Run(fmt.Sprintf("%s/%s/threads=%d", c.name, k.Name, threads), func(b *testing.B) {
					p := Packed[float32]{kernels: k}
					for b.Loop() {
						p.Pack(y)
						p.Multiply(out, x, false, threads)
					}
					b.ReportMetric(2*float64(c.m)*float64(c.depth)*float64(c.n)*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
				})
			}
		}
	}
}
