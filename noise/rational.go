package noise

import (
	"math/big"
	"math/bits"
	"math/rand/v2"
	"sync"
)

// The samplers of this file are for noise whose time others may measure. Their
// probabilities are exact, and their time does not depend on the value drawn, except for
// events of chance 2^-128 each.

// maxRatio bounds the terms of a rate.
const maxRatio = 1 << 56

// Laplace draws integers k with probability proportional to e^(-|k| rate), exactly. It may
// be used by several goroutines at once, each with a source of its own.
type Laplace struct {
	digits []threshold // of the binary digits of a geometric number
	more   threshold   // that it has more digits: below 2^-128
}

// NewLaplace returns the noise of rate num/den; num and den are 1 to 2^56. Adding it to a
// count that one record changes by 1 loses exactly num/den.
//
// A draw is the difference of two geometric numbers, each k >= 0 with probability
// (1 - r) r^k, r = e^-rate. The binary digits of such a number are independent: digit i is
// 1 with probability r^(2^i)/(1 + r^(2^i)), because the product of 1 + r^(2^i) for i < n is
// (1 - r^(2^n))/(1 - r). A fixed number of digits is drawn, whatever they are.
func NewLaplace(num, den uint64) *Laplace {
	if num < 1 || num > maxRatio || den < 1 || den > maxRatio {
		panic("noise: a rate with a term out of 1 to 2^56")
	}
	x := new(big.Rat).SetFrac(new(big.Int).SetUint64(num), new(big.Int).SetUint64(den))
	two, l := new(big.Rat).SetInt64(2), &Laplace{}
	for x.Cmp(new(big.Rat).SetInt64(width)) < 0 {
		l.digits = append(l.digits, newThreshold(new(big.Rat).Set(x), true))
		x = new(big.Rat).Mul(x, two)
	}
	l.more = newThreshold(x, false)
	return l
}

// Draw returns the next integer.
func (l *Laplace) Draw(src rand.Source) int64 {
	plus, minus := l.geometric(src), l.geometric(src)
	return int64(plus) - int64(minus)
}

func (l *Laplace) geometric(src rand.Source) (k uint64) {
	for i := range l.digits {
		k |= l.digits[i].draw(src) << i
	}
	for l.more.draw(src) == 1 { // without memory: as many again, and more
		k += 1 << len(l.digits)
	}
	return k
}

// Words returns how many words of its source a draw reads, except for events of chance 2^-128.
func (l *Laplace) Words() int { return 2 * 2 * (len(l.digits) + 1) }

// Gaussian draws integers k with probability proportional to e^(-k^2/(2 variance)),
// exactly. It may be used by several goroutines at once, each with a source of its own.
type Gaussian struct {
	variance, t uint64
	proposal    *Laplace
	below       [3]uint64   // 2 variance t^2 2^top
	events      []threshold // of probability e^-(2^j), j from top to bottom
}

// NewGaussian returns the noise whose parameter sigma^2 is variance, 1 to 2^60.
//
// Canonne, Kamath and Steinke 2020, "The discrete Gaussian for differential privacy",
// Algorithm 3: a discrete Laplace number k of scale t = floor(sigma) + 1 is kept with
// probability e^-g, g = (|k| t - sigma^2)^2 / (2 sigma^2 t^2); else another is drawn. All
// attempts take the same time, and their number reveals nothing about the number that is kept.
func NewGaussian(variance uint64) *Gaussian {
	if variance < 1 || variance > 1<<60 {
		panic("noise: a variance out of 1 to 2^60")
	}
	t := new(big.Int).Sqrt(new(big.Int).SetUint64(variance)).Uint64() + 1
	g := &Gaussian{variance: variance, t: t, proposal: NewLaplace(1, t), events: keeping()}
	below := g.bound()
	below.Lsh(below, top)
	for i := range g.below {
		g.below[i] = lowest(new(big.Int).Rsh(below, uint(64*i)))
	}
	return g
}

// bound returns 2 sigma^2 t^2, below 2^122.
func (g *Gaussian) bound() *big.Int {
	t := new(big.Int).SetUint64(g.t)
	t.Mul(t, t)
	return t.Lsh(t.Mul(t, new(big.Int).SetUint64(g.variance)), 1)
}

// Places of the digits of g. A proposal is at most 2^9 t, except for a chance below 2^-128, and
// t^2 is at most 4 sigma^2: g is below 2^20.
const (
	top    = 19
	bottom = -width
)

// keeping are the events of probability e^-(2^j), for j from top to bottom.
var keeping = sync.OnceValue(func() []threshold {
	events := make([]threshold, top-bottom+1)
	for i := range events {
		x := new(big.Rat).SetInt64(1)
		if j := top - i; j >= 0 {
			x.SetInt64(1 << j)
		} else {
			x.SetFrac(big.NewInt(1), new(big.Int).Lsh(big.NewInt(1), uint(-j)))
		}
		events[i] = newThreshold(x, false)
	}
	return events
})

// Draw returns the next integer.
func (g *Gaussian) Draw(src rand.Source) int64 {
	for {
		k := g.proposal.Draw(src)
		size := uint64((k ^ k>>63) - k>>63) // |k|, without a branch
		if g.kept(src, size) == 1 {
			return k
		}
	}
}

// kept returns 1 with probability e^-g. That is the product over the binary digits of g of
// e^-(2^j), and of what is behind the last one: each event is drawn, and counts where the
// digit is 1.
func (g *Gaussian) kept(src rand.Source, size uint64) uint64 {
	if size > 1<<9*g.t { // a chance below 2^-128
		return g.rarely(src, size)
	}
	rest, passes := g.above(size), uint64(1)
	for i := range g.events {
		var less uint64
		var next [3]uint64
		next[0], less = bits.Sub64(rest[0], g.below[0], 0)
		next[1], less = bits.Sub64(rest[1], g.below[1], less)
		next[2], less = bits.Sub64(rest[2], g.below[2], less)
		digit := 1 - less
		for j := range rest {
			rest[j] ^= (rest[j] ^ next[j]) & -digit
		}
		rest[2], rest[1], rest[0] = rest[2]<<1|rest[1]>>63, rest[1]<<1|rest[0]>>63, rest[0]<<1
		passes &= g.events[i].draw(src) | less
	}
	// The rest is below 2^bottom: its event fails with a chance below 2^-128.
	if high, low := next(src), next(src); high&low == 1<<64-1 {
		return passes & g.last(src, rest)
	}
	return passes
}

// above returns (size t - sigma^2)^2, below 2^140.
func (g *Gaussian) above(size uint64) [3]uint64 {
	high, low := bits.Mul64(size, g.t)
	low, borrow := bits.Sub64(low, g.variance, 0)
	high, borrow = bits.Sub64(high, 0, borrow)
	low, carry := bits.Add64(low^-borrow, borrow, 0) // the absolute value
	return squared((high^-borrow)+carry, low)
}

// rarely is kept for numbers that are hardly ever proposed.
func (g *Gaussian) rarely(src rand.Source, size uint64) uint64 {
	event := newThreshold(g.exponent(size), false)
	return event.draw(src)
}

// exponent returns g as a fraction.
func (g *Gaussian) exponent(size uint64) *big.Rat {
	num := new(big.Int).SetUint64(size)
	num.Mul(num, new(big.Int).SetUint64(g.t))
	num.Sub(num, new(big.Int).SetUint64(g.variance))
	return new(big.Rat).SetFrac(num.Mul(num, num), g.bound())
}

// last draws the event of what is behind the last digit of g, where its first 128 bits are
// 1. The rest is in units of 2^(bottom-1) of the bound at the top.
func (g *Gaussian) last(src rand.Source, rest [3]uint64) uint64 {
	num, den := whole(rest), whole(g.below)
	if num.Sign() == 0 {
		return 1
	}
	event := threshold{x: new(big.Rat).SetFrac(num, den.Lsh(den, 1-bottom))}
	return event.further(src)
}

func whole(words [3]uint64) *big.Int {
	n := new(big.Int)
	for i := range words {
		n.Or(n.Lsh(n, 64), new(big.Int).SetUint64(words[len(words)-1-i]))
	}
	return n
}

// squared returns the square of a number below 2^96.
func squared(high, low uint64) (s [3]uint64) {
	carry, least := bits.Mul64(low, low)
	over, middle := bits.Mul64(high, low)
	s[0] = least
	for range 2 {
		var c uint64
		carry, c = bits.Add64(carry, middle, 0)
		s[2] += over + c
	}
	s[1], s[2] = carry, s[2]+high*high
	return s
}
