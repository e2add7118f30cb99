package privacy

import (
	"math"
	"math/big"
	"strconv"
)

// Above formats a bound with this many significant digits, rounded up, because "at most x"
// must stay true. A part in 10^9 is ignored as rounding of the computation.
func Above(x float64, digits int) string {
	text := strconv.FormatFloat(x, 'g', digits, 64)
	if near, err := strconv.ParseFloat(text, 64); err == nil && near < x*(1-1e-9) {
		text = strconv.FormatFloat(near+math.Pow10(int(math.Floor(math.Log10(x)))+1-digits), 'g', digits, 64)
	}
	return text
}

// Times returns the sum of n equal losses, rounded up; infinite if it cannot be written.
func Times(loss float64, n int) float64 {
	times := float64(n)
	if times < 1<<63 && int64(times) < int64(n) { // above 2^53 not every number can be written
		times = math.Nextafter(times, math.Inf(1))
	}
	sum := loss * times
	if math.FMA(loss, times, -sum) > 0 {
		sum = math.Nextafter(sum, math.Inf(1))
	}
	return sum
}

// Share returns the largest loss of which n together do not exceed the given one.
func Share(loss float64, n int) float64 {
	exact := func(x float64) *big.Float { return new(big.Float).SetPrec(128).SetFloat64(x) }
	if math.IsNaN(loss) || math.IsInf(loss, 0) {
		return loss
	}
	e := loss / float64(n)
	for exact(e).Mul(exact(e), exact(float64(n))).Cmp(exact(loss)) > 0 {
		e = math.Nextafter(e, 0)
	}
	return e
}
