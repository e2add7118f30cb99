package metrics

import (
	"math"
	"math/bits"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/privacy"
)

// angular returns the angle between two vectors, in radians from 0 to pi. Each word
// gets the shortest integer vector in its direction, so that words of one direction
// have the same vector, and so the same row.
func angular(who string, table *embedding.Table) (Metric, error) {
	s := embedding.Source{Name: table.Name(), Dim: table.Dim(), Unknown: table.Word(table.Unknown())}
	var v []int64
	for x := range table.Len() {
		v = table.Steps(v[:0], embedding.ID(x))
		divisor := int64(0)
		for _, c := range v {
			divisor = gcd(divisor, c)
		}
		if divisor == 0 {
			return Metric{}, privacy.Wrong(who, parameterName, "a word has a zero vector, which makes no angle", "choose another metric")
		}
		s.Words = append(s.Words, table.Word(embedding.ID(x)))
		for _, c := range v {
			s.Vectors = append(s.Vectors, float32(c/divisor))
		}
	}
	directions, err := embedding.New(s)
	if err != nil {
		return Metric{}, err
	}
	squares := make([]uint64, table.Len()) // of the norms, in steps squared
	for x := range squares {
		for _, c := range directions.Steps(v[:0], embedding.ID(x)) {
			squares[x] += uint64(c * c)
		}
	}
	step := directions.Step()
	return Metric{Name: "angular", Table: directions, Most: math.Pi * (1 + 1e-6), rounding: warpedRounding,
		Warp: func(q float64, x, y embedding.ID) float64 {
			a := angle(squares[x], squares[y], uint64(q)) / step // exact: a power of two
			return float64(a * a)                                // whose square root is a again
		}}, nil
}

// angle returns the angle between two vectors of integers whose squared norms and
// squared difference are given, all below 2^53. With p their product, the sine
// times both norms is the root of |x|^2 |y|^2 - p^2, an exact integer: no digits
// cancel, even near 0 and pi. Every operation is rounded on its own, so the
// number is the same on every machine.
func angle(x, y, difference uint64) float64 {
	twice := int64(x+y) - int64(difference) // 2 p
	p := uint64(max(twice, -twice)) / 2
	high, low := bits.Mul64(x, y)
	both := math.Sqrt(float128(high, low))
	pHigh, pLow := bits.Mul64(p, p)
	low, borrow := bits.Sub64(low, pLow, 0)
	high, _ = bits.Sub64(high, pHigh, borrow) // not negative, by Cauchy and Schwarz
	across, along := math.Sqrt(float128(high, low)), float64(p)
	switch {
	case across > along && twice < 0:
		return math.Pi/2 + arc(along/both, -1)
	case across > along:
		return math.Pi/2 - arc(along/both, -1)
	case twice < 0:
		return math.Pi - arc(across/both, -1)
	}
	return arc(across/both, -1)
}

// float128 returns an integer of 128 bits, off by at most 2^-52 of it.
func float128(high, low uint64) float64 { return float64(float64(high)*0x1p64) + float64(low) }

// gcd returns the greatest common divisor of two integers, 0 for two zeros.
func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return max(a, -a)
}

// arc returns arsinh(y) where sign is 1, y >= 0, and arcsin(y) where it is -1,
// 0 <= y <= 1: the same number on every machine, since only exactly rounded
// operations are used and none is fused. Arguments are halved by arc(y) = 2
// arc(y/sqrt(2 (1 + sqrt(1 + sign y^2)))), then summed as a series. The
// relative error is below 2^-48 for arsinh up to 2^60 and for arcsin up to
// sqrt(1/2); nearer to 1 the arcsine's slope magnifies that of 1 - y^2.
func arc(y, sign float64) float64 {
	scale := 1.0
	for y > 0.125 {
		y /= math.Sqrt(2 * (1 + math.Sqrt(1+float64(sign*float64(y*y)))))
		scale *= 2
	}
	square := float64(y * y)
	term, sum := y, y
	for n := 1.0; n < 10; n++ {
		// Coefficients (2n-1)!!/((2n)!! (2n+1)), signs alternating for arsinh.
		term = -sign * float64(float64(term*square)*(2*n-1)/(2*n))
		sum += float64(term / (2*n + 1))
	}
	return scale * sum
}
