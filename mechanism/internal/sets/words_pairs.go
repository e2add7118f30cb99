package sets

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"weak"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/parallel"
	"github.com/sotto-dp/sotto/progress"
)

// tablePairs has what the pairs of words of a table say that no epsilon changes. It is computed
// once for all channels over the table.
type tablePairs struct {
	turn    chan struct{} // has an element while one of them is computed
	nearest []nearestPair // each word with the nearest of those behind it, the nearest pair first
	later   []float64     // of each word: the sum of the distances to those behind it, in steps
	all     []float64     // of each word: to all
}

// knownPairs has the *tablePairs of tables, by weak pointers to them.
var knownPairs sync.Map

func pairsOf(table *embedding.Table) *tablePairs {
	key := weak.Make(table)
	p, known := knownPairs.LoadOrStore(key, &tablePairs{turn: make(chan struct{}, 1)})
	if !known {
		runtime.AddCleanup(table, func(key weak.Pointer[embedding.Table]) { knownPairs.Delete(key) }, key)
	}
	return p.(*tablePairs)
}

// once waits for its turn and calls compute, unless it was computed before.
func (p *tablePairs) once(ctx context.Context, known func() bool, compute func() error) error {
	select {
	case p.turn <- struct{}{}:
		defer func() { <-p.turn }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if known() {
		return ctx.Err()
	}
	return compute()
}

// half computes nearest and later: each pair is looked at once.
func (p *tablePairs) half(ctx context.Context, table *embedding.Table, report progress.Func) error {
	return p.once(ctx, func() bool { return p.later != nil }, func() error {
		n := table.Len()
		nearest, later := make([]nearestPair, n), make([]float64, n)
		err := eachSquares(ctx, table, report, func(xs []embedding.ID) int { return int(xs[0]) }, func(x embedding.ID, i, from int, s *squareRows) {
			start := int(x) + 1 - from
			if q, at := s.least(i, start); at >= 0 {
				nearest[x] = nearestPair{q, x, embedding.ID(from + at), true}
			}
			later[x] = s.roots(i, start)
		})
		if err != nil {
			return err
		}
		nearest = nearest[:n-1] // the last word has none behind it
		slices.SortFunc(nearest, func(a, b nearestPair) int {
			if a.before(b) {
				return -1
			}
			return 1
		})
		p.nearest, p.later = nearest, later
		return nil
	})
}

// whole computes all.
func (p *tablePairs) whole(ctx context.Context, table *embedding.Table, report progress.Func) error {
	return p.once(ctx, func() bool { return p.all != nil }, func() error {
		all := make([]float64, table.Len())
		err := eachSquares(ctx, table, report, func([]embedding.ID) int { return 0 }, func(x embedding.ID, i, _ int, s *squareRows) {
			all[x] = s.roots(i, 0)
		})
		if err == nil {
			p.all = all
		}
		return err
	})
}

// eachSquares passes row i of some rows to take for each word x: the squared distances from x
// to the words from a first one on.
func eachSquares(ctx context.Context, table *embedding.Table, report progress.Func, first func(xs []embedding.ID) int, take func(x embedding.ID, i, from int, s *squareRows)) error {
	count := report.Counter(table.Len())
	return parallel.IDs(ctx, 0, table.Len(), 32, func(xs []embedding.ID) {
		s := squares.Get().(*squareRows)
		defer squares.Put(s)
		from := first(xs)
		s.read(table, xs, from, table.Len())
		for i, x := range xs {
			take(x, i, from, s)
		}
		count.Add(len(xs))
	})
}

// nearestPair is a pair of words, input before other, and its squared distance.
type nearestPair struct {
	square       float64
	input, other embedding.ID
	found        bool
}

// before reports whether p is nearer than o; ties go to the lowest numbers, so
// that the witness does not depend on the order of work.
func (p nearestPair) before(o nearestPair) bool {
	switch {
	case !p.found || !o.found:
		return p.found
	case p.square != o.square:
		return p.square < o.square
	case p.input != o.input:
		return p.input < o.input
	}
	return p.other < o.other
}
