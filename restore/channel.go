package restore

import (
	"context"
	"maps"
	"math"
	"slices"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/parallel"
	"github.com/sotto-dp/sotto/internal/selection"
	"github.com/sotto-dp/sotto/internal/shortcut"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/progress"
)

// Channel holds the columns of a word-level channel for some outputs: the probability of
// each output given each input.
type Channel struct {
	mechanism mechanism.Channel
	words     int
	columns   []*column // by output; nil for those that were not read
	exact     bool
	once      bool // no texts follow the first
}

// mostListed bounds the inputs that a column lists. A channel of two levels lists
// every input that has the output in its set; other channels keep the likeliest.
const mostListed = 4096

// NewChannel returns a channel over a table of some words without any columns.
func NewChannel(m mechanism.Channel, words int) *Channel {
	return &Channel{mechanism: m, words: words, columns: make([]*column, words), exact: true}
}

// Columns returns a channel with the columns for the outputs that occur in texts, and no
// others.
func Columns(ctx context.Context, m mechanism.Channel, words int, texts [][]embedding.ID, report progress.Func) (*Channel, error) {
	c := NewChannel(m, words)
	c.once = true
	return c, c.Read(ctx, texts, report)
}

// Read reads the missing columns for the outputs that occur in texts. report, if not nil,
// is called with the rows read. No other call may use the channel meanwhile.
//
// For channels whose columns differ from a constant at more than 4,096 inputs, the
// likeliest are kept and the others get their mean: then Exact is false.
func (c *Channel) Read(ctx context.Context, texts [][]embedding.ID, report progress.Func) error {
	asked := map[embedding.ID]bool{}
	for _, text := range texts {
		for _, y := range text {
			if int(y) >= c.words {
				return privacy.Bad("restore", "output", y, "a word of the table")
			}
			if c.columns[y] == nil {
				asked[y] = true
			}
		}
	}
	if len(asked) == 0 {
		return ctx.Err()
	}
	if l, ok := c.mechanism.(shortcut.Levelled); ok {
		// Sets are a pass over the table for each input, so all columns are
		// kept if other texts follow.
		return c.readLevels(ctx, l, func(y embedding.ID) bool { return !c.once || asked[y] }, report)
	}
	// Columns of any channel are dense while they are read: some at a time.
	const memory = 256 << 20
	outputs := slices.Sorted(maps.Keys(asked))
	batch := max(1, memory/(8*c.words))
	for from := 0; from < len(outputs); from += batch {
		if err := c.readDense(ctx, outputs[from:min(from+batch, len(outputs))], report); err != nil {
			return err
		}
	}
	return nil
}

// Words returns the number of words of the table.
func (c *Channel) Words() int { return c.words }

// Exact reports whether every column is complete.
func (c *Channel) Exact() bool { return c.exact }

// readDense reads the columns of some outputs.
func (c *Channel) readDense(ctx context.Context, outputs []embedding.ID, report progress.Func) error {
	chances := make([][]float64, len(outputs))
	for i := range chances {
		chances[i] = make([]float64, c.words)
	}
	err := eachRow(ctx, c.mechanism, c.words, report, func(x embedding.ID, row []uint64) {
		total := uint64(0)
		for _, w := range row {
			total += w
		}
		for i, y := range outputs {
			chances[i][x] = float64(row[y]) / float64(total)
		}
	})
	if err != nil {
		return err
	}
	for i, y := range outputs {
		var exact bool
		c.columns[y], exact = columnOf(chances[i])
		c.exact = c.exact && exact
	}
	return nil
}

// columnOf lists the inputs that are likelier than the least likely one, the likeliest
// of them if there are too many.
func columnOf(chances []float64) (c *column, exact bool) {
	least := slices.Min(chances)
	var listed []embedding.ID
	for x, p := range chances {
		if p > least {
			listed = append(listed, embedding.ID(x))
		}
	}
	exact = len(listed) <= mostListed
	if !exact {
		likeliest, rest := likeliestOf(listed, chances)
		others := len(chances) - mostListed
		least = (rest + least*float64(len(chances)-len(listed))) / float64(others)
		listed = likeliest
	}
	c = &column{base: math.Log(least), listed: listed, count: len(listed), chance: make([]float64, len(listed))}
	c.most = c.base
	for i, x := range listed {
		c.chance[i] = math.Log(chances[x])
		c.most = max(c.most, c.chance[i])
	}
	return c, exact
}

// likeliestOf returns the mostListed likeliest of more inputs, of equally likely ones the first,
// and the sum of the chances of the others. Nothing is sorted.
func likeliestOf(listed []embedding.ID, chances []float64) (likeliest []embedding.ID, rest float64) {
	all := make([]float64, len(listed))
	for i, x := range listed {
		all[i] = chances[x]
	}
	left := len(all) - mostListed
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
	for _, x := range listed {
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
