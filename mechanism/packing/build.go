// Package packing computes, stores and opens channels that take a long computation:
// packing, which maximises the unchanged rate under metric privacy, and balanced.
package packing

import (
	"context"
	"math/bits"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/simd/weigh"
	"github.com/sotto-dp/sotto/mechanism/internal/weight"
	"github.com/sotto-dp/sotto/progress"
)

// packingBuild is one attempt at one t.
type packingBuild struct {
	table    *embedding.Table
	d        *distances
	epsilon  float64
	effort   Effort
	limit    *limit
	done     *complete // the best channel that is certified
	bound    *float64  // the least on the unchanged rate found at t = epsilon
	compiled *File     // the header: no lifts yet
	law      *weight.Function
	swept    int // sweeps of all solves
}

// begin sets t and the scale of the weights. It returns false if rounding alone
// would cost more than epsilon.
func (b *packingBuild) begin(shrink float64) bool {
	spread := bits.Len(uint(b.table.Len()))
	scale := 62 - spread // a proposal needs the words' number times a weight below 2^62
	h := compiledHeader{Mechanism: mechanismName("packing"), Table: tableDigest(b.table), Epsilon: b.epsilon,
		ScaleBits: uint32(scale), FloorBits: uint32(max(weight.LeastFloorBits, scale-packingFloors-spread)),
		Words: uint32(b.table.Len())}
	b.compiled = &File{compiledHeader: h}
	probe := &weight.Function{Law: weigh.Law{FloorBits: int(h.FloorBits)}}
	// Two floors of one column differ by t d + slack at most: as much as epsilon d.
	b.compiled.T = min(shrink*b.epsilon, float64(b.epsilon*(1-1e-11))-probe.ProductSlack()/b.d.smallest)
	if b.compiled.T <= 0 {
		return false
	}
	b.law = b.compiled.law(b.table)
	return true
}

// floors makes the channel without lifts, scaled so that no row exceeds the total.
func (b *packingBuild) floors(ctx context.Context, a []float32) (*filling, []uint64, error) {
	d := b.d
	m := &packedChannel{table: b.table, law: b.law, compiled: b.compiled, base: make([]float64, b.table.Len())}
	f := &filling{d: d, floors: m, ratio: float32(b.compiled.T / b.epsilon), epsilon: b.epsilon}
	f.safe = float64(2*b.epsilon*d.rounding()) + float64(2*b.law.ProductSlack())
	largest := a[largestAt(a)]
	for i, v := range a {
		if v > leastBase*largest {
			m.base[d.words[i]] = float64(min(1, v))
			f.support = append(f.support, i)
		}
	}
	for {
		sums, err := f.rowSums(ctx)
		if err != nil {
			return nil, nil, err
		}
		most := uint64(0)
		for _, s := range sums {
			most = max(most, s)
		}
		if most <= m.total() {
			return f, sums, nil
		}
		scale := float64(m.total()) / float64(most) * (1 - 1e-6)
		for y := range m.base {
			m.base[y] = float64(float32(m.base[y] * scale))
		}
	}
}

func (b *packingBuild) progress(what string) progress.Func {
	return b.effort.Progress.Stage("packing: " + what)
}
