package mechanism

import (
	"context"
	"errors"
	"math"
	"runtime"
	"sync"
	"time"

	"github.com/sotto-dp/sotto/embedding"
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
	return c.CertifyFrom(ctx, Keep{}, progress)
}

// CertifyFrom is Certify with a state that is kept. The state is one sum a word
// and the worst pairs so far.
func (c *distanceChannel) CertifyFrom(ctx context.Context, keep Keep, progress func(done, total int)) (Loss, error) {
	return c.certification(keep, progress).run(ctx)
}

// certification is one computation of the losses: a first pass over all pairs
// of words adds up the rows, a second one looks for the worst pairs. Rows are
// done in order, a stretch at a time; columns a block at a time, so that what a
// processor holds does not grow with the table, but for one sum a word.
type certification struct {
	*distanceChannel
	rows     int           // at a time: each time the whole table is read
	columns  int           // at a time
	stretch  int           // pairs in a stretch, about
	every    time.Duration // between two states
	keep     Keep
	progress func(done, total int)

	done  int      // rows, of both passes
	sums  []uint64 // of the rows, over the pairs done
	logs  []float64
	worst worstPairs
	saved time.Time
}

func (c *distanceChannel) certification(keep Keep, progress func(done, total int)) *certification {
	return &certification{distanceChannel: c, rows: 96, columns: 1 << 10, stretch: runtime.GOMAXPROCS(0) << 27, every: time.Minute, keep: keep, progress: progress,
		sums: make([]uint64, c.metric.table.Len()), saved: time.Now()}
}

func (r *certification) run(ctx context.Context) (Loss, error) {
	n := len(r.sums)
	if r.keep.Resume != nil {
		if err := r.resume(r.keep.Resume); err != nil {
			return Loss{}, err
		}
	}
	count := r.counter()
	for r.done < 2*n {
		work, from := r.addRows, r.done
		if from >= n {
			work, from = r.searchRows, from-n
			r.logarithms()
		}
		// Each row's pairs are those with the words from itself on.
		to := min(n, from+max(1, r.stretch/(n-from)/r.rows)*r.rows)
		if err := work(ctx, from, to, count); err != nil {
			return Loss{}, errors.Join(err, r.save())
		}
		r.done += to - from
		if time.Since(r.saved) >= r.every || r.done == 2*n {
			if err := r.save(); err != nil {
				return Loss{}, err
			}
		}
	}
	r.logarithms()
	return r.loss(r.worst.metric, r.worst.pure, r.logs), nil
}

// save gives away where the work stands after its last whole stretch.
func (r *certification) save() error {
	if r.keep.Save == nil {
		return nil
	}
	r.saved = time.Now()
	state, err := r.encode()
	if err != nil {
		return err
	}
	return r.keep.Save(state)
}

// logarithms are those of the sums of all pairs.
func (r *certification) logarithms() {
	if r.logs != nil {
		return
	}
	r.logs = make([]float64, len(r.sums))
	for x, sum := range r.sums {
		r.logs[x] = math.Log(float64(sum))
	}
}

// counter counts rows for a reporter that is told of pairs, in ten thousandths:
// the first rows have the most.
func (r *certification) counter() *counter {
	n := len(r.sums)
	if r.progress == nil {
		return newCounter(2*n, nil)
	}
	c := newCounter(2*n, func(done, total int) {
		pairs := func(rows int) float64 { return float64(rows) * (2*float64(n) - float64(rows) + 1) } // twice their number
		share := pairs(min(done, n)) + pairs(max(done-n, 0))
		const parts = 10000
		r.progress(int(share/(2*pairs(n))*parts), parts)
	})
	c.done = r.done
	return c
}

// addRows adds the weights of the pairs of some rows to the sums of both their
// words. Integers may be added in any order.
func (r *certification) addRows(ctx context.Context, from, to int, count *counter) error {
	n := len(r.sums)
	var mu sync.Mutex
	var free [][]uint64 // partial sums: one a processor
	err := inBlocksOf(ctx, r.rows, from, to, func(xs []embedding.ID, s *rowScratch) {
		mu.Lock()
		var part []uint64
		if len(free) > 0 {
			part, free = free[len(free)-1], free[:len(free)-1]
		} else {
			part = make([]uint64, n)
		}
		mu.Unlock()
		for low := int(xs[0]); low < n; low += r.columns {
			r.addTile(part, xs, low, min(n, low+r.columns), s)
		}
		mu.Lock()
		free = append(free, part)
		mu.Unlock()
		count.add(len(xs))
	})
	if err != nil {
		return err
	}
	for _, part := range free {
		for x, sum := range part {
			r.sums[x] += sum
		}
	}
	return nil
}

// addTile adds the weights of each word of xs and the words from low
// (included) to high (excluded) that do not come before it.
func (r *certification) addTile(sums []uint64, xs []embedding.ID, low, high int, s *rowScratch) {
	s.weighByDistance(r.metric, r.law, xs, low, high)
	width := high - low
	for i, x := range xs {
		start := max(low, int(x)+1)
		own := uint64(0)
		if low <= int(x) && int(x) < high {
			own = r.times(x, s.weights[i*width+int(x)-low])
		}
		if start < high {
			row, others := s.weights[i*width+start-low:(i+1)*width], sums[start:high]
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

// searchRows looks at the pairs of some rows.
func (r *certification) searchRows(ctx context.Context, from, to int, count *counter) error {
	n := len(r.sums)
	var mu sync.Mutex
	return inBlocksOf(ctx, r.rows, from, to, func(xs []embedding.ID, s *rowScratch) {
		mu.Lock()
		best := r.worst
		mu.Unlock()
		for low := int(xs[0]); low < n; low += r.columns {
			r.searchTile(&best, xs, low, min(n, low+r.columns), s)
		}
		mu.Lock()
		r.worst.metric.take(best.metric)
		r.worst.pure.take(best.pure)
		mu.Unlock()
		count.add(len(xs))
	})
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

type worstPairs struct{ metric, pure worstPair }

// searchTile looks at all pairs of a word of xs and a later word from low
// (included) to high (excluded).
func (r *certification) searchTile(best *worstPairs, xs []embedding.ID, low, high int, s *rowScratch) {
	n := len(xs) * (high - low)
	if r.law.byQ != nil {
		s.narrow = resize(s.narrow, n)
		r.metric.table.SquaredDistances32(s.narrow, xs, low, high)
		searchIn(r, best, s.narrow, xs, low, high)
		return
	}
	s.wide = resize(s.wide, n)
	r.metric.squares(s.wide, xs, low, high)
	searchIn(r, best, s.wide, xs, low, high)
}

// searchIn is searchTile over the tile's squared distances.
func searchIn[T uint32 | float64](r *certification, best *worstPairs, squares []T, xs []embedding.ID, low, high int) {
	const near = 1 - 1e-12 // ties and their rounding are for take, whose order is the same however the work is cut
	width := high - low
	t, gamma, step, slack := r.law.T, r.law.Gamma, r.law.Step, r.slack()
	metric, pure := best.metric.value*near, best.pure.value
	for i, x := range xs {
		start := max(low, int(x)+1)
		if start >= high {
			continue
		}
		row, others := squares[i*width+start-low:(i+1)*width], r.logs[start:high]
		own := r.logs[x]
		for j, q := range row {
			d := step * math.Sqrt(float64(q))
			imbalance := others[j] - own
			loss := t*min(d, gamma) + math.Abs(imbalance) + slack
			if loss < metric*d && loss < pure || q == 0 { // equal vectors: identical rows, no loss
				continue
			}
			input, other := x, embedding.ID(start+j)
			if imbalance < 0 {
				input, other = other, input
			}
			best.metric.take(worstPair{loss / d, input, other, true})
			best.pure.take(worstPair{loss, input, other, true})
			metric, pure = best.metric.value*near, best.pure.value
		}
	}
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
