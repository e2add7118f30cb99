package channel

import (
	"context"
	"sync"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/grid"
	"github.com/sotto-dp/sotto/internal/parallel"
	"github.com/sotto-dp/sotto/internal/scratch"
	"github.com/sotto-dp/sotto/internal/selection"
	"github.com/sotto-dp/sotto/mechanism/internal/metrics"
	"github.com/sotto-dp/sotto/mechanism/internal/weight"
)

var scratches = sync.Pool{New: func() any { return new(Scratch) }}

// Scratch is the working memory in which rows are made.
type Scratch struct {
	narrow  []uint32
	Wide    []float64
	Weights []uint64
	heavy   []uint64
	at      []uint32
	rows    grid.CoarseRows
	exact   grid.Rows[embedding.ID]
	left    []pairAt

	in, upTo []uint64 // a bit for each word of a row

	// Of unseeded draws.
	finder       selection.Finder[uint32]
	sample       []uint32
	trials       []trial
	words        []embedding.ID // see group
	last, before []uint32
}

// Each calls work for consecutive blocks of the n words, on all processors,
// each with its own working memory. It ends with ctx as parallel.IDs does.
func Each(ctx context.Context, n int, work func(xs []embedding.ID, s *Scratch)) error {
	return parallel.IDs(ctx, 0, n, 32, withScratch(work))
}

// eachOf is Each for the words in [from, to), with block words at a time.
func eachOf(ctx context.Context, block, from, to int, work func(xs []embedding.ID, s *Scratch)) error {
	return parallel.IDs(ctx, from, to, block, withScratch(work))
}

func withScratch(work func(xs []embedding.ID, s *Scratch)) func(xs []embedding.ID) {
	return func(xs []embedding.ID) {
		s := scratches.Get().(*Scratch)
		defer scratches.Put(s)
		work(xs, s)
	}
}

// Source computes squared distances of words, also in 32 bits for tables on an int8
// grid.
type Source interface {
	metrics.Squarer
	SquaredDistances32(dst []uint32, xs []embedding.ID, from, to int) bool
}

// WeighByDistance fills s.Weights with the weights for each x of xs in turn and
// the words in [low, high). Distances come from the metric's table or from columns
// of it.
func (s *Scratch) WeighByDistance(m metrics.Metric, from Source, l *weight.Function, xs []embedding.ID, low, high int) {
	n := len(xs) * (high - low)
	s.Weights = scratch.Resize(s.Weights, n)
	if l.Tabulated() {
		s.narrow = scratch.Resize(s.narrow, n)
		from.SquaredDistances32(s.narrow, xs, low, high)
		l.Fill32(s.Weights, s.narrow)
		return
	}
	s.Wide = scratch.Resize(s.Wide, n)
	m.Squares(from, s.Wide, xs, low, high)
	l.Fill(s.Weights, s.Wide)
}

// pairAt is a pair of words of a tile with its squared distance there.
type pairAt struct {
	x, y embedding.ID
	q    uint32
}
