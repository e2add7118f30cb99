package grid_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/grid"
	"github.com/sotto-dp/sotto/internal/simd"
	"github.com/sotto-dp/sotto/internal/simd/simdtest"
	"github.com/sotto-dp/sotto/internal/stage"
)

func numbered(n int) []string {
	words := make([]string, n)
	for i := range words {
		words[i] = "w" + strconv.Itoa(i)
	}
	return words
}

// plainTwo computes the documented result, vector by vector.
func plainTwo(t *embedding.Table, query []float32) grid.Two {
	two := grid.Two{FirstSquared: math.Inf(1), SecondSquared: math.Inf(1)}
	for i := range t.Len() {
		sum := 0.0
		for k, y := range t.Steps(nil, embedding.ID(i)) {
			e := float64(query[k]) - float64(y)*t.Step()
			sum += float64(e * e)
		}
		switch {
		case i == 0 || sum < two.FirstSquared:
			two.Second, two.SecondSquared = two.First, two.FirstSquared
			two.First, two.FirstSquared = i, sum
		case i == 1 || sum < two.SecondSquared:
			two.Second, two.SecondSquared = i, sum
		}
	}
	if t.Len() == 1 {
		two.Second, two.SecondSquared = two.First, two.FirstSquared
	}
	return two
}

// fresh returns the vectors of a table with nothing packed yet.
func fresh(t *embedding.Table) *grid.Vectors {
	var steps []int64
	for i := range t.Len() {
		steps = t.Steps(steps, embedding.ID(i))
	}
	if grid.Narrow(t.Grid()) {
		return grid.New(as[int8](steps), t.Dim(), t.Step())
	}
	return grid.New(as[float32](steps), t.Dim(), t.Step())
}

func as[T int8 | float32](steps []int64) []T {
	values := make([]T, len(steps))
	for i, v := range steps {
		values[i] = T(v)
	}
	return values
}

// mustMatch compares the search at every level of the machine with the plain loop.
func mustMatch(t *testing.T, table *embedding.Table, queries []float32) {
	t.Helper()
	n := len(queries) / table.Dim()
	want := make([]grid.Two, n)
	for i := range want {
		want[i] = plainTwo(table, queries[i*table.Dim():(i+1)*table.Dim()])
	}
	for _, l := range simdtest.Levels() {
		before := simd.Use(l)
		v := fresh(table)
		var s grid.Scratch
		ids, twos := make([]embedding.ID, n), make([]grid.Two, n)
		grid.Nearest(v, ids, queries, &s)
		grid.NearestTwo(v, twos, queries, &s)
		simd.Use(before)
		for i := range want {
			if int(ids[i]) != want[i].First {
				t.Fatalf("%s, %d words of %d dimensions, query %d: nearest is %d, want %d", l, table.Len(), table.Dim(), i, ids[i], want[i].First)
			}
			if twos[i] != want[i] {
				t.Fatalf("%s, %d words of %d dimensions, query %d: two nearest are %v, want %v", l, table.Len(), table.Dim(), i, twos[i], want[i])
			}
		}
	}
}

// randomTables are a wide and a narrow table of the same shape.
func randomTables(t *testing.T, r *rand.Rand, n, dim int) []*embedding.Table {
	t.Helper()
	vectors, values := make([]float32, n*dim), make([]int8, n*dim)
	for i := range vectors {
		vectors[i] = float32(r.NormFloat64())
		values[i] = int8(r.IntN(256) - 128)
	}
	wide, err := embedding.New(embedding.Source{Words: numbered(n), Dim: dim, Vectors: vectors})
	if err != nil {
		t.Fatal(err)
	}
	if dim > 256 {
		return []*embedding.Table{wide}
	}
	narrow, err := embedding.NewNarrow(embedding.Narrow{Words: numbered(n), Dim: dim, Step: 1. / 32, Grid: values})
	if err != nil {
		t.Fatal(err)
	}
	return []*embedding.Table{wide, narrow}
}

// noisy returns queries around the words of a table: on them, near them, far away.
func noisy(r *rand.Rand, table *embedding.Table, n int) (queries []float32) {
	for i := range n {
		at := len(queries)
		queries = table.Vector(queries, embedding.ID(r.IntN(table.Len())))
		if i%4 == 0 {
			continue
		}
		scale := table.Step() * math.Ldexp(1, r.IntN(30))
		for k := range queries[at:] {
			queries[at+k] += float32(r.NormFloat64() * scale)
		}
	}
	return queries
}

func TestNearestIsThePlainLoopsChoiceAtEveryShape(t *testing.T) {
	stage.Unraced(t)
	r := rand.New(rand.NewPCG(1, 1))
	for dim := 1; dim <= 70; dim++ {
		for _, table := range randomTables(t, r, 1+r.IntN(200), dim) {
			mustMatch(t, table, noisy(r, table, 1+r.IntN(30)))
		}
	}
	for n := 1; n <= 70; n++ {
		for _, table := range randomTables(t, r, n, 5) {
			mustMatch(t, table, noisy(r, table, n%27+1))
		}
	}
	for _, dim := range []int{127, 128, 255, 256, 300, 1024, 2047, 4095, 4096} {
		for _, table := range randomTables(t, r, 90, dim) {
			mustMatch(t, table, noisy(r, table, 14))
		}
	}
	for _, table := range randomTables(t, r, 3000, 33) {
		mustMatch(t, table, noisy(r, table, 21))
	}
	for _, table := range randomTables(t, r, 300, 3) {
		mustMatch(t, table, noisy(r, table, 2*grid.QueryBlock+13))
	}
}

func TestNearestSettlesTiesByNumber(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 1))
	for _, dim := range []int{1, 2, 7, 64} {
		const n = 700
		values := make([]int8, n*dim)
		for i := range values {
			values[i] = int8(r.IntN(3) - 1) // many duplicates, many equal distances
		}
		table, err := embedding.NewNarrow(embedding.Narrow{Words: numbered(n), Dim: dim, Step: 0.5, Grid: values})
		if err != nil {
			t.Fatal(err)
		}
		queries := make([]float32, 40*dim)
		for i := range queries {
			queries[i] = float32(r.IntN(5)-2) / 4 // often half way between words
		}
		mustMatch(t, table, queries)
	}
}

func TestNearestHoldsForHugeAndTinyNorms(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	for _, scale := range []float64{1, 0x1p-140, 0x1p-120, 0x1p100, 0x1p127} {
		const n, dim = 400, 11
		vectors := make([]float32, n*dim)
		for i := range vectors {
			vectors[i] = float32((2*r.Float64() - 1) * scale)
		}
		for k := range dim { // some words far inside the others
			for i := 0; i < n; i += 3 {
				vectors[i*dim+k] /= 1 << 12
			}
		}
		table, err := embedding.New(embedding.Source{Words: numbered(n), Dim: dim, Vectors: vectors})
		if err != nil {
			t.Fatal(err)
		}
		for _, size := range []float64{0, math.SmallestNonzeroFloat32, 1e-30, 1, 1e9, 1e20, 1e30, math.MaxFloat32} {
			queries := noisy(r, table, 9)
			for i := range 6 * dim {
				queries[i] = float32((2*r.Float64() - 1) * size)
			}
			for i, v := range queries {
				if math.IsInf(float64(v), 0) {
					queries[i] = math.MaxFloat32
				}
			}
			mustMatch(t, table, queries)
		}
	}
}

// Tables of one vector over and over, of zeros, of one large component, and of one
// dimension.
func TestNearestHoldsForOddTables(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 1))
	for _, c := range []struct {
		n, dim int
		vector func(v []float32, i int)
	}{
		{700, 20, func([]float32, int) {}},
		{700, 20, func(v []float32, _ int) { v[3], v[7] = 2, -1 }},
		{2000, 20, func(v []float32, i int) { v[i%20] = float32(i/20 + 1) }},
		{2000, 20, func(v []float32, i int) { v[5], v[6] = 1e6, float32(r.NormFloat64()) }},
		{2000, 20, func(v []float32, i int) { v[i%3*9] = float32(1e6 * r.NormFloat64()) }},
		{2000, 20, func(v []float32, i int) { v[2] = float32(i) * -3 }},
		{3000, 1, func(v []float32, i int) { v[0] = float32(r.IntN(900)) / 8 }},
		{1500, 1, func(v []float32, i int) { v[0] = -1 - float32(i) }},
	} {
		vectors := make([]float32, c.n*c.dim)
		for i := range c.n {
			c.vector(vectors[i*c.dim:(i+1)*c.dim], i)
		}
		table, err := embedding.New(embedding.Source{Words: numbered(c.n), Dim: c.dim, Vectors: vectors})
		if err != nil {
			t.Fatal(err)
		}
		mustMatch(t, table, noisy(r, table, 24))
		queries := make([]float32, 12*c.dim)
		for i := range queries {
			queries[i] = float32(r.NormFloat64())
		}
		mustMatch(t, table, queries)
	}
}

// Queries so short that what float32 holds of their bounds is infinite.
func TestNearestHoldsForShortQueries(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 1))
	for _, n := range []int{2, 65, 700} {
		for _, table := range randomTables(t, r, n, 9) {
			for length := 1.0; length > 1e-44; length /= 10 {
				queries := make([]float32, 4*9)
				for i := range queries {
					queries[i] = float32(r.NormFloat64() * length)
				}
				mustMatch(t, table, queries)
			}
		}
	}
}

// Two words at nearly equal distances: the difference is far below the
// resolution of float32.
func TestNearestTellsApartWhatFloat32CanNot(t *testing.T) {
	const n, dim = 500, 100
	r := rand.New(rand.NewPCG(4, 1))
	vectors := make([]float32, n*dim)
	base := make([]float32, dim)
	for k := range base {
		base[k] = float32(r.NormFloat64())
	}
	for i := range n {
		copy(vectors[i*dim:], base)
		vectors[i*dim+r.IntN(dim)] += float32(r.IntN(3)-1) * 0x1p-18
	}
	table, err := embedding.New(embedding.Source{Words: numbered(n), Dim: dim, Vectors: vectors})
	if err != nil {
		t.Fatal(err)
	}
	mustMatch(t, table, noisy(r, table, 40))
}

func TestNearestAllocatesNothingOnceWarm(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 1))
	table := randomTables(t, r, 1000, 30)[0]
	queries := noisy(r, table, 64)
	ids, twos := make([]embedding.ID, 64), make([]grid.Two, 64)
	var s grid.Scratch
	search := func() {
		grid.Nearest(table.Grid(), ids, queries, &s)
		grid.NearestTwo(table.Grid(), twos, queries, &s)
	}
	search()
	if n := testing.AllocsPerRun(10, search); n != 0 {
		t.Errorf("a search allocates %g times", n)
	}
}

func TestIndexIsSharedByGoroutines(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 1))
	table := randomTables(t, r, 500, 20)[1]
	queries := noisy(r, table, 20)
	done := make(chan []embedding.ID)
	for range 4 {
		go func() {
			ids := make([]embedding.ID, 20)
			var s grid.Scratch
			grid.Nearest(table.Grid(), ids, queries, &s)
			done <- ids
		}()
	}
	first := fmt.Sprint(<-done)
	for range 3 {
		if ids := fmt.Sprint(<-done); ids != first {
			t.Errorf("goroutines found %s and %s", first, ids)
		}
	}
}

func FuzzNearest(f *testing.F) {
	f.Add(uint64(1), []byte{1, 2, 3, 4, 5, 6, 7, 8}, uint8(2), uint8(3))
	f.Add(uint64(2), []byte{0, 0, 0, 0, 255, 127, 128, 1, 1, 1}, uint8(1), uint8(40))
	f.Fuzz(func(t *testing.T, seed uint64, raw []byte, dims, shift uint8) {
		dim := 1 + int(dims)%40
		if n := len(raw) / dim; n == 0 || n > 2000 {
			return
		}
		n := len(raw) / dim
		values, vectors := make([]int8, n*dim), make([]float32, n*dim)
		for i := range values {
			values[i] = int8(raw[i])
			vectors[i] = float32(math.Ldexp(float64(values[i]), int(shift)%200-100+i%3))
		}
		narrow, err := embedding.NewNarrow(embedding.Narrow{Words: numbered(n), Dim: dim, Step: 0.25, Grid: values})
		if err != nil {
			t.Fatal(err)
		}
		wide, err := embedding.New(embedding.Source{Words: numbered(n), Dim: dim, Vectors: vectors})
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(seed, 1))
		for _, table := range []*embedding.Table{narrow, wide} {
			mustMatch(t, table, noisy(r, table, 1+int(seed%20)))
		}
	})
}
