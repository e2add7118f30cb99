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
	n := table.Len()
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
				if from >= n {
					return nil
				}
				if err := ctx.Err(); err != nil {
					return err
				}
				xs = xs[:0]
				for x := from; x < min(n, from+block); x++ {
					xs = append(xs, embedding.ID(x))
				}
				if p, ok := c.(mechanism.Preparer); ok {
					p.Prepare(xs)
				}
				if distances == nil {
					distances = make([]float64, block*n)
				}
				table.SquaredDistances(distances[:len(xs)*n], xs, 0, n)
				for i, x := range xs {
					weights = c.Weights(weights[:0], x)
					partial[w].addRow(weights, distances[i*n:(i+1)*n], table.Step(), int(x), largest[w])
				}
				if progress != nil {
					mu.Lock()
					done += len(xs)
					progress(done, n)
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
		f.Unchanged += p.Unchanged / float64(n)
		f.ExpectedDistance += p.ExpectedDistance / float64(n)
		f.DistinctOutputs += p.DistinctOutputs / float64(n)
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

func (f *Figures) addRow(weights []uint64, distances []float64, step float64, x int, largest []float64) {
	total := 0.0
	for _, w := range weights {
		total += float64(w)
	}
	moved := 0.0
	for y, w := range weights {
		if w == 0 {
			continue
		}
		p := float64(w) / total
		moved += p * math.Sqrt(distances[y])
		largest[y] = max(largest[y], p)
		if p < 1e-9 { // 1 - (1-p)^100 to nine digits
			f.DistinctOutputs += 100 * p
		} else {
			f.DistinctOutputs -= math.Expm1(100 * math.Log1p(-p))
		}
	}
	f.ExpectedDistance += step * moved
	f.Unchanged += float64(weights[x]) / total
}
