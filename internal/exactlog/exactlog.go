// Package exactlog brackets logarithms of rational numbers by rational numbers: to verify that
// no loss is stated as less than it is, and to test the direction in which losses are rounded.
// It uses no floating point.
package exactlog

import "math/big"

// bits is the scale of the sums. A bracket is wider than 2^-bits by the number of terms.
const bits = 256

// Of returns two rational numbers below and above ln(p/q), for p >= q >= 1, less than 2^-200
// times 1 + ln(p/q) apart.
func Of(p, q *big.Int) (below, above *big.Rat) {
	n := 0
	x := new(big.Int).Set(p)
	y := new(big.Int).Set(q)
	for new(big.Int).Lsh(y, 1).Cmp(x) <= 0 {
		y.Lsh(y, 1)
		n++
	}
	// ln(p/q) = n ln 2 + ln(x/y), 1 <= x/y < 2, and ln(x/y) = 2 atanh((x-y)/(x+y)).
	low, high := twiceAtanh(new(big.Int).Sub(x, y), new(big.Int).Add(x, y))
	low2, high2 := twiceAtanh(big.NewInt(1), big.NewInt(3)) // ln 2
	times := big.NewInt(int64(n))
	low.Add(low, low2.Mul(low2, times))
	high.Add(high, high2.Mul(high2, times))
	one := new(big.Int).Lsh(big.NewInt(1), bits)
	return new(big.Rat).SetFrac(low, one), new(big.Rat).SetFrac(high, one)
}

// twiceAtanh returns bounds of 2 atanh(a/b) times 2^bits, for 0 <= a/b <= 1/3: the sum of
// 2 z^(2i+1)/(2i+1), every term of which is rounded down for the one and up for the other.
func twiceAtanh(a, b *big.Int) (low, high *big.Int) {
	low, high = new(big.Int), new(big.Int)
	aa, bb := new(big.Int).Mul(a, a), new(big.Int).Mul(b, b)
	down := new(big.Int).Quo(new(big.Int).Lsh(a, bits+1), b) // 2 z^(2i+1), rounded down
	up := quoUp(new(big.Int).Lsh(a, bits+1), b)
	const terms = 90 // (1/3)^(2*90) is below 2^-285
	for i := range int64(terms) {
		of := big.NewInt(2*i + 1)
		low.Add(low, new(big.Int).Quo(down, of))
		high.Add(high, quoUp(up, of))
		down.Quo(down.Mul(down, aa), bb)
		up = quoUp(up.Mul(up, aa), bb)
	}
	// What is left out is less than its first term times 1/(1 - z^2) <= 9/8.
	return low, high.Add(high, up.Lsh(up, 1))
}

// quoUp returns a/b, rounded up.
func quoUp(a, b *big.Int) *big.Int {
	q, rest := new(big.Int).QuoRem(a, b, new(big.Int))
	if rest.Sign() != 0 {
		q.Add(q, big.NewInt(1))
	}
	return q
}
