package estimate

import (
	"context"
	"math"
	"slices"

	"github.com/sotto-dp/sotto/internal/parallel"
	"github.com/sotto-dp/sotto/internal/simd/gather"
)

// together is the number of words refined per reading of the channel.
const together = 16 * gather.Width

// mostPasses bounds the readings of a channel whose rows are not kept.
const mostPasses = 12

// refineAll answers a query over rows that are kept in part. The channel is read
// again for the true residual of all words at once, the kept part is solved for a
// correction, and so on (iterative refinement, Wilkinson 1963).
func (e *Estimator) refineAll(ctx context.Context, q Query, w widths, take func(at int, f *functionals) error) error {
	for at := 0; at < len(q.Words); at += together {
		var blocks []*functionals
		for from := at; from < min(at+together, len(q.Words)); from += gather.Width {
			words := q.Words[from:min(from+gather.Width, at+together, len(q.Words))]
			n := e.table.Len()
			f := &functionals{words: words, g: make([]wide, n), off: make([]wide, n)}
			for j, x := range words {
				f.off[x][j] = -1
			}
			blocks = append(blocks, f)
		}
		if err := e.refine(ctx, blocks, w); err != nil {
			return err
		}
		for i, f := range blocks {
			if err := take(at+i*gather.Width, f); err != nil {
				return err
			}
		}
	}
	return nil
}

// refine corrects g by the kept rows until P g - e_w is precise or no pass halves
// it.
func (e *Estimator) refine(ctx context.Context, blocks []*functionals, w widths) error {
	last := math.Inf(1)
	for range mostPasses {
		before := make([]functionals, len(blocks))
		for i, f := range blocks {
			before[i] = functionals{g: slices.Clone(f.g), off: f.off}
			f.off = make([]wide, len(f.off))
		}
		if err := e.correct(ctx, blocks, before); err != nil {
			return err
		}
		if err := e.residuals(ctx, blocks); err != nil {
			return err
		}
		worst := 0.0
		for _, f := range blocks {
			for j := range f.words {
				worst = max(worst, w.leftOver(f.worst(j), e.spread(f, j, w)))
			}
		}
		if worst > last { // it does not converge: keep the previous one
			for i, f := range blocks {
				f.g, f.off = before[i].g, before[i].off
			}
		}
		if worst <= precise || worst > last/2 {
			return nil
		}
		last = worst
	}
	return nil
}

// correct adds to each g the solution of the kept rows for the residual.
func (e *Estimator) correct(ctx context.Context, blocks []*functionals, before []functionals) error {
	return parallel.Blocked(ctx, len(blocks), 1, func(ctx context.Context, i, _ int) error {
		f := blocks[i]
		b := make([]wide, len(f.off))
		start := 0.0
		for x := range b {
			for j, v := range before[i].off[x] {
				b[x][j] = -v
				start = max(start, math.Abs(v))
			}
		}
		near := func(left []wide) bool {
			worst := 0.0
			for x := range left {
				for _, v := range left[x] {
					worst = max(worst, math.Abs(v))
				}
			}
			return worst <= start/100
		}
		solved := false
		err := e.solveDirectly(ctx, b, func(step int, g, left []wide) bool {
			if solved = near(left); solved {
				for y := range g {
					add(&f.g[y], 1, &g[y])
				}
			}
			return solved || step == 2*pace
		})
		if err != nil || solved {
			return err
		}
		return e.system().solve(ctx, b, func(step int, h, left []wide) bool {
			if !near(left) && step < mostSteps/4 {
				return false
			}
			for y, c := range e.scale {
				add(&f.g[y], c, &h[y])
			}
			return true
		})
	})
}

// residuals reads the channel and fills off = P g - e_w of every block.
func (e *Estimator) residuals(ctx context.Context, blocks []*functionals) error {
	err := eachRow(ctx, e.channel, e.table.Len(), e.report.Stage("reading the channel again"), func() func(x int, weights []uint64) {
		return func(x int, weights []uint64) {
			sum := 0.0
			for _, v := range weights {
				sum += float64(v)
			}
			for _, f := range blocks {
				var all wide
				for y, v := range weights {
					if v > 0 {
						add(&all, float64(v)/sum, &f.g[y])
					}
				}
				f.off[x] = all
			}
		}
	})
	for _, f := range blocks {
		for j, x := range f.words {
			f.off[x][j]--
		}
	}
	return err
}
