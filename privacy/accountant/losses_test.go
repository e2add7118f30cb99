package accountant

import (
	"math"
	"testing"

	"github.com/sotto-dp/sotto/privacy"
	"pgregory.net/rapid"
)

func must(t interface{ Fatal(...any) }, l *Losses, err error) *Losses {
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestRandomisedResponseComposesToTheOptimalFormula(t *testing.T) {
	for _, n := range []int{1, 2, 7, 100, 1500} {
		for _, epsilon := range []float64{0.02, 0.5, 3} {
			for _, delta := range []float64{0, 1e-8} {
				exact := claimed(epsilon, delta)
				for _, share := range []float64{0, 0.03, 0.2, 0.55, 0.93} {
					total := share * float64(n) * epsilon
					want := optimalDelta(n, epsilon, delta, total)
					got, err := deltaOf(total, part{exact, n})
					if err != nil {
						t.Fatal(err)
					}
					if want > 1e-300 && (got < want*(1-1e-9) || got > want*(1+1e-6)) {
						t.Errorf("%d uses of (%g, %g) at %g: %.12g by transform, %.12g by formula", n, epsilon, delta, total, got, want)
					}
				}
			}
		}
	}
}

// A tilt affects how tight a bound is, never whether it holds, even where the
// transform's error exceeds the masses or beyond the window.
func TestEveryTiltBoundsTheTruth(t *testing.T) {
	for _, epsilon := range []float64{0.05, 1} {
		for _, n := range []int{40, 900} {
			parts := []part{{claimed(epsilon, 0), n}}
			for _, tilt := range []float64{0, 0.1, 0.5, 1, 3, 20} {
				total, err := convolve(parts, tilt)
				if err != nil {
					t.Fatal(err)
				}
				for at := range 200 {
					e := (float64(at) + 0.3) / 200 * float64(n) * epsilon
					got, want := total.delta(e), optimalDelta(n, epsilon, 0, e)
					if got < want*(1-1e-9) && want > 1e-290 {
						t.Errorf("%d uses of %g, tilt %g, at %g: delta %g, the truth is %g", n, epsilon, tilt, e, got, want)
					}
				}
			}
		}
	}
}

// Uses of Gaussian noise are one use of it at sqrt(n) times the sensitivity. The
// distribution does not use that: it adds up a grid. Each use's split between
// points of the grid adds at most step^2/4 to the variance of its loss, so ln
// delta gains at most about tilt^2 n step^2/8; the tilts here are at most 8
// (epsilon less the mean, over the variance), so that is below 4e-7.
func TestGaussianLossesComposeToOneGaussian(t *testing.T) {
	for _, c := range []struct {
		n       int
		ratio   float64
		step    float64
		epsilon []float64
	}{
		{1, 1, 2e-4, []float64{0, 0.5, 3, 6}},
		{4, 2, 1e-4, []float64{0.3, 2, 5}},
		{100, 20, 2e-5, []float64{0.05, 0.5, 2}},
	} {
		l, err := gaussianLosses(c.ratio, c.step)
		l = must(t, l, err)
		for _, epsilon := range c.epsilon {
			want := privacy.GaussianDelta(epsilon, c.ratio/math.Sqrt(float64(c.n)))
			got, err := deltaOf(epsilon, part{l, c.n})
			if err != nil {
				t.Fatal(err)
			}
			if got < want*(1-1e-11) || got > want*(1+1e-6) {
				t.Errorf("%d uses at ratio %g, epsilon %g: delta %.12g, one use has %.12g (relative %.3g)", c.n, c.ratio, epsilon, got, want, got/want-1)
			}
		}
	}
}

func TestGaussianEpsilonIsTheInverseOfTheAnalyticCurve(t *testing.T) {
	const n, ratio = 25, 12.0
	l, err := gaussianLosses(ratio, 5e-5)
	l = must(t, l, err)
	for _, delta := range []float64{1e-3, 1e-6, 1e-12} {
		got, err := epsilonOf(delta, part{l, n})
		if err != nil {
			t.Fatal(err)
		}
		want, _, err := Use{Epsilon: 50, GaussianRatio: ratio}.EpsilonOf(n, delta)
		if err != nil || got < want*(1-1e-10) || got > want*(1+1e-6) {
			t.Errorf("delta %g: epsilon %.12g, the analytic curve has %.12g (%v)", delta, got, want, err)
		}
	}
}

// One use of Laplace noise has delta 1 - e^((total-epsilon)/2); two have the
// integral of that over the first loss.
func TestLaplaceLossesAgreeWithTheClosedForm(t *testing.T) {
	const ratio = 0.8
	const epsilon = 1 / ratio
	l, err := laplaceLosses(ratio, 1e-4)
	l = must(t, l, err)
	one := func(total float64) float64 {
		switch {
		case total >= epsilon:
			return 0
		case total <= -epsilon:
			return -math.Expm1(total)
		}
		return -math.Expm1((total - epsilon) / 2)
	}
	two := func(total float64) float64 {
		const steps = 400_000
		h := 2 * epsilon / steps
		sum := one(total-epsilon)/2 + one(total+epsilon)*math.Exp(-epsilon)/2
		for i := range steps {
			loss := -epsilon + (float64(i)+0.5)*h
			sum += one(total-loss) * math.Exp((loss-epsilon)/2) / 4 * h
		}
		return sum
	}
	for _, total := range []float64{0, 0.1, 0.7, 1.2} {
		for n, want := range map[int]float64{1: one(total), 2: two(total)} {
			got, err := deltaOf(total, part{l, n})
			if err != nil || got < want*(1-1e-9) || got > want*(1+1e-6) {
				t.Errorf("%d uses at %g: delta %.10g, want %.10g (%v)", n, total, got, want, err)
			}
		}
	}
}

// enumerated returns the delta at epsilon of a product of pairs of rows, by
// enumerating every combination of outputs.
func enumerated(epsilon float64, pairs ...[2][]uint64) float64 {
	p, q := []float64{1}, []float64{1}
	for _, pair := range pairs {
		var sums [2]float64
		for k, row := range pair {
			for _, w := range row {
				sums[k] += float64(w)
			}
		}
		var np, nq []float64
		for i := range p {
			for y := range pair[0] {
				np = append(np, p[i]*float64(pair[0][y])/sums[0])
				nq = append(nq, q[i]*float64(pair[1][y])/sums[1])
			}
		}
		p, q = np, nq
	}
	delta := 0.0
	for i := range p {
		delta += max(0, p[i]-math.Exp(epsilon)*q[i])
	}
	return delta
}

func TestTwoLevelDominatesEveryPairOfRows(t *testing.T) {
	// Sets of 2 among 5 outputs, e^epsilon = 7: rows that share 1 or 0 outputs.
	rows := [][]uint64{{7, 7, 1, 1, 1}, {1, 7, 7, 1, 1}, {1, 1, 7, 7, 1}, {1, 1, 1, 7, 7}}
	l, err := TwoLevel(math.Log(7), 2, 5)
	l = must(t, l, err)
	attained := false
	for _, epsilon := range []float64{0, 0.5, 2, 4} {
		got, err := deltaOf(epsilon, part{l, 3})
		if err != nil {
			t.Fatal(err)
		}
		for a := range rows {
			for b := range rows {
				for c := range rows {
					truth := enumerated(epsilon, [2][]uint64{rows[0], rows[a]}, [2][]uint64{rows[1], rows[b]}, [2][]uint64{rows[3], rows[c]})
					if got < truth*(1-1e-12) {
						t.Errorf("epsilon %g: delta %g, rows against %d, %d, %d have %g", epsilon, got, a, b, c, truth)
					}
					attained = attained || truth > 0 && got < truth*(1+1e-9)
				}
			}
		}
	}
	if !attained {
		t.Error("no triple of pairs attains the bound")
	}
	// Sets of 4 among 5 must overlap: each lacks one output of the other.
	wide := [2][]uint64{{7, 7, 7, 7, 1}, {1, 7, 7, 7, 7}}
	overlapping, err := TwoLevel(math.Log(7), 4, 5)
	got, err2 := deltaOf(0.5, part{must(t, overlapping, err), 2})
	if truth := enumerated(0.5, wide, wide); err2 != nil || got < truth*(1-1e-12) || got > truth*(1+1e-9) {
		t.Errorf("sets that overlap: delta %g, want %g (%v)", got, truth, err2)
	}
	// A claim alone gives a larger figure than the two levels do.
	claim, err := deltaOf(2, part{must(t, l, nil), 3})
	if want := optimalDelta(3, math.Log(7), 0, 2); err != nil || !(claim < want) {
		t.Errorf("two levels have delta %g, the claim alone %g (%v)", claim, want, err)
	}
}

// The split of a loss moves it by at most step/2 in the mean square; n of them
// raise a curve whose slope in the loss is at most 1, and which may have a kink,
// by at most sqrt(n) step/4.
func TestConvolutionIsNeverBelowTheTruth(t *testing.T) {
	row := rapid.Custom(func(t *rapid.T) []uint64 {
		return rapid.SliceOfN(rapid.Uint64Range(1, 40), 3, 3).Draw(t, "weights")
	})
	rapid.Check(t, func(t *rapid.T) {
		a, b := [2][]uint64{row.Draw(t, "p"), row.Draw(t, "q")}, [2][]uint64{row.Draw(t, "r"), row.Draw(t, "s")}
		a[1][0] = rapid.SampledFrom([]uint64{0, 1, 9}).Draw(t, "perhaps never") // infinite losses too
		n, epsilon := rapid.IntRange(1, 4).Draw(t, "uses"), rapid.Float64Range(0, 4).Draw(t, "epsilon")
		const step = 5e-3
		la, err := rowLosses(a[0], a[1], step)
		la = must(t, la, err)
		lb, err := rowLosses(b[0], b[1], step)
		lb = must(t, lb, err)

		pairs := [][2][]uint64{b}
		last := 0.0
		for uses := 1; uses <= n; uses++ {
			pairs = append(pairs, a)
			truth := enumerated(epsilon, pairs...)
			got, err := deltaOf(epsilon, part{la, uses}, part{lb, 1})
			if err != nil {
				t.Fatal(err)
			}
			if got < truth*(1-1e-12) || got > truth+math.Sqrt(float64(uses+1))*step/4 {
				t.Fatalf("%d uses at %g: delta %.12g, enumerated %.12g", uses, epsilon, got, truth)
			}
			if got < last*(1-1e-6) {
				t.Fatalf("%d uses at %g: delta falls from %g to %g", uses, epsilon, last, got)
			}
			last = got
			back, err := epsilonOf(got, part{la, uses}, part{lb, 1})
			if err != nil {
				t.Fatal(err)
			}
			if got < 1 && got > 1e-12 && !(back <= epsilon*(1+1e-6)+1e-6) {
				t.Fatalf("delta %g: epsilon %g, must be about %g", got, back, epsilon)
			}
		}
	})
}

func TestGridsAreRefusedWhereTheyCannotServe(t *testing.T) {
	for name, make := range map[string]func() error{
		"coarse":       func() error { _, err := gaussianLosses(1, 0.2); return err },
		"fine":         func() error { _, err := laplaceLosses(1e-3, 1e-6); return err },
		"no step":      func() error { _, err := rowLosses([]uint64{1}, []uint64{1}, 0); return err },
		"not a number": func() error { _, err := gaussianLosses(math.NaN(), 1e-3); return err },
		"zeros":        func() error { _, err := rowLosses([]uint64{0}, []uint64{1}, 1e-3); return err },
		"lengths":      func() error { _, err := rowLosses([]uint64{1, 1}, []uint64{1}, 1e-3); return err },
		"set":          func() error { _, err := TwoLevel(1, 6, 5); return err },
		"two steps": func() error {
			_, err := deltaOf(1, part{claimed(1, 0), 1}, part{claimed(2, 0), 1})
			return err
		},
		"no parts": func() error { _, err := deltaOf(1); return err },
		"no uses":  func() error { _, err := epsilonOf(0.1, part{claimed(1, 0), 0}); return err },
	} {
		if make() == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}
