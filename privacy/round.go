package privacy

import (
	"math"
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
