// Package interval bounds a probability from counts of draws (Clopper and
// Pearson 1934). Bounds are rounded outward, away from the observed share.
package interval

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// AtLeast returns a lower bound on the probability of an event that occurred in
// hits of n draws: the largest p for which hits or more have probability at most alpha. The
// bound exceeds the true probability for at most a fraction alpha of samples. alpha is in
// (0, 1), hits in [0, n], n positive.
func AtLeast(hits, n int, alpha float64) float64 {
	switch {
	case hits == 0 || !(alpha > leastAlpha):
		return 0
	case hits == n: // p^n = alpha
		return outward(math.Exp(math.Log(alpha)/float64(n)), -1)
	}
	a, b, alpha := float64(hits), float64(n-hits+1), strict(alpha, n)
	low, _ := turn(alpha/float64(2*n), func(p float64) bool { return mathext.RegIncBeta(a, b, p) <= alpha })
	return low
}

// AtMost returns the upper bound: the smallest p for which hits or fewer have
// probability at most alpha.
func AtMost(hits, n int, alpha float64) float64 {
	switch {
	case hits == n || !(alpha > leastAlpha):
		return 1
	case hits == 0: // (1-p)^n = alpha
		return outward(-math.Expm1(math.Log(alpha)/float64(n)), 1)
	}
	a, b, alpha := float64(n-hits), float64(hits+1), strict(alpha, n)
	_, high := turn((1-alpha)/float64(2*n), func(p float64) bool { return mathext.RegIncBeta(a, b, 1-p) > alpha })
	return high
}

// Bounds computes both bounds for n draws at one alpha and caches them: a search
// for an event asks for the same counts repeatedly. It is not safe for
// concurrent use.
type Bounds struct {
	n         int
	alpha     float64
	low, high map[int]float64
}

// NewBounds returns the bounds for n draws at alpha.
func NewBounds(n int, alpha float64) *Bounds {
	return &Bounds{n, alpha, map[int]float64{}, map[int]float64{}}
}

// Draws returns n.
func (b *Bounds) Draws() int { return b.n }

// AtLeast is [AtLeast] for hits of the n draws.
func (b *Bounds) AtLeast(hits int) float64 { return b.keep(b.low, AtLeast, hits) }

// AtMost is [AtMost] for hits of the n draws.
func (b *Bounds) AtMost(hits int) float64 { return b.keep(b.high, AtMost, hits) }

func (b *Bounds) keep(kept map[int]float64, bound func(int, int, float64) float64, hits int) float64 {
	p, ok := kept[hits]
	if !ok {
		p = bound(hits, b.n, b.alpha)
		kept[hits] = p
	}
	return p
}

// leastAlpha is the smallest tail that cannot be an underflow.
const leastAlpha = 1e-290

// strict returns alpha less the relative error of RegIncBeta, which grows with
// the factorials' logarithms. A test compares it with tails in 256 bits.
func strict(alpha float64, n int) float64 { return alpha * (1 - 1e-9 - 1e-14*float64(n)) }

// unusedBits of a float64's mantissa are 0 in every bound. On this coarse grid a
// bisection ends at the same point on machines whose logarithms differ in the
// last bit.
const unusedBits = 20

// turn returns the two neighbours on the grid between low and 1 where holds turns
// from true to false. It holds at low.
func turn(low float64, holds func(p float64) bool) (last, first float64) {
	l, h := math.Float64bits(low)>>unusedBits, math.Float64bits(1)>>unusedBits
	for h-l > 1 {
		m := l + (h-l)/2
		if holds(math.Float64frombits(m << unusedBits)) {
			l = m
		} else {
			h = m
		}
	}
	return math.Float64frombits(l << unusedBits), math.Float64frombits(h << unusedBits)
}

// outward moves p in (0, 1) down or up by one to two steps of the grid.
func outward(p float64, sign int) float64 {
	steps := math.Float64bits(p) >> unusedBits
	if sign < 0 {
		return math.Float64frombits((steps - 1) << unusedBits)
	}
	return min(1, math.Float64frombits((steps+2)<<unusedBits))
}
