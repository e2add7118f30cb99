package textcap

import (
	"math"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/lettertest"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/catalog"
	"github.com/sotto-dp/sotto/privacy/accountant"
)

// The accountant's two-level pair must dominate the drawn rows, for every two words.
func TestLossesOfNeighboursCoverItsRows(t *testing.T) {
	table := lettertest.Table(t, 9)
	for _, c := range [][2]string{{"1", "9"}, {"3", "9"}, {"7", "9"}, {"2", "4"}} {
		k := c[0] + " of " + c[1]
		entry, _ := catalog.Find("neighbours")
		m, err := entry.New(t.Context(), table, mechanism.Spec{Epsilon: 1.5, Parameters: map[string]string{"neighbours": c[0], "outputs": c[1]}})
		if err != nil {
			t.Fatal(err)
		}
		use, err := useOf(entry, m, table)
		if err != nil || use.Losses == nil {
			t.Fatal(use, err)
		}
		rows := make([][]uint64, table.Len())
		for x := range rows {
			rows[x] = m.(mechanism.Channel).Weights(nil, embedding.ID(x))
		}
		for _, epsilon := range []float64{0, 0.7, 1.4, 3} {
			bound, _, err := use.DeltaOf(2, epsilon)
			if err != nil {
				t.Fatal(err)
			}
			// The losses alone count: the claim of such a large epsilon bounds nothing.
			alone, how, err := accountant.Use{Epsilon: 100, Losses: use.Losses}.DeltaOf(1, epsilon)
			if err != nil || alone > 0 && how != accountant.Distribution {
				t.Fatal(how, err)
			}
			for x := range rows {
				for y := range rows {
					// One use and two uses, by enumeration of all outputs.
					one, two := 0.0, 0.0
					px, py := sum(rows[x]), sum(rows[y])
					for z := range rows {
						p, q := float64(rows[x][z])/px, float64(rows[y][z])/py
						one += max(0, p-math.Exp(epsilon)*q)
						for w := range rows {
							two += max(0, p*float64(rows[x][w])/px-math.Exp(epsilon)*q*float64(rows[y][w])/py)
						}
					}
					if alone < one*(1-1e-12) {
						t.Errorf("k = %s, epsilon %g, words %d and %d: delta %g, must be at least %g", k, epsilon, x, y, alone, one)
					}
					if bound < two*(1-1e-12) {
						t.Errorf("k = %s, epsilon %g, words %d and %d twice: delta %g, must be at least %g", k, epsilon, x, y, bound, two)
					}
				}
			}
		}
	}
}

func sum(row []uint64) (total float64) {
	for _, w := range row {
		total += float64(w)
	}
	return total
}
