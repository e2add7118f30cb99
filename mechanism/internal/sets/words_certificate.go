package sets

import (
	"context"
	"math"
	"sync"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/parallel"
	"github.com/sotto-dp/sotto/internal/scratch"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/progress"
)

// Certify computes the exact losses: ln(high/low) for every pair with different
// sets, so the metric figure belongs to the nearest such pair.
func (c *Words) Certify(ctx context.Context, report progress.Func) (mechanism.Loss, error) {
	n := c.Outputs.Table.Len()
	if c.high == c.low || int(c.size) == c.Outputs.Len() || n == 1 {
		return mechanism.Loss{}, ctx.Err()
	}
	count := report.Counter(n)
	var mu sync.Mutex
	var nearest nearestPair
	err := parallel.IDs(ctx, 0, n, 32, func(xs []embedding.ID) {
		s := distanceRows.Get().(*[]float64)
		defer distanceRows.Put(s)
		from := int(xs[0])
		width := n - from
		*s = scratch.Resize(*s, len(xs)*width)
		c.Outputs.Table.SquaredDistances(*s, xs, from, n)
		mu.Lock()
		best := nearest
		mu.Unlock()
		for i, x := range xs {
			for j := int(x) + 1 - from; j < width; j++ {
				p := nearestPair{(*s)[i*width+j], x, embedding.ID(from + j), true}
				if p.before(best) && c.differ(x, p.other) {
					best = p
				}
			}
		}
		mu.Lock()
		if best.before(nearest) {
			nearest = best
		}
		mu.Unlock()
		count.Add(len(xs))
	})
	if err != nil || !nearest.found {
		return mechanism.Loss{}, err
	}
	pure := c.Loss()
	low, high := pure.PureLow, pure.PureHigh
	d := c.Outputs.Table.Step() * math.Sqrt(nearest.square)
	own := map[embedding.ID]bool{}
	for _, y := range c.Members(nearest.other) {
		own[y] = true
	}
	w := mechanism.Witness{Input: nearest.input, Neighbour: nearest.other, Output: nearest.input}
	for _, y := range c.Members(nearest.input) {
		if !own[y] {
			w.Output = y
			break
		}
	}
	return mechanism.Loss{MetricLow: low / d * (1 - 1e-15), MetricHigh: high / d * (1 + 1e-15), PureLow: low, PureHigh: high, MetricWitness: w, PureWitness: w}, nil
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

// differ reports whether two words have different sets.
func (c *Words) differ(x, y embedding.ID) bool {
	return !c.set(x).equal(c.set(y))
}
