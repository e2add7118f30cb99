package privacy

import (
	"math"
	"math/big"
	"testing"
)

func TestBoundsAreRoundedUp(t *testing.T) {
	for _, c := range []struct {
		x      float64
		digits int
		want   string
	}{
		{8, 6, "8"}, {0.1, 6, "0.1"}, {8 * (1 + 0x1p-50), 6, "8"}, {7.38905609893065, 4, "7.39"}, {89.37351, 6, "89.3736"},
		{9.9999991, 6, "10"}, {0.99999949, 6, "1"}, {1e-6, 3, "1e-06"}, {1.234e-6, 3, "1.24e-06"}, {123456.7, 4, "1.235e+05"},
	} {
		if got := Above(c.x, c.digits); got != c.want {
			t.Errorf("%v in %d digits is %s, want %s", c.x, c.digits, got, c.want)
		}
	}
}

func TestSumsAreRoundedUp(t *testing.T) {
	for _, loss := range []float64{0.1, 1.0 / 3, 14.1448168164294, MinEpsilon, 1e-18, 745} {
		for _, n := range []int{0, 1, 3, 7, 49, 1_000_003} {
			exact := new(big.Float).SetPrec(200).SetFloat64(loss)
			exact.Mul(exact, new(big.Float).SetInt64(int64(n)))
			if got := Times(loss, n); exact.Cmp(big.NewFloat(got)) > 0 || got > float64(n)*loss*(1+0x1p-52) {
				t.Errorf("%d times %v is %v", n, loss, got)
			}
		}
	}
	if !math.IsInf(Times(1e308, 2), 1) {
		t.Error("a sum that cannot be written is finite")
	}
}
