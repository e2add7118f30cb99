package privacy

import "math"

// Exp returns e^x for x <= 0, the same number on every machine: only exactly
// rounded operations in a fixed order, none of them fused (the conversions
// forbid it). Relative error below 2^-48 where the result is at least 2^-1000;
// smaller results are returned as 0.
//
// Weights made with math.Exp would differ in the last place between processors,
// and with them seeded draws and certificates.
func Exp(x float64) float64 {
	const (
		log2e = 1.44269504088896338700e+00
		ln2hi = 6.93147180369123816490e-01 // 33 significant bits: k*ln2hi is exact
		ln2lo = 1.90821492927058770002e-10
	)
	// x = (64 k + j) ln 2 / 64 + r, |r| <= ln 2 / 128: e^x = 2^k 2^(j/64) e^r.
	n := math.RoundToEven(float64(x * (64 * log2e)))
	if n < -64*1000 {
		return 0
	}
	r := float64(x-float64(n*(ln2hi/64))) - float64(n*(ln2lo/64))
	// r^7/7! is below 2^-60.
	sum := float64(1.0/720) * r
	for _, c := range [...]float64{1.0 / 120, 1.0 / 24, 1.0 / 6, 1.0 / 2, 1} {
		sum = float64((sum + c) * r)
	}
	k := int(n) >> 6
	root := roots[int(n)&63]
	// k is above -1024 here: the power of two is a normal number.
	return float64((root + float64(root*sum)) * math.Float64frombits(uint64(1023+k)<<52))
}

// roots holds 2^(j/64), rounded: square roots of square roots, which are exactly
// rounded everywhere, of 2 and of products of these.
var roots = func() (t [64]float64) {
	step := 2.0
	power := [6]float64{} // 2^(1/2), 2^(1/4), ... 2^(1/64)
	for i := range power {
		step = math.Sqrt(step)
		power[i] = step
	}
	for j := range t {
		t[j] = 1
		for bit := range 6 {
			if j>>(5-bit)&1 != 0 {
				t[j] = float64(t[j] * power[bit])
			}
		}
	}
	return t
}()
