package channel

import (
	"context"
	"sync"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/progress"
)

// addRows adds the weights of the pairs of some rows to the sums of both their
// words. Integers may be added in any order.
func (r *certification) addRows(ctx context.Context, from, to int, count *progress.Counter) error {
	n := len(r.sums)
	var mu sync.Mutex
	free := r.parts
	err := r.inWindows(from, n, r.packed.Pack, func(first, end int) error {
		return eachOf(ctx, r.rows, from, min(to, end), func(xs []embedding.ID, s *Scratch) {
			mu.Lock()
			var part []uint64
			if len(free) > 0 {
				part, free = free[len(free)-1], free[:len(free)-1]
			} else {
				part = make([]uint64, n)
			}
			mu.Unlock()
			r.packed.Rows(&s.exact, xs)
			for low := max(first, int(xs[0])); low < end; low += r.columns {
				if ctx.Err() != nil {
					return
				}
				r.addTile(part, xs, low, min(end, low+r.columns), s)
			}
			mu.Lock()
			free = append(free, part)
			mu.Unlock()
			if end == n {
				count.Add(len(xs))
			}
		})
	})
	r.parts = free
	for _, part := range free {
		for x, sum := range part {
			if err == nil { // a stretch counts whole or not at all
				r.sums[x] += sum
			}
			part[x] = 0
		}
	}
	return err
}

// addTile adds the weights of each word of xs and the words from low
// (included) to high (excluded) that do not come before it. s.exact has the rows xs.
func (r *certification) addTile(sums []uint64, xs []embedding.ID, low, high int, s *Scratch) {
	s.WeighByDistance(r.metric, &s.exact, r.law, xs, low, high)
	width := high - low
	for i, x := range xs {
		start := max(low, int(x)+1)
		own := uint64(0)
		if low <= int(x) && int(x) < high {
			own = r.times(x, s.Weights[i*width+int(x)-low])
		}
		if start < high {
			row, others := s.Weights[i*width+start-low:(i+1)*width], sums[start:high]
			if r.base == nil {
				for j, w := range row {
					own += w
					others[j] += w
				}
			} else {
				for j, w := range row {
					own += r.times(embedding.ID(start+j), w)
					others[j] += r.times(x, w)
				}
			}
		}
		sums[x] += own
	}
}
