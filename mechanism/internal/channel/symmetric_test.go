package channel

import (
	"slices"
	"sync/atomic"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/shortcut"
	"github.com/sotto-dp/sotto/mechanism"
)

// Squared rows are the rows and squared distances that are computed one by one, and totals are
// the sums of all rows, whichever of them were computed before.
func TestSquaredRowsAreTheRows(t *testing.T) {
	const n = 70
	s := embedding.Narrow{Name: "line", Dim: 1, Step: 0.5}
	for i := range n {
		s.Words, s.Grid = append(s.Words, string(rune('A'+i))), append(s.Grid, int8(i*i%101))
	}
	table, err := embedding.NewNarrow(s)
	if err != nil {
		t.Fatal(err)
	}
	m, err := temEntry.New(t.Context(), table, mechanism.Spec{Epsilon: 2, Published: true})
	if err != nil {
		t.Fatal(err)
	}
	c := m.(*Distance)
	if !c.Symmetric() {
		t.Fatal("the channel is not symmetric")
	}
	xs := []embedding.ID{3, 69, 0}
	var rows shortcut.SquaredRows
	c.SquaredRows(&rows, xs)
	totals, err := c.Totals(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	byRows := make([]atomic.Uint64, n)
	c.summed.known = byRows
	if err := c.sumRows(t.Context(), byRows, nil); err != nil {
		t.Fatal(err)
	}
	for x := range embedding.ID(n) {
		weights := c.Weights(nil, x)
		sum := uint64(0)
		for _, w := range weights {
			sum += w
		}
		if totals[x] != sum || byRows[x].Load() != sum {
			t.Errorf("row %d sums to %d, not to %d or %d", x, sum, totals[x], byRows[x].Load())
		}
		i := slices.Index(xs, x)
		if i < 0 {
			continue
		}
		if !slices.Equal(rows.Weights[i*n:(i+1)*n], weights) || rows.Totals[i] != sum {
			t.Errorf("row %d is another one", x)
		}
		for y, q := range rows.Squares[i*n : (i+1)*n] {
			if float64(q) != table.SquaredDistance(x, embedding.ID(y)) {
				t.Errorf("words %d and %d: the squared distance is %d", x, y, q)
			}
		}
	}
}
