package release

import (
	"context"
	"sync"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/shortcut"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/noise"
	"github.com/sotto-dp/sotto/progress"
	"github.com/sotto-dp/sotto/statement"
)

// sampled is the number of words of the table whose share is given where the words of the
// texts may not be read, or where the mechanism is no exact channel.
const sampled = 256

// Unknown returns the share of the counted tokens that the table lacks; nil if none were
// counted or whole texts are replaced. It is as private as the texts.
func (w *WordCounts) Unknown(table *embedding.Table) *float64 {
	total := w.total()
	if total == 0 {
		return nil
	}
	share := float64(w.unknown(table)) / float64(total)
	return &share
}

func (w *WordCounts) unknown(table *embedding.Table) int {
	if w.tally.Words == nil {
		return 0
	}
	return w.tally.Words[table.Unknown()]
}

// Unchanged returns the expected share of the counted tokens that do not change. Unknown
// tokens do not count, because their words are lost: see [WordCounts.Unknown]. Unchanged
// returns nil if no known tokens were counted, or if whole texts are replaced. It is exact
// for a mechanism that is a [mechanism.Channel]. For any other mechanism it draws once for
// each of 256 words spread over the table, with a fixed seed, and returns the unchanged
// share of these public words, and sampled is true. Where w is nil the share is of these
// words too, and for a channel that knows its diagonal the expected one: then nothing
// depends on the texts, not even whether there is a share.
func (w *WordCounts) Unchanged(ctx context.Context, m mechanism.Mechanism, table *embedding.Table) (share *float64, sampled bool, err error) {
	if w == nil {
		share, err = ofTable(ctx, m, table)
		return share, true, err
	}
	total := w.total() - w.unknown(table)
	if total == 0 {
		return nil, false, nil
	}
	channel, ok := m.(mechanism.Channel)
	if !ok {
		share, err = tried(m, table)
		return share, true, err
	}
	var words []embedding.ID
	for id, n := range w.tally.Words {
		if n > 0 && embedding.ID(id) != table.Unknown() {
			words = append(words, embedding.ID(id))
		}
	}
	chances, err := stay(ctx, channel, words)
	if err != nil {
		return nil, false, err
	}
	sum := float64(w.tally.Other) / float64(table.Len())
	for i, id := range words {
		sum += float64(chances[i] * float64(w.tally.Words[id]))
	}
	sum /= float64(total)
	return &sum, false, nil
}

// stay returns P(x|x) for words.
func stay(ctx context.Context, channel mechanism.Channel, words []embedding.ID) ([]float64, error) {
	if s, ok := channel.(shortcut.Stayer); ok {
		return s.Stay(ctx, words)
	}
	chances := make([]float64, len(words))
	var row []uint64
	for i, x := range words {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		row = channel.Weights(row[:0], x)
		sum := uint64(0)
		for _, weight := range row {
			sum += weight
		}
		chances[i] = float64(row[x]) / float64(sum)
	}
	return chances, nil
}

// spread returns words spread over a table.
func spread(table *embedding.Table) []embedding.ID {
	words := make([]embedding.ID, min(sampled, table.Len()))
	for i := range words {
		words[i] = embedding.ID(i * table.Len() / len(words))
	}
	return words
}

// ofTable returns the share of words spread over the table that stay: the expected one of a
// channel that computes its diagonal without whole rows.
func ofTable(ctx context.Context, m mechanism.Mechanism, table *embedding.Table) (*float64, error) {
	channel, ok := m.(shortcut.Stayer)
	if !ok {
		return tried(m, table)
	}
	chances, err := channel.Stay(ctx, spread(table))
	if err != nil {
		return nil, err
	}
	share := 0.0
	for _, chance := range chances {
		share += chance
	}
	share /= float64(len(chances))
	return &share, nil
}

// tried returns the share of words spread over the table that one seeded draw leaves.
func tried(m mechanism.Mechanism, table *embedding.Table) (*float64, error) {
	words := spread(table)
	out, err := m.Replace(nil, words, noise.Seeded(1, 0))
	if err != nil {
		return nil, err
	}
	same := 0
	for i, id := range out {
		if id == words[i] {
			same++
		}
	}
	share := float64(same) / float64(len(words))
	return &share, nil
}

// Recovered returns the expected share of the counted tokens, without unknown ones, that
// the best guess from each single output names. The guess uses the mechanism and the
// frequency of each word by its order in the table (Zipf's law), and names known words alone.
// Texts may have other frequencies: where a reader who takes every output for the original
// names more, Recovered is that share, [WordCounts.Unchanged]. A reader who uses the context
// recovers more: package attack measures how much. The first call reads the row of every word
// of the table. Recovered returns nil if Unchanged is nil or sampled.
func (w *WordCounts) Recovered(ctx context.Context, g *Guesses, report progress.Func) (*float64, error) {
	total := w.total() - w.unknown(g.Table)
	if total == 0 {
		return nil, nil
	}
	best, err := g.of(ctx, report)
	if err != nil {
		return nil, err
	}
	sum := 0.0
	for y, x := range best.words {
		sum += float64(best.chances[y] * float64(w.tally.Words[x]))
	}
	// A token beyond the cap is drawn from all words, whatever it is.
	sum += float64(w.tally.Other) / float64(len(best.words))
	sum /= float64(total)
	stays, _, err := w.Unchanged(ctx, g.Channel, g.Table)
	if err != nil {
		return nil, err
	}
	sum = max(sum, *stays)
	return &sum, nil
}

// Guesses computes the best guess from each output of a channel over a table, once. The
// guesses depend on no text.
type Guesses struct {
	Channel mechanism.Channel
	Table   *embedding.Table

	mu      sync.Mutex
	chances []float64      // P(y|x) by output y
	words   []embedding.ID // x by output y; empty before the first success
}

// of returns the guesses by the words' shares of text. The unknown entry, often the most
// frequent one, has none: a reader who is asked for a known word does not guess it.
func (g *Guesses) of(ctx context.Context, report progress.Func) (*Guesses, error) {
	shares := g.Table.Shares()
	shares[g.Table.Unknown()] = 0
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.words) == len(shares) {
		return g, nil
	}
	chances, words, err := guessesOf(ctx, g.Channel, shares, report)
	if err == nil {
		g.chances, g.words = chances, words
	}
	return g, err
}

// WordCounts counts how often each word of a table is drawn in some texts. It is as private
// as the texts, so it has no JSON and no printed form. The zero value is empty. It is for
// one goroutine.
type WordCounts struct{ tally Tally }

// Add adds the words of a batch. A batch of whole texts has none.
func (w *WordCounts) Add(p *Pending) { p.batch.Tally(&w.tally) }

// total returns the number of tokens.
func (w *WordCounts) total() int {
	sum := w.tally.Other
	for _, n := range w.tally.Words {
		sum += n
	}
	return sum
}

// Distinct returns the number of distinct words. It is as private as the texts.
func (w *WordCounts) Distinct() int {
	n := 0
	for _, count := range w.tally.Words {
		if count > 0 {
			n++
		}
	}
	return n
}

// MarshalJSON returns an error.
func (*WordCounts) MarshalJSON() ([]byte, error) { return nil, statement.ErrContent }

// MarshalText returns an error.
func (*WordCounts) MarshalText() ([]byte, error) { return nil, statement.ErrContent }

// String hides the counts.
func (*WordCounts) String() string { return "(withheld)" }

// GoString hides the counts.
func (*WordCounts) GoString() string { return "(withheld)" }
