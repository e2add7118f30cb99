package grid_test

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/grid"
	"github.com/sotto-dp/sotto/internal/simd/simdtest"
	"github.com/sotto-dp/sotto/internal/stage"
)

// someColumns returns a random range of a table's words, some rows and a range of
// columns within it.
func someColumns(rng *rand.Rand, n int) (low, high int, xs []embedding.ID, from, to int) {
	low = rng.IntN(n)
	high = low + 1 + rng.IntN(n-low)
	from = low + rng.IntN(high-low)
	to = from + 1 + rng.IntN(high-from)
	for range 1 + rng.IntN(40) {
		xs = append(xs, embedding.ID(rng.IntN(n)))
	}
	return
}

// Distances to packed words equal the table's, whatever range is packed and was
// packed before.
func TestColumnsHaveTheDistancesOfTheirTable(t *testing.T) {
	simdtest.Each(t, columnsHaveTheDistancesOfTheirTable)
}

func columnsHaveTheDistancesOfTheirTable(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for trial := range 40 {
		table := randomTable(t, rng, 1+rng.IntN(300), 1+rng.IntN(40), trial%4 == 0)
		c := grid.NewColumns[embedding.ID](table.Grid())
		for range 6 {
			low, high, xs, from, to := someColumns(rng, table.Len())
			c.Pack(low, high)
			want, got := make([]float64, len(xs)*(to-from)), make([]float64, len(xs)*(to-from))
			table.SquaredDistances(want, xs, from, to)
			c.SquaredDistances(got, xs, from, to)
			if !slices.Equal(got, want) {
				t.Fatalf("columns %d to %d of words %d to %d differ from the table's", from, to, low, high)
			}
			want32, got32 := make([]uint32, len(want)), make([]uint32, len(want))
			if grid.SquaredDistances32(table.Grid(), want32, xs, from, to) != c.SquaredDistances32(got32, xs, from, to) || !slices.Equal(got32, want32) {
				t.Fatalf("32-bit columns %d to %d of words %d to %d differ from the table's", from, to, low, high)
			}
		}
	}
}

// outside counts the pairs whose distance is outside the coarse bounds, with
// radii multiplied by a factor.
func outside(t *testing.T, radii float64) (pairs, wrong int) {
	rng := rand.New(rand.NewPCG(9, 10))
	var rows grid.CoarseRows // of many tables in turn
	for trial := range 120 {
		dim := 1 + rng.IntN(40)
		if trial%20 == 0 {
			dim = 1 + rng.IntN(embedding.MaxDim)
		}
		table := randomTable(t, rng, 1+rng.IntN(200), dim, trial%4 == 0 && dim <= 256)
		c := grid.NewCoarse[embedding.ID](table.Grid())
		for range 3 {
			low, high, xs, from, to := someColumns(rng, table.Len())
			c.Pack(low, high)
			c.Rows(&rows, xs)
			got := make([]uint32, len(xs)*(to-from))
			c.Squares(got, &rows, from, to)
			for i, q := range got {
				x, y := i/(to-from), from+i%(to-from)
				d := math.Sqrt(table.SquaredDistance(xs[x], embedding.ID(y)))
				about := c.Unit() * math.Sqrt(float64(q))
				pairs++
				off := radii * (rows.Radii[x] + c.Radii(from, to)[y-from])
				if math.Abs(about-d) > off+1e-12*(about+d) {
					wrong++
				}
			}
		}
	}
	return pairs, wrong
}

// The bounds of a coarse distance hold, in every range and for tables of every
// kind. With a tenth of the radii they fail, so the test has power.
func TestCoarseDistancesAreWithinTheirRadii(t *testing.T) {
	stage.Unraced(t)
	simdtest.Each(t, coarseDistancesAreWithinTheirRadii)
}

func coarseDistancesAreWithinTheirRadii(t *testing.T) {
	if pairs, wrong := outside(t, 1); wrong != 0 {
		t.Errorf("%d of %d distances lie outside their bounds", wrong, pairs)
	}
	if pairs, wrong := outside(t, 0.1); wrong == 0 {
		t.Errorf("all of %d distances lie inside bounds that are too narrow", pairs)
	}
}

// Packing takes at most the bytes that Bytes announces.
func TestPackingTakesTheBytesThatAreSaid(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 16))
	for _, dim := range []int{1, 3, 40, 301} {
		table := randomTable(t, rng, 6000, dim, false)
		columns, coarse := grid.NewColumns[embedding.ID](table.Grid()), grid.NewCoarse[embedding.ID](table.Grid())
		for name, pack := range map[string]func(from, to int){"columns": columns.Pack, "coarse": coarse.Pack} {
			for _, n := range []int{1000, 5000} {
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				pack(500, 500+n)
				runtime.ReadMemStats(&after)
				const beside = 1 << 16 // goroutines, a few rows, whole pages
				if took, said := int(after.TotalAlloc-before.TotalAlloc), columns.Bytes(n); took > said+beside {
					t.Errorf("%s: %d words of %d dimensions take %d bytes, said to be %d", name, n, dim, took, said)
				}
			}
		}
	}
}
