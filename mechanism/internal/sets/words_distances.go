package sets

import (
	"context"
	"math"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/parallel"
	"github.com/sotto-dp/sotto/progress"
)

func (c *Words) MeanDistances(ctx context.Context, report progress.Func) (set, any float64, err error) {
	sets, all, err := c.distances(ctx, report)
	if err != nil {
		return 0, 0, err
	}
	for x := range sets {
		set += sets[x]
		any += all[x]
	}
	each := c.Outputs.Table.Step() / float64(len(sets))
	return set / float64(c.size) * each, any / float64(c.Outputs.Len()) * each, nil
}

// distances returns the sums of the distances of each word to its set and to all outputs, by
// word so that the order of adding them is fixed. Where all words are outputs, those to all
// outputs are the table's. d is symmetric: half of it is enough if sets are so small that their
// distances are computed one by one.
func (c *Words) distances(ctx context.Context, report progress.Func) (sets, all []float64, err error) {
	table := c.Outputs.Table
	n := table.Len()
	sets = make([]float64, n)
	if c.Outputs.outputs != nil {
		all = make([]float64, n)
		return sets, all, c.toOutputs(ctx, sets, all, report)
	}
	pairs := pairsOf(table)
	if int(c.size) >= n/50 {
		if err := pairs.whole(ctx, table, report.Stage("distances")); err != nil {
			return nil, nil, err
		}
		return sets, pairs.all, c.toOutputs(ctx, sets, nil, report)
	}
	if err := pairs.half(ctx, table, report.Stage("distances")); err != nil {
		return nil, nil, err
	}
	count := report.Counter(n)
	err = parallel.IDs(ctx, 0, n, 32, func(xs []embedding.ID) {
		c.Prepare(ctx, xs)
		for _, x := range xs {
			for _, y := range c.set(x).All() {
				sets[x] += math.Sqrt(table.SquaredDistance(x, embedding.ID(y)))
			}
		}
		count.Add(len(xs))
	})
	return sets, twice(pairs.later), err
}

func twice(sums []float64) []float64 {
	all := make([]float64, len(sums))
	for x, sum := range sums {
		all[x] = 2 * sum
	}
	return all
}

// toOutputs adds up the distances to sets by rows of distances to all outputs, and to all
// outputs where all is not nil.
func (c *Words) toOutputs(ctx context.Context, sets, all []float64, report progress.Func) error {
	table, n := c.Outputs.Table, c.Outputs.Table.Len()
	count := report.Counter(n)
	// The first words that are outputs have their places. Others are few, or all words are read.
	run := c.Outputs.run()
	if c.Outputs.Len()-run > n/64 {
		run = n
	}
	square := func(s *squareRows, i int, x, y embedding.ID) float64 {
		if int(y) < run {
			return s.at(i, int(y))
		}
		return table.SquaredDistance(x, y)
	}
	return parallel.IDs(ctx, 0, n, 32, func(xs []embedding.ID) {
		s := squares.Get().(*squareRows)
		defer squares.Put(s)
		s.read(table, xs, 0, run)
		c.Prepare(ctx, xs)
		for i, x := range xs {
			for _, y := range c.set(x).All() {
				sets[x] += math.Sqrt(square(s, i, x, c.Outputs.word(y)))
			}
			if all == nil {
				continue
			}
			for _, y := range c.Outputs.outputs {
				all[x] += math.Sqrt(square(s, i, x, embedding.ID(y)))
			}
		}
		count.Add(len(xs))
	})
}
