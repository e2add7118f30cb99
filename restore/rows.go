package restore

import (
	"context"
	"io"
	"math"
	"runtime"
	"sync"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/parallel"
	"github.com/sotto-dp/sotto/internal/shortcut"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/progress"
)

// rowBlock is the number of inputs whose rows are computed at a time.
const rowBlock = 16

// levelRows is what the rows of a block of inputs have that is not the usual chance.
type levelRows struct {
	first  embedding.ID
	likely []embedding.ID // the outputs in the sets of the inputs, one set after another
	ends   []int          // of each set
	never  []bool         // of each output, whether it has weight 0; nil for none
}

// readLevels reads all columns of a channel of two levels from its sets. The sets come in
// the order of the inputs, so that the columns list these in order.
func (c *Channel) readLevels(ctx context.Context, levels mechanism.Levels, report progress.Func) error {
	columns := make([]*column, c.words)
	for y := range columns {
		columns[y] = &column{base: math.Log(levels.Outside), level: math.Log(levels.Inside)}
	}
	buffers := sync.Pool{New: func() any { return &rowBuffer{} }}
	done := report.Counter(c.words)
	from := 0
	err := parallel.Ordered(ctx, runtime.GOMAXPROCS(0), func() (int, error) {
		if from >= c.words {
			return 0, io.EOF
		}
		from += rowBlock
		return from - rowBlock, nil
	}, func(from int) (*levelRows, error) {
		b := buffers.Get().(*rowBuffer)
		defer buffers.Put(b)
		return b.levels(c, from, levels), nil
	}, func(r *levelRows) error {
		at := 0
		for i, end := range r.ends {
			for _, y := range r.likely[at:end] {
				columns[y].listed = append(columns[y].listed, r.first+embedding.ID(i))
			}
			at = end
		}
		for y, never := range r.never {
			if never {
				columns[y].base = math.Inf(-1)
			}
		}
		done.Add(len(r.ends))
		return nil
	})
	if err != nil {
		return err
	}
	for _, column := range columns {
		column.most = column.base
		if len(column.listed) > 0 {
			column.most = column.level
		}
	}
	c.columns = columns
	return nil
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

// levels computes a block of rows of a channel of two levels.
func (b *rowBuffer) levels(c *Channel, from int, levels mechanism.Levels) *levelRows {
	b.read(c.mechanism, from, min(from+rowBlock, c.words))
	r := &levelRows{first: embedding.ID(from), likely: make([]embedding.ID, 0, len(b.inputs)*levels.Size)}
	for i := range b.inputs {
		for y, w := range b.rows[i*c.words : (i+1)*c.words] {
			switch w {
			case levels.Low:
			case 0: // no input becomes y
				if r.never == nil {
					r.never = make([]bool, c.words)
				}
				r.never[y] = true
			default:
				r.likely = append(r.likely, embedding.ID(y))
			}
		}
		r.ends = append(r.ends, len(r.likely))
	}
	return r
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
