package channel

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/grid"
	"github.com/sotto-dp/sotto/internal/parallel"
	"github.com/sotto-dp/sotto/internal/scratch"
	"github.com/sotto-dp/sotto/internal/shortcut"
	"github.com/sotto-dp/sotto/progress"
)

// Symmetric reports that weights are of whole squared distances alone: no rounding tells the
// two words of a pair apart.
func (c *Distance) Symmetric() bool { return c.base == nil && c.law.Tabulated() }

// SquaredRows computes the rows of xs, and keeps their sums.
func (c *Distance) SquaredRows(rows *shortcut.SquaredRows, xs []embedding.ID) {
	n := c.metric.Table.Len()
	rows.Weights, rows.Squares = scratch.Resize(rows.Weights, n*len(xs)), scratch.Resize(rows.Squares, n*len(xs))
	grid.SquaredDistances32(c.metric.Table.Grid(), rows.Squares, xs, 0, n)
	c.law.Fill32(rows.Weights, rows.Squares)
	rows.Totals = rows.Totals[:0]
	for i, x := range xs {
		total := uint64(0)
		for _, w := range rows.Weights[i*n : (i+1)*n] {
			total += w
		}
		rows.Totals = append(rows.Totals, total)
		c.summed.of(n)[x].Store(total)
	}
}

// Totals returns the sum of each row.
func (c *Distance) Totals(ctx context.Context, report progress.Func) ([]uint64, error) {
	n := c.metric.Table.Len()
	known, count := c.summed.of(n), report.Counter(n)
	err := parallel.BlockedBy(ctx, n, 16, func() func(context.Context, int, int) error {
		var rows shortcut.SquaredRows
		var xs []embedding.ID
		return func(_ context.Context, from, to int) error {
			xs = xs[:0]
			for x := from; x < to; x++ {
				if known[x].Load() == 0 {
					xs = append(xs, embedding.ID(x))
				}
			}
			if len(xs) > 0 {
				c.SquaredRows(&rows, xs)
			}
			count.Add(to - from)
			return nil
		}
	})
	totals := make([]uint64, n)
	for x := range totals {
		totals[x] = known[x].Load()
	}
	return totals, err
}

// rowTotals are the sums of rows as far as they were computed: 0 for others. No row sums to 0,
// because a word has a weight in its own row.
type rowTotals struct {
	once  sync.Once
	known []atomic.Uint64
}

func (t *rowTotals) of(n int) []atomic.Uint64 {
	t.once.Do(func() { t.known = make([]atomic.Uint64, n) })
	return t.known
}
