package exactlog

import (
	"math"
	"math/big"
	"testing"
)

// The brackets contain logarithms whose digits are known, are narrow, and agree with sums:
// ln(pr/qs) = ln(p/q) + ln(r/s).
func TestBracketsContainTheLogarithm(t *testing.T) {
	known := map[[2]int64]string{ // OEIS A002162, A002391, A002392
		{2, 1}:  "0.693147180559945309417232121458176568075500134360255254120680009493393621969694715605863326996418687",
		{3, 1}:  "1.098612288668109691395245236922525704647490557822749451734694333637494293218608966873615754813732089",
		{10, 1}: "2.302585092994045684017991454684364207601101488628772976033327900967572609677352480235997205089598298",
	}
	for pq, digits := range known {
		low, high := Of(big.NewInt(pq[0]), big.NewInt(pq[1]))
		want, ok := new(big.Rat).SetString(digits)
		if !ok {
			t.Fatal(digits)
		}
		off := new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Lsh(big.NewInt(1), 200)) // the digits end
		if new(big.Rat).Sub(low, off).Cmp(want) > 0 || new(big.Rat).Add(high, off).Cmp(want) < 0 {
			t.Errorf("ln(%d/%d) is not in its bracket", pq[0], pq[1])
		}
	}
	for _, pq := range [][2]int64{{1, 1}, {math.MaxInt64, math.MaxInt64 - 1}, {1<<62 + 1, 1 << 12}, {7, 5}, {999_999, 1}} {
		p, q := big.NewInt(pq[0]), big.NewInt(pq[1])
		low, high := Of(p, q)
		width, _ := new(big.Rat).Sub(high, low).Float64()
		at, _ := low.Float64()
		if low.Cmp(high) > 0 || width > math.Ldexp(1+at, -200) || math.Abs(at-math.Log(float64(pq[0])/float64(pq[1]))) > 1e-12*(1+at) {
			t.Errorf("ln(%d/%d): from %v, %v wide", pq[0], pq[1], at, width)
		}
		low2, high2 := Of(new(big.Int).Mul(p, big.NewInt(5)), new(big.Int).Mul(q, big.NewInt(3)))
		lowOf, highOf := Of(big.NewInt(5), big.NewInt(3))
		if new(big.Rat).Add(low, lowOf).Cmp(high2) > 0 || new(big.Rat).Add(high, highOf).Cmp(low2) < 0 {
			t.Errorf("ln(%d/%d) and ln(5/3) do not add up", pq[0], pq[1])
		}
	}
}
