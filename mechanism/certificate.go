package mechanism

import (
	"context"
	"math"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/sotto-dp/sotto/embedding"
	"golang.org/x/sync/errgroup"
)

// Certify computes the exact losses of a channel whose weights fall with the
// distance, in O(V^2) distances: for inputs x, x' the largest log ratio over all
// outputs is attained at y = x, where it is
//
//	t T(x,x') + ln W(x') - ln W(x),  T = min(d, gamma), W the integer row sums,
//
// up to the slack of the integer weights, which is added outward. Where a base
// measure leaves x out of the outputs this is an upper bound.
func (c *distanceChannel) Certify(ctx context.Context, progress func(done, total int)) (Loss, error) {
	n := c.metric.table.Len()
	count := newCounter(2*n, progress)
	sums, err := c.rowSums(ctx, count)
	if err != nil {
		return Loss{}, err
	}
	logs := make([]float64, n)
	for x, sum := range sums {
		logs[x] = math.Log(float64(sum))
	}
	var mu sync.Mutex
	var metric, pure worstPair
	err = inBlocks(ctx, n, func(xs []embedding.ID, s *rowScratch) {
		m, p := c.worst(xs, logs, s)
		mu.Lock()
		metric.take(m)
		pure.take(p)
		mu.Unlock()
		count.add(len(xs))
	})
	if err != nil {
		return Loss{}, err
	}
	return c.loss(metric, pure, logs), nil
}

// rowSums adds up the integer weights of every row.
func (c *distanceChannel) rowSums(ctx context.Context, count *counter) ([]uint64, error) {
	n := c.metric.table.Len()
	sums := make([]uint64, n)
	if c.law.byQ != nil || c.base != nil {
		return sums, inBlocks(ctx, n, func(xs []embedding.ID, s *rowScratch) {
			copy(sums[xs[0]:], c.totals(s, xs))
			count.add(len(xs))
		})
	}
	// Every weight is computed once and added to both its rows; integers may be
	// added in any order.
	var mu sync.Mutex
	var free [][]uint64
	err := inBlocks(ctx, n, func(xs []embedding.ID, s *rowScratch) {
		mu.Lock()
		var part []uint64
		if len(free) > 0 {
			part, free = free[len(free)-1], free[:len(free)-1]
		} else {
			part = make([]uint64, n)
		}
		mu.Unlock()
		from := int(xs[0])
		width := n - from
		s.wide = resize(s.wide, len(xs)*width)
		c.metric.squares(s.wide, xs, from, n)
		s.weights = resize(s.weights, len(s.wide))
		c.law.Fill(s.weights, s.wide)
		for i, x := range xs {
			start := int(x) + 1
			own := c.law.At(0)
			others := part[start:]
			for j, w := range s.weights[i*width : (i+1)*width][start-from:] {
				own += w
				others[j] += w
			}
			part[x] += own
		}
		mu.Lock()
		free = append(free, part)
		mu.Unlock()
		count.add(len(xs))
	})
	for _, part := range free {
		for x, sum := range part {
			sums[x] += sum
		}
	}
	return sums, err
}

// worstPair is the pair with the largest figure met so far; ties go to the
// lowest numbers, so that the witness does not depend on the order of work.
type worstPair struct {
	value    float64
	input    embedding.ID
	other    embedding.ID
	occupied bool
}

func (w *worstPair) take(o worstPair) {
	if !o.occupied {
		return
	}
	if !w.occupied || o.value > w.value ||
		o.value == w.value && (o.input < w.input || o.input == w.input && o.other < w.other) {
		*w = o
	}
}

// worst looks at all pairs of a word of xs and a later word of the table.
func (c *distanceChannel) worst(xs []embedding.ID, logs []float64, s *rowScratch) (metric, pure worstPair) {
	from, n := int(xs[0]), c.metric.table.Len()
	width := n - from
	if c.law.byQ != nil {
		s.narrow = resize(s.narrow, len(xs)*width)
		c.metric.table.SquaredDistances32(s.narrow, xs, from, n)
		return worstOf(c, s.narrow, xs, logs)
	}
	s.wide = resize(s.wide, len(xs)*width)
	c.metric.squares(s.wide, xs, from, n)
	return worstOf(c, s.wide, xs, logs)
}

// worstOf is worst over rows of squared distances from xs to the words from the
// first of xs on.
func worstOf[T uint32 | float64](c *distanceChannel, rows []T, xs []embedding.ID, logs []float64) (metric, pure worstPair) {
	from, n := int(xs[0]), c.metric.table.Len()
	width := n - from
	t, gamma, step, slack := c.law.T, c.law.Gamma, c.law.Step, c.slack()
	for i, x := range xs {
		start := int(x) + 1 - from
		row, others := rows[i*width : (i+1)*width][start:], logs[from:][start:]
		own := logs[x]
		for j, q := range row {
			d := step * math.Sqrt(float64(q))
			imbalance := others[j] - own
			loss := t*min(d, gamma) + math.Abs(imbalance) + slack
			if loss <= metric.value*d && loss <= pure.value || q == 0 { // equal vectors: identical rows, no loss
				continue
			}
			input, other := x, embedding.ID(from+start+j)
			if imbalance < 0 {
				input, other = other, input
			}
			metric.take(worstPair{loss / d, input, other, true})
			pure.take(worstPair{loss, input, other, true})
		}
	}
	return metric, pure
}

// loss turns the worst pairs into figures: High carries the slack and is rounded
// up; Low is what the integer weights attain at y = x, rounded down.
func (c *distanceChannel) loss(metric, pure worstPair, logs []float64) Loss {
	const out = 1e-12 // rounding of a few float64 operations
	attained := func(p worstPair) (float64, embedding.ID) {
		output, top, bottom := c.worstOutput(p)
		return math.Log(float64(top)/float64(bottom)) + logs[p.other] - logs[p.input], output
	}
	var l Loss
	if metric.occupied {
		loss, y := attained(metric)
		l.MetricHigh = metric.value * (1 + out)
		l.MetricLow = max(0, (loss-out)/c.metric.distance(metric.input, metric.other)*(1-out))
		l.MetricWitness = Witness{metric.input, metric.other, y}
	}
	if pure.occupied {
		loss, y := attained(pure)
		l.PureHigh = pure.value * (1 + out)
		l.PureLow = max(0, (loss-out)*(1-out))
		l.PureWitness = Witness{pure.input, pure.other, y}
	}
	return l
}

// worstOutput is the output at which a pair's two weights differ most: the
// input itself, or, where the base measure leaves that out, one searched for.
func (c *distanceChannel) worstOutput(p worstPair) (output embedding.ID, top, bottom uint64) {
	output = p.input
	if c.base != nil && c.base[output] == 0 {
		best := -1.0
		for y := range c.base {
			if y := embedding.ID(y); c.base[y] > 0 {
				if r := float64(c.weight(p.input, y)) / float64(c.weight(p.other, y)); r > best {
					best, output = r, y
				}
			}
		}
	}
	return output, c.weight(p.input, output), c.weight(p.other, output)
}

// slack is what the integer weights add to a log ratio.
func (c *distanceChannel) slack() float64 {
	if c.base != nil {
		return c.law.productSlack()
	}
	return c.law.slack()
}

// inBlocks calls work for consecutive blocks of the n words, on all processors.
func inBlocks(ctx context.Context, n int, work func(xs []embedding.ID, s *rowScratch)) error {
	const block = 32
	group, ctx := errgroup.WithContext(ctx)
	var next atomic.Int64
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() error {
			var s rowScratch
			var xs []embedding.ID
			for {
				if err := ctx.Err(); err != nil {
					return err
				}
				from := int(next.Add(block)) - block
				if from >= n {
					return nil
				}
				xs = xs[:0]
				for x := from; x < min(n, from+block); x++ {
					xs = append(xs, embedding.ID(x))
				}
				work(xs, &s)
			}
		})
	}
	return group.Wait()
}

// counter reports progress from many goroutines, one at a time.
type counter struct {
	mu          sync.Mutex
	done, total int
	report      func(done, total int)
}

func newCounter(total int, report func(done, total int)) *counter {
	return &counter{total: total, report: report}
}

func (c *counter) add(n int) {
	if c.report == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.done += n
	c.report(c.done, c.total)
}
