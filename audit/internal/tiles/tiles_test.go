package tiles

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// random returns a matrix of n rows, and all its entries.
func random(rng *rand.Rand, n int) (*Matrix, [][]float32) {
	m := New(n)
	dense := make([][]float32, m.Rows())
	for x := range dense {
		dense[x] = make([]float32, m.Rows())
	}
	for x := range n {
		for y := x; y < n; y++ {
			v := rng.Float32()
			dense[x][y], dense[y][x] = v, v
			m.Tile(x/Side, y/Side)[x%Side*Side+y%Side] = v
			if x/Side == y/Side {
				m.Tile(x/Side, x/Side)[y%Side*Side+x%Side] = v
			}
		}
	}
	return m, dense
}

func TestEntriesAreTheSameFromBothSides(t *testing.T) {
	m, dense := random(rand.New(rand.NewPCG(1, 1)), 2*Side+3)
	for x, row := range dense {
		for y, v := range row {
			if got := m.At(x, y); got != v {
				t.Fatalf("the entry of %d and %d is %g, want %g", x, y, got, v)
			}
		}
	}
}

// Rows are added in their order, to the same bits as from a whole matrix.
func TestRowsAreAddedInOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	for _, n := range []int{1, Side - 1, Side, Side + 1, 4 * Side} {
		m, dense := random(rng, n)
		sums, want := make([]float64, m.Rows()), make([]float64, m.Rows())
		for round := range 20 {
			i := round % m.Blocks()
			var rows []uint8
			var by []float64
			for r := range Side {
				if rng.IntN(20) < round && i*Side+r < n {
					rows, by = append(rows, uint8(r)), append(by, rng.Float64()-0.5)
				}
			}
			for k, r := range rows {
				m.AddInside(sums, i, int(r), by[k])
				for y, v := range dense[i*Side+int(r)] {
					want[y] += float64(by[k] * float64(v))
				}
			}
			m.AddOutside(sums, i, rows, by)
		}
		if !slices.Equal(sums, want) {
			t.Errorf("%d rows: the sums are %v, want %v", n, sums, want)
		}
	}
}
