package interval

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestClopperPearsonIsExact(t *testing.T) {
	// No hit in n: the upper bound solves (1-q)^n = alpha.
	if got, want := AtMost(0, 100, 0.01), 1-math.Pow(0.01, 0.01); math.Abs(got-want) > 1e-12 {
		t.Errorf("upper bound %g, want %g", got, want)
	}
	if got, want := AtLeast(100, 100, 0.01), math.Pow(0.01, 0.01); math.Abs(got-want) > 1e-12 {
		t.Errorf("lower bound %g, want %g", got, want)
	}
	if AtLeast(0, 10, 0.01) != 0 || AtMost(10, 10, 0.01) != 1 {
		t.Error("nothing seen bounds nothing")
	}
	// The coverage at alpha = 0.05, summed over the binomial, is at least 0.95.
	for _, p := range []float64{0.01, 0.3, 0.77} {
		const n = 40
		missLow, missHigh := 0.0, 0.0
		for k := range n + 1 {
			logs, _ := math.Lgamma(n + 1)
			a, _ := math.Lgamma(float64(k) + 1)
			b, _ := math.Lgamma(float64(n-k) + 1)
			mass := math.Exp(logs - a - b + float64(k)*math.Log(p) + float64(n-k)*math.Log1p(-p))
			if AtLeast(k, n, 0.05) > p {
				missLow += mass
			}
			if AtMost(k, n, 0.05) < p {
				missHigh += mass
			}
		}
		if missLow > 0.05 || missHigh > 0.05 {
			t.Errorf("chance %g is missed with chance %g and %g, want at most 0.05", p, missLow, missHigh)
		}
	}
}

func TestTheTwoSidedIntervalIsExact(t *testing.T) {
	binomial := func(hits, n int, alpha float64) [2]float64 {
		return [2]float64{AtLeast(hits, n, alpha/2), AtMost(hits, n, alpha/2)}
	}
	// No hit of n: the upper bound u has (1-u)^n = alpha/2.
	got := binomial(0, 100, 0.01)
	if want := 1 - math.Pow(0.005, 0.01); got[0] != 0 || !(math.Abs(got[1]-want) < 1e-9) {
		t.Errorf("interval %v, want [0, %g]", got, want)
	}
	// Coverage at p = 0.3 from 300 samples of 200: an interval of 99 % misses more
	// than 15 times with a chance below 1e-6 (binomial tail).
	rng, missed := rand.New(rand.NewPCG(3, 4)), 0
	for range 300 {
		hits := 0
		for range 200 {
			if rng.Float64() < 0.3 {
				hits++
			}
		}
		if in := binomial(hits, 200, 0.01); in[0] > 0.3 || in[1] < 0.3 {
			missed++
		}
	}
	if missed > 15 {
		t.Errorf("%d of 300 intervals miss the truth", missed)
	}
}
