package restore

import (
	"context"
	"io"
	"math"
	"runtime"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/parallel"
	"github.com/sotto-dp/sotto/internal/shortcut"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/progress"
)

// rowBlock is the number of inputs whose rows are computed at a time.
const rowBlock = 16

// members are the outputs in the sets of a block of inputs, those that are asked for, one
// set after another.
type members struct {
	first   embedding.ID
	outputs []embedding.ID
	ends    []int // of each set
}

// readLevels reads columns of a channel of two levels from its sets. The sets come in the
// order of the inputs, so that the columns list these in order.
func (c *Channel) readLevels(ctx context.Context, channel shortcut.Levelled, asked func(embedding.ID) bool, report progress.Func) error {
	levels := channel.Levels()
	columns := make([]*column, c.words)
	for y, w := range c.mechanism.Weights(nil, 0) {
		if !asked(embedding.ID(y)) {
			continue
		}
		columns[y] = &column{base: math.Log(levels.Outside), level: math.Log(levels.Inside)}
		if w == 0 { // no input becomes y
			columns[y].base = math.Inf(-1)
		}
	}
	done := report.Counter(c.words)
	from := 0
	err := parallel.Ordered(ctx, runtime.GOMAXPROCS(0), func() (int, error) {
		if from >= c.words {
			return 0, io.EOF
		}
		from += rowBlock
		return from - rowBlock, nil
	}, func(from int) (*members, error) {
		return membersOf(ctx, channel, from, min(from+rowBlock, c.words), columns), nil
	}, func(r *members) error {
		at := 0
		for i, end := range r.ends {
			for _, y := range r.outputs[at:end] {
				columns[y].listed = append(columns[y].listed, r.first+embedding.ID(i))
			}
			at = end
		}
		done.Add(len(r.ends))
		return nil
	})
	if err != nil {
		return err
	}
	for y, column := range columns {
		if column == nil {
			continue
		}
		column.most = column.base
		if len(column.listed) > 0 {
			column.most = column.level
		}
		c.columns[y] = column
	}
	return nil
}

// membersOf returns the sets of a block of inputs, without the outputs that have no column.
func membersOf(ctx context.Context, channel shortcut.Levelled, from, to int, columns []*column) *members {
	r := &members{first: embedding.ID(from)}
	inputs := make([]embedding.ID, 0, to-from)
	for x := from; x < to; x++ {
		inputs = append(inputs, embedding.ID(x))
	}
	if p, ok := channel.(shortcut.Preparer); ok {
		p.Prepare(ctx, inputs)
	}
	for _, x := range inputs {
		for _, y := range channel.Members(x) {
			if columns[y] != nil {
				r.outputs = append(r.outputs, y)
			}
		}
		r.ends = append(r.ends, len(r.outputs))
	}
	return r
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
