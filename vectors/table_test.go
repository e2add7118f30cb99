package vectors

import (
	"math"
	"testing"
)

func TestLengthsAreScaled(t *testing.T) {
	for _, v := range [][]float32{{1, 2, 3, 4}, {1e-6, 0, 0, 0}, {0, 0, 0, 0}} {
		zero := v[0] == 0
		scale(v, 2)
		total := 0.0
		for _, x := range v {
			total += float64(x) * float64(x)
		}
		if got := math.Sqrt(total / 2); zero && got != 0 || !zero && math.Abs(got-length) > 1e-5 {
			t.Errorf("%v: lengths of %g", v, got)
		}
	}
}
