package sets

import (
	"context"
	"math"

	"github.com/sotto-dp/sotto/embedding"
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
	nearest, err := c.nearestApart(ctx, report)
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

// nearestApart returns the nearest pair of words with different sets. Pairs are tried by their
// distances: each word with the nearest of those behind it, and where the two have one set, all
// others behind it that are nearer than what was found.
func (c *Words) nearestApart(ctx context.Context, report progress.Func) (best nearestPair, err error) {
	table := c.Outputs.Table
	pairs := pairsOf(table)
	if err := pairs.half(ctx, table, report); err != nil {
		return best, err
	}
	var s squareRows
	for _, first := range pairs.nearest {
		if err := ctx.Err(); err != nil || !first.before(best) {
			return best, err
		}
		if c.differ(first.input, first.other) {
			best = first
			continue
		}
		from := int(first.input) + 1
		s.read(table, []embedding.ID{first.input}, from, table.Len())
		for y := range s.width {
			p := nearestPair{s.at(0, y), first.input, embedding.ID(from + y), true}
			if p.before(best) && c.differ(p.input, p.other) {
				best = p
			}
		}
	}
	return best, ctx.Err()
}

// differ reports whether two words have different sets.
func (c *Words) differ(x, y embedding.ID) bool {
	return !c.set(x).equal(c.set(y))
}
