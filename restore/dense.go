package restore

import (
	"context"
	"math"
	"slices"
	"sync/atomic"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/parallel"
	"github.com/sotto-dp/sotto/internal/scratch"
	"github.com/sotto-dp/sotto/internal/selection"
	"github.com/sotto-dp/sotto/internal/shortcut"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/progress"
)

// rowBlock is the number of inputs whose rows are computed at a time.
const rowBlock = 16

// mostListed bounds the inputs that a column lists. A channel of two levels lists
// every input that has the output in its set; other channels keep the likeliest.
const mostListed = 4096

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

// columnMaker makes columns from the chances of all inputs. Its memory serves one after the
// other.
type columnMaker struct {
	listed []embedding.ID
	all    []float64
	cut    bool // a column is not complete
}

// columnOf lists the inputs that are likelier than the least likely one, the likeliest
// of them if there are too many.
func (m *columnMaker) columnOf(chances []float64) *column {
	least := chances[0]
	for _, p := range chances {
		if p < least {
			least = p
		}
	}
	listed, n := scratch.Resize(m.listed, len(chances)), 0
	for x, p := range chances {
		if listed[n] = embedding.ID(x); p > least {
			n++
		}
	}
	listed = listed[:n]
	m.listed = listed
	if len(listed) > mostListed {
		m.cut = true
		likeliest, rest := m.likeliestOf(chances)
		others := len(chances) - mostListed
		least = (rest + least*float64(len(chances)-len(listed))) / float64(others)
		listed = likeliest
	}
	c := &column{base: math.Log(least), listed: slices.Clone(listed), count: len(listed), chance: make([]float64, len(listed))}
	for i, x := range listed {
		c.chance[i] = math.Log(chances[x])
	}
	if len(listed) > len(chances)/64 { // less memory than they take
		c.ranks = ranksOf(listed, len(chances))
	}
	c.rank()
	return c
}

// likeliestOf returns the mostListed likeliest of more inputs, of equally likely ones the first,
// and the sum of the chances of the others. Nothing is sorted.
func (m *columnMaker) likeliestOf(chances []float64) (likeliest []embedding.ID, rest float64) {
	m.all = scratch.Resize(m.all, len(m.listed))
	for i, x := range m.listed {
		m.all[i] = chances[x]
	}
	all, left := m.all, len(m.all)-mostListed
	last := selection.Select(all, left+1) // the least that is kept
	for _, p := range all[:left] {
		rest += p
	}
	as := 0 // as likely as the last one
	for _, p := range all[left:] {
		if p <= last {
			as++
		}
	}
	likeliest = m.listed[:0]
	for _, x := range m.listed {
		switch p := chances[x]; {
		case p > last:
			likeliest = append(likeliest, x)
		case as > 0 && p >= last:
			likeliest = append(likeliest, x)
			as--
		}
	}
	return likeliest, rest
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
	b.inputs = b.inputs[:0]
	for x := from; x < to; x++ {
		b.inputs = append(b.inputs, embedding.ID(x))
	}
	b.rows = shortcut.AppendRows(b.rows[:0], m, b.inputs)
}
