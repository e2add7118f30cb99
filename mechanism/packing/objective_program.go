package packing

import (
	"context"
	"fmt"
	"math"

	"github.com/sotto-dp/sotto/internal/parallel"
	"github.com/sotto-dp/sotto/privacy"
)

// aim puts prior and least into a program: a becomes least + a', so that rows
// have less room.
func (b *packingBuild) aim(ctx context.Context, o Objective, p *program) error {
	if o.Prior != nil {
		likely := o.likely(b.d)
		p.worth = make([]float32, p.n)
		for y, v := range likely {
			p.worth[y] = float32(v)
		}
	}
	if o.Least > 0 {
		if err := b.d.kernel(ctx, b.compiled.T); err != nil {
			return err
		}
		p.k = b.d.m
		ones := make([]float32, p.n)
		for y := range ones {
			ones[y] = 1
		}
		sums := p.apply(ones)
		most := 0.9 / float64(sums[largestAt(sums)]) // a tenth of the fullest row is left to the search
		if o.Least > most {
			return privacy.Bad("packing", "least", o.Least, fmt.Sprintf("at most %.3g at epsilon %g over this table", most, b.epsilon))
		}
		p.base = o.Least
		p.room = sums
		for x := range p.room {
			p.room[x] = 1 - float32(p.room[x]*float32(o.Least))
		}
	}
	cuts := p.cuts
	p.cuts = nil
	for _, g := range cuts { // those of a search that is resumed
		p.cut(g)
	}
	return nil
}

// reweigh sets the weights to what the expected distance gains by a little more
// of each output's floor: to row x floor y adds e^-td(x,y) at distance d(x,y),
// and what the row then lacks less is taken from its farthest lift, at far(x).
func (b *packingBuild) reweigh(ctx context.Context, o Objective, p *program, found *filled) error {
	likely := o.likely(b.d)
	if err := b.d.plain(ctx); err != nil {
		return err
	}
	far := found.farthest(ctx)
	gains := make([]float64, p.n)
	parallel.Indices(ctx, p.n, func(y int) {
		for x, d := range b.d.row(y) { // symmetric
			gains[y] += float64(likely[x] * math.Exp(-b.compiled.T*float64(d)) * (far[x] - float64(d)))
		}
	})
	unit, sum := b.d.mean(ctx), 0.0
	if err := ctx.Err(); err != nil {
		return err
	}
	for y, g := range gains {
		gains[y] = max(0, float64((1-o.Distance)*likely[y])+o.Distance*g/unit)
		sum += gains[y] / float64(p.n)
	}
	if sum == 0 {
		return nil
	}
	p.worth = make([]float32, p.n)
	for y, g := range gains {
		p.worth[y] = float32(g / sum)
	}
	return nil
}

// cost returns what the objective minimises.
func (b *packingBuild) cost(ctx context.Context, o Objective, f *filled) float64 {
	likely := o.likely(b.d)
	moves := make([]float64, len(likely))
	stays := make([]float64, len(likely))
	parallel.Indices(ctx, len(likely), func(x int) {
		own := b.d.row(x)
		floor := 0.0
		for _, y := range f.support {
			if y == x {
				stays[x] = f.floors.base[b.d.words[y]]
				continue
			}
			floor += float64(f.floors.base[b.d.words[y]] * math.Exp(-b.compiled.T*float64(own[y])) * float64(own[y]))
		}
		lifted := 0.0
		for _, l := range f.lifts[x] {
			lifted += float64(float64(l.amount) * float64(own[b.d.class[l.output]]))
		}
		moves[x] = floor + lifted/float64(f.floors.total())
	})
	unit, total := b.d.mean(ctx), 0.0
	for x, p := range likely {
		total += float64(p * (o.Distance*moves[x]/unit - float64((1-o.Distance)*stays[x])))
	}
	return total / float64(len(likely))
}
