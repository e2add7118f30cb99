package audit

import (
	"context"
	"fmt"
	"math"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/parallel"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/progress"
)

// enumerate computes the exact losses of any channel by looking at every triple
// of input, neighbour and output: O(V^3) time, O(V) memory per worker. An
// output that one word gives and another cannot is an infinite loss; so is any
// difference of two words with equal vectors, in the metric figure. Figures are
// rounded outward. report, if not nil, is called by one goroutine at a time.
func enumerate(ctx context.Context, m mechanism.Channel, table *embedding.Table, report progress.Func) (mechanism.Loss, error) {
	const block = 32
	n := table.Len()
	var workers []*enumerator
	done := report.Counter(n)
	err := parallel.BlockedBy(ctx, n, block, func() func(ctx context.Context, from, to int) error {
		e := &enumerator{m: m, table: table, distances: make([]float64, block*n)}
		workers = append(workers, e)
		return func(ctx context.Context, from, to int) error {
			if err := e.rows(ctx, from, to); err != nil {
				return err
			}
			done.Add(to - from)
			return nil
		}
	})
	if err != nil {
		return mechanism.Loss{}, err
	}
	var metric, pure worst
	for _, e := range workers {
		metric.take(e.metric)
		pure.take(e.pure)
	}
	return mechanism.Loss{
		MetricLow: outward(metric.low, -1), MetricHigh: outward(metric.high, 1), MetricWitness: metric.at,
		PureLow: outward(pure.low, -1), PureHigh: outward(pure.high, 1), PureWitness: pure.at,
	}, nil
}

// logRounding bounds the error of one log ratio: four logarithms and two
// roundings of integers below 2^63, each below 1e-14.
const logRounding = 1e-13

// outward moves a figure by the rounding of the last divisions.
func outward(v float64, sign float64) float64 { return max(0, v*(1+float64(sign*1e-15))) }

// worst is the largest loss so far; ties go to the lowest numbers.
type worst struct {
	low, high float64
	at        mechanism.Witness
	occupied  bool
}

func (w *worst) take(o worst) {
	if !o.occupied || w.occupied && (o.high < w.high || o.high == w.high && !before(o.at, w.at)) {
		return
	}
	*w = o
}

func before(a, b mechanism.Witness) bool {
	if a.Input != b.Input {
		return a.Input < b.Input
	}
	if a.Neighbour != b.Neighbour {
		return a.Neighbour < b.Neighbour
	}
	return a.Output < b.Output
}

// enumerator is one worker of enumerate.
type enumerator struct {
	m            mechanism.Channel
	table        *embedding.Table
	weights      []uint64
	distances    []float64
	metric, pure worst
}

// rows compares the rows from..to with each other and with all later ones.
func (e *enumerator) rows(ctx context.Context, from, to int) error {
	n := e.table.Len()
	width := n - from
	xs := make([]embedding.ID, 0, to-from)
	logs := make([][]float64, 0, to-from)
	for x := from; x < to; x++ {
		row, err := e.logRow(make([]float64, 0, n), embedding.ID(x))
		if err != nil {
			return err
		}
		xs, logs = append(xs, embedding.ID(x)), append(logs, row)
	}
	distances := e.distances[:len(xs)*width]
	e.table.SquaredDistances(distances, xs, from, n)
	var other []float64
	for z := from + 1; z < n; z++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		row := logs[min(z-from, len(logs)-1)]
		if z >= to {
			var err error
			if other, err = e.logRow(other[:0], embedding.ID(z)); err != nil {
				return err
			}
			row = other
		}
		for i, x := range xs {
			if int(x) >= z {
				break
			}
			e.pair(x, embedding.ID(z), logs[i], row, e.table.Step()*math.Sqrt(distances[i*width+z-from]))
		}
	}
	return nil
}

// pair takes both directions of one pair at distance d.
func (e *enumerator) pair(x, z embedding.ID, a, b []float64, d float64) {
	up, down := math.Inf(-1), math.Inf(-1)
	upAt, downAt := 0, 0
	for y, v := range a {
		// Where neither word gives y the difference is not a number: no loss.
		r := v - b[y]
		if r > up {
			up, upAt = r, y
		}
		if -r > down {
			down, downAt = -r, y
		}
	}
	loss, w := up, mechanism.Witness{Input: x, Neighbour: z, Output: embedding.ID(upAt)}
	if down > up {
		loss, w = down, mechanism.Witness{Input: z, Neighbour: x, Output: embedding.ID(downAt)}
	}
	low, high := max(0, loss-logRounding), loss+logRounding
	e.pure.take(worst{low, high, w, true})
	if d > 0 {
		e.metric.take(worst{low / d, high / d, w, true})
	} else if low > 0 {
		e.metric.take(worst{math.Inf(1), math.Inf(1), w, true})
	}
}

// logRow appends ln P(y|x) for every y, -Inf where the weight is 0.
func (e *enumerator) logRow(dst []float64, x embedding.ID) ([]float64, error) {
	e.weights = e.m.Weights(e.weights[:0], x)
	if len(e.weights) != e.table.Len() {
		return nil, fmt.Errorf("audit: row %d has %d weights for %d words", x, len(e.weights), e.table.Len())
	}
	total := uint64(0)
	for _, w := range e.weights {
		if total += w; w >= 1<<63 || total >= 1<<63 {
			return nil, fmt.Errorf("audit: row %d sums to 2^63 or more", x)
		}
	}
	if total == 0 {
		return nil, fmt.Errorf("audit: row %d has no output", x)
	}
	whole := math.Log(float64(total))
	for _, w := range e.weights {
		dst = append(dst, math.Log(float64(w))-whole)
	}
	return dst, nil
}
