// Package weight computes integer weights of a table's words as a function of distance.
package weight

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/simd/weigh"
	"github.com/sotto-dp/sotto/privacy"
)

// Function is the integer weight of an output as a function of its distance to the
// input: floor(2^ScaleBits e^(-T min(d, Gamma))), at least 2^FloorBits. One
// scale serves all rows, and the floor is the same for all rows, so each column
// of the channel stays T-Lipschitz in its logarithm up to the slack.
type Function struct {
	weigh.Law
	// byQ holds the weight of every squared distance below its length, for
	// tables on an int8 grid.
	byQ    []uint64
	beyond uint64 // the weight beyond byQ, where Gamma ends it; 0 otherwise
	falls  bool   // see Falls
}

const (
	mostFloorBits  = 20
	LeastFloorBits = 12
	MostEntries    = 1 << 22 // of byQ: 32 MiB
)

// New fits scale and floor: row sums stay below 2^62, and the floor takes the
// bits that the range of e^(-t d) leaves. diameter bounds the table's distances.
// gamma may be +Inf; if the range needs more bits than there are, distances
// beyond Gamma weigh the same, which truncates as TEM does.
func New(who string, table *embedding.Table, t, gamma, diameter float64) (*Function, error) {
	l := &Function{Law: weigh.Law{T: t, Gamma: gamma, Step: table.Step()}}
	l.ScaleBits = 62 - bits.Len(uint(table.Len()))
	reach := min(gamma, diameter)
	need := int(min(1<<40, math.Ceil(t*reach/math.Ln2)))
	l.FloorBits = min(mostFloorBits, max(LeastFloorBits, l.ScaleBits-need))
	if room := float64(l.ScaleBits-l.FloorBits) * math.Ln2; t*reach > room {
		if !math.IsInf(gamma, 1) {
			return nil, privacy.Wrong(who, "gamma", fmt.Sprintf("at %v weights of %d words need %d bits, and %d fit",
				gamma, table.Len(), need+l.FloorBits, l.ScaleBits), "choose a smaller gamma, fewer words or a larger beta")
		}
		l.Gamma = room / t
	}
	return l, nil
}

// Tabulate fills byQ for a table whose squared distances are below 2^24.
func (l *Function) Tabulate(largestQ int) {
	n := largestQ + 1
	if g := l.Gamma / l.Step; float64(g*g)+2 < float64(min(n, MostEntries)) {
		n, l.beyond = int(g*g)+2, l.Exact(l.Gamma)
	}
	l.byQ = make([]uint64, min(n, MostEntries))
	qs := make([]float64, 4096)
	for at := 0; at < len(l.byQ); at += len(qs) {
		part := l.byQ[at:min(at+len(qs), len(l.byQ))]
		for i := range part {
			qs[i] = float64(at + i)
		}
		l.Fill(part, qs[:len(part)])
	}
	l.falls = slices.IsSortedFunc(l.byQ, func(a, b uint64) int { return cmp.Compare(b, a) }) && l.beyond <= l.byQ[len(l.byQ)-1]
}

// Falls returns the largest squared distance up to which weights are verified not to
// increase with distance. ok is false if nothing was verified.
func (l *Function) Falls() (most uint32, ok bool) {
	if l.falls && l.beyond != 0 {
		return math.MaxUint32, true
	}
	return uint32(len(l.byQ) - 1), l.falls
}

// Tabulated reports whether the weights of integer squared distances are in a table.
func (l *Function) Tabulated() bool { return l.byQ != nil }

// Of32 returns the weight at squared distance q of a table on an int8 grid.
func (l *Function) Of32(q uint32) uint64 {
	if int(q) < len(l.byQ) {
		return l.byQ[q]
	}
	if l.beyond != 0 {
		return l.beyond
	}
	return l.At(float64(q))
}

// Fill32 writes the weights at squared distances q of a table on an int8 grid.
func (l *Function) Fill32(dst []uint64, q []uint32) {
	if weigh.Fast() {
		l.Law.Fill32(dst, q) // a table of all weights would not fit the caches
		return
	}
	for i, v := range q {
		dst[i] = l.Of32(v)
	}
}

// Slack bounds what flooring adds to a log ratio of two weights, and covers the
// rounding of the logarithms and exponentials themselves (below 2^-40).
func (l *Function) Slack() float64 { return math.Ldexp(1, 1-l.FloorBits) }

// Times returns weight w times a base measure's factor f in [0, 1]: 0 if f is
// 0, and at least the floor otherwise, for every input. It floors once more,
// which adds the same slack again (see ProductSlack).
func (l *Function) Times(f float64, w uint64) uint64 {
	if f == 0 {
		return 0
	}
	return max(uint64(float64(f*float64(w))), 1<<l.FloorBits)
}

// ProductSlack bounds what flooring adds to a log ratio of two products of one
// factor: each is off by at most 2^-FloorBits twice, 2^-52 for its rounding, and
// the exponential's own error.
func (l *Function) ProductSlack() float64 { return 2 * l.Slack() }
