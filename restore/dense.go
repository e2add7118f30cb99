package restore

import (
	"context"
	"sync/atomic"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/parallel"
	"github.com/sotto-dp/sotto/internal/shortcut"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/progress"
)

// rowBlock is the number of inputs whose rows are computed at a time.
const rowBlock = 16

// denseColumns returns the columns of some outputs from the rows of all inputs, and whether all
// are complete.
func denseColumns(ctx context.Context, m mechanism.Channel, words int, outputs []embedding.ID, report progress.Func) (columns []*column, exact bool, err error) {
	chances := make([][]float64, len(outputs))
	for i := range chances {
		chances[i] = make([]float64, words)
	}
	err = eachRow(ctx, m, words, report, func(x embedding.ID, row []uint64) {
		total := float64(sumOf(row))
		for i, y := range outputs {
			chances[i][x] = float64(row[y]) / total
		}
	})
	if err != nil {
		return nil, false, err
	}
	var maker columnMaker
	for i := range outputs {
		columns = append(columns, maker.columnOf(chances[i]))
	}
	return columns, !maker.cut, nil
}

// symmetricColumns returns the same from the rows of the outputs, which have the same weights,
// and from the sums of all rows.
func symmetricColumns(ctx context.Context, rows shortcut.Symmetric, outputs []embedding.ID, report progress.Func) (columns []*column, exact bool, err error) {
	sums, err := rows.Totals(ctx, report)
	if err != nil {
		return nil, false, err
	}
	words := len(sums)
	totals := make([]float64, words)
	for x, sum := range sums {
		totals[x] = float64(sum)
	}
	columns = make([]*column, len(outputs))
	done := report.Counter(len(outputs))
	var cut atomic.Bool
	err = parallel.BlockedBy(ctx, len(outputs), rowBlock, func() func(context.Context, int, int) error {
		var maker columnMaker
		var weights []uint64
		chances := make([]float64, words)
		return func(_ context.Context, from, to int) error {
			weights = rows.Rows(weights[:0], outputs[from:to])
			for i := from; i < to; i++ {
				for x, w := range weights[(i-from)*words : (i-from+1)*words] {
					chances[x] = float64(w) / totals[x]
				}
				columns[i] = maker.columnOf(chances)
			}
			if maker.cut {
				cut.Store(true)
			}
			done.Add(to - from)
			return nil
		}
	})
	return columns, !cut.Load(), err
}

func sumOf(row []uint64) (total uint64) {
	for _, w := range row {
		total += w
	}
	return total
}

// eachRow passes the weights of every input to a function, from several goroutines.
func eachRow(ctx context.Context, m mechanism.Channel, words int, report progress.Func, take func(x embedding.ID, row []uint64)) error {
	done := report.Counter(words)
	return parallel.BlockedBy(ctx, words, rowBlock, func() func(ctx context.Context, from, to int) error {
		var b rowBuffer
		return func(_ context.Context, from, to int) error {
			b.read(m, from, to)
			for i, x := range b.inputs {
				take(x, b.rows[i*words:(i+1)*words])
			}
			done.Add(to - from)
			return nil
		}
	})
}

// rowBuffer is the memory for a block of rows.
type rowBuffer struct {
	inputs []embedding.ID
	rows   []uint64
}

// read computes the rows of a block of inputs.
func (b *rowBuffer) read(m mechanism.Channel, from, to int) {
	b.rows, b.inputs = b.rows[:0], b.inputs[:0]
	for x := from; x < to; x++ {
		b.inputs = append(b.inputs, embedding.ID(x))
	}
	if bulk, ok := m.(shortcut.Rows); ok {
		b.rows = bulk.Rows(b.rows, b.inputs)
		return
	}
	for _, x := range b.inputs {
		b.rows = m.Weights(b.rows, x)
	}
}
