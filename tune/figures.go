// Package tune helps to choose a parameter: it computes what a configured
// mechanism does to words and to an attacker's chances, and searches for the
// parameter that meets a target. All figures are of public data: choosing by
// them costs no privacy.
package tune

import (
	"context"
	"math"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism"
	"golang.org/x/sync/errgroup"
)

// Figures is what a channel does on average over the words of its table, every
// word as likely as any other. They are exact up to the rounding of float64.
type Figures struct {
	Unchanged        float64 // chance that a word stays
	ExpectedDistance float64 // mean distance of output and input
	AttackSuccess    float64 // Bayes success: the best guess of the input from the output
	Support          float64 // share of words that can be an output of some input
	DistinctOutputs  float64 // mean number of distinct outputs in 100 draws
}

// Measure computes the figures of a channel by looking at every entry of it.
// progress, if not nil, is told of rows done, from one goroutine at a time.
func Measure(ctx context.Context, c mechanism.Channel, table *embedding.Table, progress func(done, total int)) (Figures, error) {
	return measure(ctx, c, table, 1, progress)
}

// measure looks at the rows of each every-th word. AttackSuccess and Support,
// which are of columns, mean something where that is all of them.
func measure(ctx context.Context, c mechanism.Channel, table *embedding.Table, every int, progress func(done, total int)) (Figures, error) {
	n := table.Len()
	inputs := (n + every - 1) / every
	workers := runtime.GOMAXPROCS(0)
	partial := make([]Figures, workers)
	largest := make([][]float64, workers) // of each column: max over inputs of P(y|x)
	var next atomic.Int64
	var mu sync.Mutex
	done := 0
	group, ctx := errgroup.WithContext(ctx)
	for w := range workers {
		largest[w] = make([]float64, n)
		group.Go(func() error {
			var weights []uint64
			var distances []float64
			var xs []embedding.ID
			for {
				const block = 16 // rows whose distances are computed together
				from := int(next.Add(block)) - block
				if from >= inputs {
					return nil
				}
				if err := ctx.Err(); err != nil {
					return err
				}
				xs = xs[:0]
				for i := from; i < min(inputs, from+block); i++ {
					xs = append(xs, embedding.ID(i*every))
				}
				if distances == nil {
					distances = make([]float64, block*n)
				}
				table.SquaredDistances(distances[:len(xs)*n], xs, 0, n)
				weights = weights[:0]
				if bulk, ok := c.(mechanism.Bulk); ok {
					weights = bulk.Rows(weights, xs)
				} else {
					for _, x := range xs {
						weights = c.Weights(weights, x)
					}
				}
				for i, x := range xs {
					partial[w].addRow(weights[i*n:(i+1)*n], distances[i*n:(i+1)*n], table.Step(), int(x), largest[w])
				}
				if progress != nil {
					mu.Lock()
					done += len(xs)
					progress(done, inputs)
					mu.Unlock()
				}
			}
		})
	}
	if err := group.Wait(); err != nil {
		return Figures{}, err
	}
	var f Figures
	for _, p := range partial {
		f.Unchanged += p.Unchanged / float64(inputs)
		f.ExpectedDistance += p.ExpectedDistance / float64(inputs)
		f.DistinctOutputs += p.DistinctOutputs / float64(inputs)
	}
	for y := range n {
		best := 0.0
		for w := range workers {
			best = max(best, largest[w][y])
		}
		f.AttackSuccess += best / float64(n)
		if best > 0 {
			f.Support += 1 / float64(n)
		}
	}
	return f, nil
}

// distinctDraws is the number of draws that DistinctOutputs counts over.
const distinctDraws = 100

// addRow adds one row: a pass with few operations for all entries, and the rest
// for the few that weigh.
func (f *Figures) addRow(weights []uint64, distances []float64, step float64, x int, largest []float64) {
	sum := uint64(0) // below 2^63
	for _, w := range weights {
		sum += w
	}
	each := 1 / float64(sum)
	moved, first, second, third := 0.0, 0.0, 0.0, 0.0
	last, met := uint64(0), 0.0 // a weight, and the chance of meeting its output
	distances, largest = distances[:len(weights)], largest[:len(weights)]
	for y, w := range weights {
		p := float64(int64(w)) * each
		moved += p * math.Sqrt(distances[y])
		if p > largest[y] {
			largest[y] = p
		}
		if p < 1e-5 {
			// 1 - (1-p)^n = n p - n(n-1)/2 p^2 + n(n-1)(n-2)/6 p^3 - ..., to nine digits.
			square := p * p
			first, second, third = first+p, second+square, third+square*p
			continue
		}
		if w != last { // rows of two levels repeat themselves
			last, met = w, -math.Expm1(distinctDraws*math.Log1p(-p))
		}
		f.DistinctOutputs += met
	}
	const n = distinctDraws
	f.DistinctOutputs += n*first - n*(n-1)/2*second + n*(n-1)*(n-2)/6*third
	f.ExpectedDistance += step * moved
	f.Unchanged += float64(weights[x]) * each
}
