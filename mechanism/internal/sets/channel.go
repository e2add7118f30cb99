// Package sets builds two-level channels over a public list of items, the
// codebook: the k items of an input's public set have one probability each, all
// other items a smaller one.
//
// [Channel] is that channel for inputs of any kind. [Words] is the channel from a
// table's words to its words, whose sets are the nearest words (see [Nearest]).
package sets

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/sotto-dp/sotto/internal/elementary"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/noise"
	"github.com/sotto-dp/sotto/privacy"
)

// Rule chooses the set of an input among the items of a codebook.
type Rule[X any] interface {
	// Set returns the set of x: exactly k items for every x. It depends on public
	// data and x only: no clock, no other input, no mutable state. A rule that
	// chooses badly costs utility. A rule that breaks this contract breaks the
	// guarantee, so a set of another size is returned with an error, and nothing is
	// drawn from it.
	Set(x X) (Set, error)
}

// Rows are the rows of a channel:
//
//	P(y|x) = high/total for y in the set of x, low/total otherwise,
//	total = k high + (m - k) low,
//
// for a codebook of m items and sets of k. The total is the same for every input,
// so every ratio of two rows is at most high/low <= e^epsilon for all inputs. The
// proof uses nothing else about the sets.
type Rows struct {
	items     uint64 // m
	size      uint64 // k
	epsilon   float64
	high, low uint64 // weights
	// A draw is a member of the set with probability k(high-low)/total, else any of
	// the m items, those of the set included.
	lift, total uint64
}

// NewRows computes the integer weights of rows over m items with sets of k: low
// = 2^s, high = floor(2^s e^epsilon). Errors name the member who.
func NewRows(who string, m, k int, epsilon float64) (Rows, error) {
	s := 32
	for ; s >= 12; s-- {
		if sum := (float64(k)/elementary.Exp(-epsilon) + float64(m)) * math.Ldexp(1, s); sum < math.Ldexp(1, 62) {
			break
		}
	}
	if s < 12 {
		most := math.Floor(100*math.Log((math.Ldexp(1, 50)-float64(m))/float64(k))) / 100
		return Rows{}, privacy.Bad(who, "epsilon", epsilon, fmt.Sprintf("at most %g for sets of %d among %d outputs", most, k, m))
	}
	c := Rows{items: uint64(m), size: uint64(k), epsilon: epsilon, low: 1 << s}
	// e^epsilon from below: the relative error of Exp and of one division is below 2^-47.
	c.high = uint64(math.Ldexp(1/elementary.Exp(-epsilon)*(1-math.Ldexp(1, -47)), s))
	c.high = max(c.high, c.low)
	c.lift = c.size * (c.high - c.low)
	c.total = c.lift + c.items*c.low
	return c, nil
}

// Total returns the sum of every row of weights.
func (c *Rows) Total() uint64 { return c.total }

// Levels returns the two probabilities of a row, and its two weights.
func (c *Rows) Levels() mechanism.Levels {
	return mechanism.Levels{Inside: float64(c.high) / float64(c.total), Outside: float64(c.low) / float64(c.total),
		Size: int(c.size), Outputs: int(c.items), High: c.high, Low: c.low}
}

// Lift returns the probability that a draw is from the set of its input and not from the
// whole codebook.
func (c *Rows) Lift() float64 { return float64(c.lift) / float64(c.total) }

// Pure returns the largest loss over all pairs of inputs, rounded up. Two inputs
// with different sets lose at least attained.
func (c *Rows) Pure() (attained, most float64) {
	pure := math.Log(float64(c.high) / float64(c.low))
	return pure * (1 - 1e-14), math.Min(c.epsilon, pure*(1+1e-14))
}

// Channel is a channel of [Rows] with the sets of a rule.
type Channel[X any] struct {
	Rows
	rule Rule[X]
}

// New returns the channel of a rule over m items with sets of k. Errors name
// the member who.
func New[X any](who string, m, k int, epsilon float64, rule Rule[X]) (*Channel[X], error) {
	rows, err := NewRows(who, m, k, epsilon)
	if err != nil {
		return nil, err
	}
	return &Channel[X]{rows, rule}, nil
}

// Draw returns one item for x. It computes the set of x only if the draw needs it.
func (c *Channel[X]) Draw(x X, rng rand.Source) (uint32, error) {
	if !noise.Bernoulli(rng, c.lift, c.total) {
		return uint32(noise.Below(rng, c.items)), nil
	}
	set, err := c.rule.Set(x)
	if err != nil {
		return 0, err
	}
	return set.draw(c.size, c.items, rng), nil
}
