package restore

import (
	"context"
	"maps"
	"slices"

	"github.com/sotto-dp/sotto/embedding"
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
	once      bool     // no texts follow the first
	inputs    []uint64 // a bit for each input that is asked for; nil for all
}

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

// ReadLikelihoods reads, into a channel without columns, what [Channel.Log] needs for texts of
// the words of some inputs that become some outputs. Of two levels, no other sets are computed.
// The channel is for nothing else.
func (c *Channel) ReadLikelihoods(ctx context.Context, inputs, outputs [][]embedding.ID, report progress.Func) error {
	c.once, c.inputs = true, make([]uint64, c.words/64+1)
	for _, text := range inputs {
		for _, x := range text {
			if int(x) >= c.words {
				return privacy.Bad("restore", "input", x, "a word of the table")
			}
			c.inputs[x/64] |= 1 << (x % 64)
		}
	}
	return c.Read(ctx, outputs, report)
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
	outputs := slices.Sorted(maps.Keys(asked))
	if m, ok := c.mechanism.(shortcut.Symmetric); ok && m.Symmetric() {
		columns, exact, err := symmetricColumns(ctx, m, outputs, report)
		if err != nil {
			return err
		}
		c.keep(outputs, columns, exact)
		return nil
	}
	// Columns of any channel are dense while they are read: some at a time.
	const memory = 256 << 20
	batch := max(1, memory/(8*c.words))
	for from := 0; from < len(outputs); from += batch {
		some := outputs[from:min(from+batch, len(outputs))]
		columns, exact, err := denseColumns(ctx, c.mechanism, c.words, some, report)
		if err != nil {
			return err
		}
		c.keep(some, columns, exact)
	}
	return nil
}

// keep keeps columns of some outputs.
func (c *Channel) keep(outputs []embedding.ID, columns []*column, exact bool) {
	for i, y := range outputs {
		c.columns[y] = columns[i]
	}
	c.exact = c.exact && exact
}

// Words returns the number of words of the table.
func (c *Channel) Words() int { return c.words }

// Exact reports whether every column is complete.
func (c *Channel) Exact() bool { return c.exact }
