package packing

import (
	"cmp"
	"context"
)

// mostMissed is how many solves in a row may end with cuts that are not met.
const mostMissed = 2

// search solves and fills, adding cuts for rows that cannot be filled. It returns
// nil if cuts are not met, or are met and do not help. The passes of the remaining
// time include this one.
func (b *packingBuild) search(ctx context.Context, p *program, from *iterate, passes int) (*filled, *iterate, error) {
	cut, missed := map[int]bool{}, 0
	for range mostRounds {
		found, err := b.solve(ctx, p, from, passes)
		if err != nil {
			return nil, from, err
		}
		from = &found.at
		if found.value < 0 {
			if missed++; missed == mostMissed {
				return nil, from, nil
			}
			continue // the cuts are not met yet: go on from here
		}
		missed = 0
		f, short, err := b.fill(ctx, p, found.a)
		if err != nil {
			return nil, from, err
		}
		if len(short) == 0 {
			return f, from, nil
		}
		known := len(cut)
		for _, x := range short {
			if !cut[x] {
				cut[x] = true
				p.cut(f.caps(ctx, x))
			}
		}
		if len(cut) == known {
			return nil, from, nil
		}
	}
	return nil, from, nil
}

// solve runs the solver from an iterate. It lowers b.bound to the bound that it
// proves, where that is one on every channel's unchanged rate.
func (b *packingBuild) solve(ctx context.Context, p *program, from *iterate, passes int) (packed, error) {
	if err := b.d.kernel(ctx, b.compiled.T); err != nil {
		return packed{}, err
	}
	p.k = b.d.m
	bounds := p.plain() && b.compiled.T > 0.999*b.epsilon
	e := effort{gap: cmp.Or(b.effort.Gap, defaultGap), until: b.limit.until(passes, b.done != nil)}
	if e.until.IsZero() {
		e.sweeps = mostSweeps
	}
	e.report = func(sweep int, value, bound float64) {
		if bounds {
			bound = min(bound, *b.bound)
		}
		if b.effort.Solving != nil {
			b.effort.Solving(b.swept+sweep, value, bound)
		}
	}
	e.save = func(sweep int, bound float64, at iterate) error {
		if b.effort.Save == nil {
			return nil
		}
		least := *b.bound
		if bounds {
			least = min(least, bound)
		}
		data, err := b.state(p, b.swept+sweep, least, at).encode()
		if err != nil {
			return err
		}
		return b.effort.Save(data)
	}
	found, err := p.solve(from, e)
	if err != nil {
		return packed{}, err
	}
	b.swept += found.sweeps
	b.limit.solved(found.stopped, found.late)
	if bounds {
		*b.bound = min(*b.bound, found.bound)
	}
	return found, nil
}

// fill makes the channel of a diagonal: its floors, and the lifts that fill its
// rows. It also returns the rows that cannot be filled.
func (b *packingBuild) fill(ctx context.Context, p *program, a []float32) (*filled, []int, error) {
	if err := b.d.plain(ctx); err != nil {
		return nil, nil, err
	}
	for y := range a {
		a[y] += float32(p.base)
	}
	f, sums, err := b.floors(ctx, a)
	if err != nil {
		return nil, nil, err
	}
	lifts, short, err := f.fill(ctx, sums, b.progress("filling rows"))
	b.limit.followed()
	return &filled{f, lifts}, short, err
}

// state returns the state of a search after a solve's sweeps.
func (b *packingBuild) state(p *program, sweeps int, bound float64, at iterate) searchState {
	return searchState{Table: b.table.Digest(), Epsilon: b.epsilon, T: b.compiled.T, Objective: b.effort.Objective.key(), Sweeps: sweeps, Bound: bound,
		Cuts: p.cuts, A: at.a, Rows: at.rows, CutsBy: at.cuts}
}
