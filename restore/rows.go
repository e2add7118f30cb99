package restore

import (
	"context"
	"io"
	"math"
	"runtime"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/parallel"
	"github.com/sotto-dp/sotto/internal/shortcut"
	"github.com/sotto-dp/sotto/progress"
)

// members are the sets of a block of inputs: bit i of sets[y] is set if y is in the set of input
// i. So a column grows by all inputs of a block at once.
type members struct {
	first embedding.ID
	sets  []uint64
	n     int
}

// readLevels reads columns of a channel of two levels from its sets. The sets come in the
// order of the inputs, so that the columns list these in order.
func (c *Channel) readLevels(ctx context.Context, channel shortcut.Levelled, asked func(embedding.ID) bool, report progress.Func) error {
	levels := channel.Levels()
	columns := make([]*column, c.words)
	byBits := levels.Size > c.words/32 // less memory than words
	for y, w := range c.mechanism.Weights(nil, 0) {
		if !asked(embedding.ID(y)) {
			continue
		}
		columns[y] = &column{base: math.Log(levels.Outside), level: math.Log(levels.Inside)}
		if byBits {
			columns[y].set = make([]uint64, c.words/64+1)
		}
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
		from += shortcut.SetBlock
		return from - shortcut.SetBlock, nil
	}, func(from int) (*members, error) {
		return c.membersOf(ctx, channel, from, min(from+shortcut.SetBlock, c.words)), nil
	}, func(r *members) error {
		for y, set := range r.sets {
			if set == 0 || columns[y] == nil {
				continue
			}
			columns[y].add(r.first, set)
		}
		done.Add(r.n)
		return nil
	})
	if err != nil {
		return err
	}
	for y, column := range columns {
		if column == nil {
			continue
		}
		column.rank()
		c.columns[y] = column
	}
	return nil
}

// membersOf returns the sets of a block of inputs, of those that are asked for.
func (c *Channel) membersOf(ctx context.Context, channel shortcut.Levelled, from, to int) *members {
	r := &members{first: embedding.ID(from), n: to - from}
	inputs := make([]embedding.ID, 0, to-from)
	for x := from; x < to; x++ {
		if c.inputs == nil || c.inputs[x/64]>>(x%64)&1 != 0 {
			inputs = append(inputs, embedding.ID(x))
		}
	}
	if len(inputs) == 0 {
		return r
	}
	r.sets = make([]uint64, c.words)
	shortcut.MarkSets(ctx, channel, r.sets, inputs)
	return r
}
