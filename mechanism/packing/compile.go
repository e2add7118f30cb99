package packing

import (
	"context"
	"fmt"
	"math"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/privacy"
)

// shrinks are the values of t/epsilon that are tried: 1 nearly always works in
// ten and more dimensions.
var shrinks = []float64{1, 0.98, 0.95, 0.9, 0.8, 0.7}

// compilePacking finds a packing channel for epsilon.
func compilePacking(ctx context.Context, table *embedding.Table, epsilon float64, e Effort) ([]byte, error) {
	if err := privacy.CheckEpsilon("packing", epsilon); err != nil {
		return nil, err
	}
	if err := e.Objective.check(table.Len()); err != nil {
		return nil, err
	}
	ctx, cancel, l := newLimit(ctx, e.Time)
	defer cancel()
	d := newDistances(table)
	if d.n() > mostPacked {
		return nil, fmt.Errorf("packing: the table has %d words, want at most %d: take its first words", d.n(), mostPacked)
	}
	if d.n() == 1 {
		return nil, fmt.Errorf("packing: the table has only one vector, want two or more")
	}
	if err := d.plain(ctx); err != nil {
		return nil, l.explain(ctx, "packing", err)
	}
	if math.IsInf(d.rounding(), 1) {
		return nil, privacy.Wrong("packing", "embeddings", fmt.Sprintf("two words of the table are %.3g apart, and 8.5e37 is too far", d.largest), "scale the vectors")
	}
	bound := math.Inf(1)
	var resumed *searchState
	if e.Resume != nil {
		s, err := readState(e.Resume, table, epsilon, e.Objective, d.n())
		if err != nil {
			return nil, err
		}
		resumed, bound = &s, s.Bound
	}
	for _, shrink := range shrinks {
		b := &packingBuild{table: table, d: d, epsilon: epsilon, effort: e, limit: l, bound: &bound}
		if !b.begin(shrink) || resumed != nil && b.compiled.T > resumed.T {
			continue
		}
		err := b.run(ctx, resumed)
		resumed = nil
		if err != nil && (b.done == nil || !over(ctx, err)) {
			return nil, l.explain(ctx, "packing", err)
		}
		if b.done != nil {
			return b.done.encode(bound), nil
		}
	}
	if l.wasLate {
		return nil, l.tooShort("packing")
	}
	return nil, privacy.Wrong("packing", "epsilon", fmt.Sprintf("at %v the rows of this table cannot be filled", epsilon), "choose another, or balanced")
}

// run searches for a channel of the objective and sets b.done. It leaves b.done
// nil if rows cannot be filled.
func (b *packingBuild) run(ctx context.Context, resumed *searchState) error {
	p := newProgram(ctx, b.d.n(), nil)
	var from *iterate
	if resumed != nil {
		p.cuts, b.swept = resumed.Cuts, resumed.Sweeps
		from = &iterate{resumed.A, resumed.Rows, resumed.CutsBy}
	}
	goal := b.effort.Objective
	if err := b.aim(ctx, goal, p); err != nil {
		return err
	}
	more := goal.reweighings()
	best, from, err := b.search(ctx, p, from, 1+more)
	if best == nil || err != nil {
		return err
	}
	for ; more > 0 || b.limit.late; more-- {
		if b.limit.set() {
			// From here on there is a channel to return whenever the time ends.
			if err := b.finish(ctx, best); err != nil {
				return err
			}
			if !b.limit.room() {
				return nil
			}
		}
		if more > 0 {
			if err := b.reweigh(ctx, goal, p, best); err != nil {
				return err
			}
		}
		var next *filled
		if next, from, err = b.search(ctx, p, from, max(1, more)); err != nil {
			return err
		}
		if next != nil && b.cost(ctx, goal, next) < b.cost(ctx, goal, best) {
			best = next
		}
	}
	return b.finish(ctx, best)
}

// Compile finds a channel of packing or balanced for a table and an epsilon, and
// returns the bytes of its file. Cancelling ctx ends it with ctx's error.
func Compile(ctx context.Context, name string, table *embedding.Table, epsilon float64, e Effort) ([]byte, error) {
	switch name {
	case "packing":
		return compilePacking(ctx, table, epsilon, e)
	case "balanced":
		return compileBalanced(ctx, table, epsilon, e)
	}
	return nil, privacy.Bad("compile", "mechanism", fmt.Sprintf("%q", name), "packing or balanced")
}
