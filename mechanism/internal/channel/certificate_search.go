package channel

import (
	"context"
	"math"
	"runtime"
	"sync"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/grid"
	"github.com/sotto-dp/sotto/internal/scratch"
	"github.com/sotto-dp/sotto/progress"
)

// prepareSearch prepares the second pass, once.
func (r *certification) prepareSearch() {
	if r.logs != nil {
		return
	}
	r.logarithms()
	r.parts = nil
	if table := r.metric.Table; r.rough && r.metric.Warp == nil && !r.law.Tabulated() {
		r.coarse, r.packed = grid.NewCoarse[embedding.ID](table.Grid()), nil
		r.have.low, r.have.high = 0, 0
		if r.keep.Memory > 0 {
			runtime.GC() // free the first pass's columns before the second's are allocated
		}
	}
}

// searchRows searches the pairs of some rows.
func (r *certification) searchRows(ctx context.Context, from, to int, count *progress.Counter) error {
	n := len(r.sums)
	var mu sync.Mutex
	var pack func(low, high int)
	if r.coarse != nil {
		pack = r.coarse.Pack
	} else {
		pack = r.packed.Pack
	}
	return r.inWindows(from, n, pack, func(first, end int) error {
		return eachOf(ctx, r.rows, from, min(to, end), func(xs []embedding.ID, s *Scratch) {
			mu.Lock()
			best := r.worst
			mu.Unlock()
			if r.coarse != nil {
				r.coarse.Rows(&s.rows, xs)
			}
			for low := max(first, int(xs[0])); low < end; low += r.columns {
				if ctx.Err() != nil {
					return
				}
				r.searchTile(&best, xs, low, min(end, low+r.columns), s)
			}
			mu.Lock()
			r.worst.metric.Take(best.metric)
			r.worst.pure.Take(best.pure)
			mu.Unlock()
			if end == n {
				count.Add(len(xs))
			}
		})
	})
}

// searchTile searches all pairs of a word of xs and a later word in [low,
// high). A bound on the distance rules out most; the others are weighed by the
// distance itself.
func (r *certification) searchTile(best *worstPairs, xs []embedding.ID, low, high int, s *Scratch) {
	n := len(xs) * (high - low)
	narrow := r.law.Tabulated()
	if narrow || r.coarse != nil {
		t := tile{xs: xs, low: low, high: high, unit: 1, margin: r.margin}
		s.narrow = scratch.Resize(s.narrow, n)
		most := n
		if narrow {
			grid.SquaredDistances32(r.metric.Table.Grid(), s.narrow, xs, low, high)
		} else {
			r.coarse.Squares(s.narrow, &s.rows, low, high)
			t.unit, t.own, t.others = r.coarse.Unit(), s.rows.Radii, r.coarse.Radii(low, high)
			most = n / r.share
		}
		t.squares = s.narrow
		if r.sift(s, best, &t, most) {
			for _, p := range s.left {
				if narrow {
					r.meet(best, p.x, p.y, float64(p.q))
				} else {
					r.meet(best, p.x, p.y, r.metric.Square(p.x, p.y))
				}
			}
			return
		}
	}
	columns := r.packed
	if r.coarse != nil {
		var ok bool
		if columns, ok = r.spare.Get().(*grid.Columns[embedding.ID]); !ok {
			columns = grid.NewColumns[embedding.ID](r.metric.Table.Grid())
		}
		defer r.spare.Put(columns)
		columns.Pack(low, high)
	}
	s.Wide = scratch.Resize(s.Wide, n)
	r.metric.Squares(columns, s.Wide, xs, low, high)
	r.meetAll(best, s.Wide, xs, low, high)
}

// nearWorst is the share of the worst figure from which pairs are compared
// exactly: take breaks ties in an order that does not depend on how the work is
// cut.
const nearWorst = 1 - 1e-12

// meetAll calls meet for all pairs of a tile.
func (r *certification) meetAll(best *worstPairs, squares []float64, xs []embedding.ID, low, high int) {
	width := high - low
	t, gamma, step, added := r.law.T, r.law.Gamma, r.law.Step, r.added
	metric, pure := best.metric.Value*nearWorst, best.pure.Value*nearWorst
	for i, x := range xs {
		start := max(low, int(x)+1)
		if start >= high {
			continue
		}
		row, others, own := squares[i*width+start-low:(i+1)*width], r.logs[start:high], r.logs[x]
		for j, q := range row {
			d := step * math.Sqrt(q)
			loss := float64(t*min(d, gamma)) + math.Abs(others[j]-own) + added
			if loss < metric*d && loss < pure {
				continue
			}
			r.meet(best, x, embedding.ID(start+j), q)
			metric, pure = best.metric.Value*nearWorst, best.pure.Value*nearWorst
		}
	}
}

// meet weighs one pair, x before y, by its squared distance.
func (r *certification) meet(best *worstPairs, x, y embedding.ID, q float64) {
	d := r.law.Step * math.Sqrt(q)
	imbalance := r.logs[y] - r.logs[x]
	loss := float64(r.law.T*min(d, r.law.Gamma)) + math.Abs(imbalance) + r.added
	if loss < best.metric.Value*nearWorst*d && loss < best.pure.Value*nearWorst || q == 0 { // equal vectors: identical rows, no loss
		return
	}
	if imbalance < 0 {
		x, y = y, x
	}
	best.metric.Take(WorstPair{loss / d, x, y, true})
	best.pure.Take(WorstPair{loss, x, y, true})
}
