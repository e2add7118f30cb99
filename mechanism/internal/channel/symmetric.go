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
	c.weigh(rows, xs, 0)
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

// totalsBlock is the number of rows that are computed at a time.
const totalsBlock = 16

// Totals returns the sum of each row.
func (c *Distance) Totals(ctx context.Context, report progress.Func) ([]uint64, error) {
	n := c.metric.Table.Len()
	known, count := c.summed.of(n), report.Counter(n)
	missing := 0
	for x := range known {
		if known[x].Load() == 0 {
			missing++
		}
	}
	sum := c.sumRows
	if missing > n/2 {
		sum = c.sumPairs
	}
	err := sum(ctx, known, count)
	totals := make([]uint64, n)
	for x := range totals {
		totals[x] = known[x].Load()
	}
	return totals, err
}

// sumRows computes the rows whose sums are not known.
func (c *Distance) sumRows(ctx context.Context, known []atomic.Uint64, count *progress.Counter) error {
	return parallel.BlockedBy(ctx, len(known), totalsBlock, func() func(context.Context, int, int) error {
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
}

// sumPairs computes the sums of all rows from the weight of each pair of words, which both
// words' rows have: half of all rows.
func (c *Distance) sumPairs(ctx context.Context, known []atomic.Uint64, count *progress.Counter) error {
	n := len(known)
	var parts [][]uint64 // of each goroutine, for each row
	err := parallel.BlockedBy(ctx, n, totalsBlock, func() func(context.Context, int, int) error {
		part := make([]uint64, n)
		parts = append(parts, part)
		var rows shortcut.SquaredRows
		var xs []embedding.ID
		return func(_ context.Context, from, to int) error {
			xs = xs[:0]
			for x := from; x < to; x++ {
				xs = append(xs, embedding.ID(x))
			}
			c.weigh(&rows, xs, from)
			width := n - from
			for i, x := range xs {
				row, total := rows.Weights[i*width:(i+1)*width], uint64(0)
				for _, w := range row[:to-from] { // both rows of these pairs are here
					total += w
				}
				others := part[to:]
				for j, w := range row[to-from:] {
					total += w
					others[j] += w
				}
				part[x] += total
			}
			count.Add(to - from)
			return nil
		}
	})
	if err != nil {
		return err
	}
	for x := range known {
		total := uint64(0)
		for _, part := range parts {
			total += part[x]
		}
		known[x].Store(total)
	}
	return nil
}

// weigh computes the rows of xs from a word on.
func (c *Distance) weigh(rows *shortcut.SquaredRows, xs []embedding.ID, from int) {
	n := c.metric.Table.Len()
	size := (n - from) * len(xs)
	rows.Weights, rows.Squares = scratch.Resize(rows.Weights, size), scratch.Resize(rows.Squares, size)
	grid.SquaredDistances32(c.metric.Table.Grid(), rows.Squares, xs, from, n)
	c.law.Fill32(rows.Weights, rows.Squares)
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
