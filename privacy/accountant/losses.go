package accountant

import (
	"fmt"
	"math"

	"github.com/sotto-dp/sotto/privacy"
)

// Losses is a privacy loss distribution: for a pair (P, Q) of output
// distributions, the probability under P of each ln(P/Q). Losses are whole
// multiples of its step, in nats.
type Losses struct {
	step     float64
	lowest   int       // mass[i] is at (lowest+i) step
	mass     []float64 // under P
	infinite float64   // P's mass where Q has none
}

// TwoLevel returns the loss distribution of the worst pair of inputs of a
// two-level channel. Each row of the channel has a set of size outputs, each
// e^epsilon times as likely as an output outside the set. In the worst pair the
// two sets share as few outputs as possible; pairs that share more are a
// post-processing of it. The mechanism "response" has size 1.
func TwoLevel(epsilon float64, size, outputs int) (*Losses, error) {
	if err := (Use{Epsilon: epsilon}).check(); err != nil {
		return nil, err
	}
	if size < 1 || size > outputs {
		return nil, privacy.Bad("accountant", "size", size, fmt.Sprintf("1 to %d", outputs))
	}
	k, m := float64(size), float64(outputs)
	own := min(k, m-k)        // outputs in one set and not in the other
	low := math.Exp(-epsilon) // weight of an output outside, where one inside weighs 1
	z := k + (m-k)*low
	neither := max(0, m-2*k)*low + max(0, 2*k-m)
	return symmetric(epsilon, own/z, own*low/z, neither/z), nil
}

// symmetric returns a distribution with masses at epsilon, -epsilon and 0. The grid represents it exactly.
func symmetric(epsilon, top, bottom, none float64) *Losses {
	l := &Losses{step: epsilon, lowest: -1, mass: []float64{bottom, none, top}}
	return l.trim()
}

// trim cuts off the empty ends of the grid.
func (l *Losses) trim() *Losses {
	for len(l.mass) > 1 && l.mass[len(l.mass)-1] == 0 {
		l.mass = l.mass[:len(l.mass)-1]
	}
	for len(l.mass) > 1 && l.mass[0] == 0 {
		l.mass, l.lowest = l.mass[1:], l.lowest+1
	}
	return l
}

// Use is one use of a mechanism: a pure or an approximate claim, and what is
// known beyond it.
type Use struct {
	Epsilon, Delta float64
	// Losses, if not nil, is the loss distribution of a pair that dominates all
	// pairs of inputs, in both orders.
	Losses *Losses
	// GaussianRatio, if positive, means that the use is Gaussian noise whose standard
	// deviation is at least this many times the l2 sensitivity.
	GaussianRatio float64
}

func (u Use) check() error {
	if !(u.Epsilon > 0) || math.IsInf(u.Epsilon, 0) {
		return privacy.Bad("accountant", "epsilon", u.Epsilon, "positive and finite")
	}
	if !(u.Delta >= 0 && u.Delta < 1) {
		return privacy.Bad("accountant", "delta", u.Delta, "in [0, 1)")
	}
	return nil
}
