package noise

import (
	"math/big"
	"math/bits"
	"math/rand/v2"
)

// threshold is an event of a fixed probability p that takes the same time whether it
// happens or not: 128 random bits are compared with those of p. Where all 128 are equal,
// which has chance 2^-128, more are drawn until one differs. So p is exact, and so is its
// complement.
type threshold struct {
	high, low uint64   // floor(2^128 p)
	x         *big.Rat // p is e^-x, or
	odd       bool     // e^-x / (1 + e^-x)
}

// width is the number of bits that are compared at once.
const width = 128

func newThreshold(x *big.Rat, odd bool) threshold {
	p := digits(x, odd, width)
	return threshold{lowest(new(big.Int).Rsh(p, 64)), lowest(p), x, odd}
}

// lowest returns the lowest 64 bits.
func lowest(n *big.Int) uint64 { return new(big.Int).And(n, new(big.Int).SetUint64(1<<64-1)).Uint64() }

// draw returns 1 with probability p, else 0.
func (t *threshold) draw(src rand.Source) uint64 {
	high, low := next(src), next(src)
	if high == t.high && low == t.low {
		return t.further(src)
	}
	_, less := bits.Sub64(low, t.low, 0)
	_, less = bits.Sub64(high, t.high, less)
	return less
}

// further draws where the first bits are those of p.
func (t *threshold) further(src rand.Source) uint64 {
	for length := uint(width + 64); ; length += 64 {
		digit := lowest(digits(t.x, t.odd, length))
		if word := next(src); word != digit {
			_, less := bits.Sub64(word, digit, 0)
			return less
		}
	}
}

// digits returns floor(2^length p) for the p of a threshold. For a rational x other than 0,
// e^-x is transcendental, so bounds that are close enough agree.
func digits(x *big.Rat, odd bool, length uint) *big.Int {
	if x.Cmp(new(big.Rat).SetUint64(uint64(length))) >= 0 { // e^-x is below 2^-length
		return new(big.Int)
	}
	for precision := length + 64; ; precision *= 2 {
		low, high := expBounds(x, precision)
		for _, e := range []*big.Int{low, high} {
			below := new(big.Int).Lsh(big.NewInt(1), precision)
			if odd {
				below.Add(below, e)
			}
			e.Quo(e.Lsh(e, length), below)
		}
		if low.Cmp(high) == 0 {
			return low
		}
	}
}

// expBounds returns whole numbers below and above 2^precision e^-x, x >= 0.
func expBounds(x *big.Rat, precision uint) (low, high *big.Int) {
	whole := new(big.Int).Quo(x.Num(), x.Denom())
	halvings := uint(whole.BitLen()) + 8
	extra := halvings + 40
	unit := new(big.Int).Lsh(big.NewInt(1), precision+extra)
	y := new(big.Int).Mul(x.Num(), unit) // x/2^halvings, below 2^-8, rounded down
	y.Quo(y, new(big.Int).Lsh(x.Denom(), halvings))
	term, n := new(big.Int).Set(unit), int64(0)
	low = new(big.Int).Set(unit)
	for term.Sign() > 0 {
		n++
		term.Quo(term.Mul(term, y), new(big.Int).Mul(unit, big.NewInt(n)))
		low.Add(low, term)
	}
	// Each term is short of its value by less than 2, the rest is below 1, y is short by 1.
	high = new(big.Int).Add(low, big.NewInt(4*n+4))
	one := big.NewInt(1)
	for range halvings {
		low.Quo(low.Mul(low, low), unit)
		high.Add(high.Quo(high.Mul(high, high), unit), one)
	}
	square := new(big.Int).Mul(unit, unit)
	low, high = new(big.Int).Quo(square, high), new(big.Int).Quo(square, low)
	high.Add(high, one)
	return low.Rsh(low, extra), high.Add(high.Rsh(high, extra), one)
}
