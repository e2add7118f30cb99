package audit

import (
	"math"
	"slices"

	"github.com/sotto-dp/sotto/internal/interval"
)

// An event is chosen on some draws and tested on others. To
// choose, outputs get a score; an event is "score above (or below) a
// threshold". A claim at distance d is contradicted by an event E where
//
//	P(E|input) > e^(epsilon d) P(E|neighbour) + delta.

// bar is the bound of a claim for one pair: the log ratio and delta.
type bar struct{ loss, delta float64 }

// cut is one event over scores.
type cut struct {
	threshold float64
	above     bool // score >= threshold, else score < threshold
}

func (c cut) holds(score float64) bool { return (score >= c.threshold) == c.above }

// evidence is what counts of an event show, at the alpha of its bounds.
type evidence struct {
	hits, misses int // of n draws of the input, and of n of the neighbour
	n            int
	// The event's probability is at least p for the input and at most q for the
	// neighbour; each bound fails with probability alpha.
	p, q float64
}

func weigh(hits, misses int, b *interval.Bounds) evidence {
	return evidence{hits, misses, b.Draws(), b.AtLeast(hits), b.AtMost(misses)}
}

// loss returns the log ratio shown at delta: at most the true loss, except with probability alpha.
func (e evidence) loss(delta float64) float64 {
	if e.p <= delta {
		return 0
	}
	return max(0, math.Log((e.p-delta)/e.q))
}

// delta returns the delta shown at a log ratio.
func (e evidence) delta(loss float64) float64 {
	return max(0, e.p-float64(math.Exp(loss)*e.q))
}

// contradicts reports whether the claim cannot hold.
func (e evidence) contradicts(b bar) bool { return e.p > float64(math.Exp(b.loss)*e.q)+b.delta }

// goal ranks the events tried on the choosing part.
type goal func(evidence) float64

// choose returns the event over scores with the largest goal on the choosing
// draws. It tries every threshold and both sides.
func choose(input, neighbour []float64, bounds *interval.Bounds, g goal) (cut, float64) {
	a, b := slices.Clone(input), slices.Clone(neighbour)
	slices.Sort(a)
	slices.Sort(b)
	best, value := cut{}, math.Inf(-1)
	try := func(c cut, hits, misses int) {
		if hits == 0 {
			return
		}
		if v := g(weigh(hits, misses, bounds)); v > value {
			best, value = c, v
		}
	}
	for _, t := range thresholds(a, b) {
		i, _ := slices.BinarySearch(a, t)
		j, _ := slices.BinarySearch(b, t)
		try(cut{t, true}, len(a)-i, len(b)-j)
		try(cut{t, false}, i, j)
	}
	return best, value
}

// thresholds returns at most about 200 values: quantiles of both samples, dense
// at the ends, and the ends themselves with the next number beyond them.
func thresholds(a, b []float64) []float64 {
	var out []float64
	for _, s := range [][]float64{a, b} {
		n := len(s)
		out = append(out, s[0], math.Nextafter(s[n-1], math.Inf(1)))
		for k := 1; k < n; k += 1 + k/4 {
			out = append(out, s[k], s[n-1-k])
		}
		for i := 1; i < 16; i++ {
			out = append(out, s[i*n/16])
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
