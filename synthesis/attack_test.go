package synthesis

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/internal/testseed"
	"github.com/sotto-dp/sotto/privacy/accountant"
)

// In these tests an attack finds more than the true loss with chance alarm at most. One
// that finds too little is made again, attempts times in all.
//
// A test fails falsely where a row finds too much in one attempt, or too little in all.
// The first has chance attempts alarm = 1.8e-8 at most for each of ten rows. As to the
// second, 30 runs of each row found enough, all of them. So one attempt finds too little
// with a chance below 0.37: else these runs had a chance below 0.63^30 = 1e-6. All attempts
// do with 0.37^18 = 2e-8. The ten rows together fail with a chance below 4e-7.
//
// At every change four rows run, on a third of the releases. Of these, the row of users and
// Gaussian noise finds too little most often: its bound of mu, 0.53, has a standard deviation
// of 0.04 (the square root of 2/1667) and is above the 0.50 that half the claim needs, so with a chance near 0.2.
const (
	alarm    = 1e-9
	attempts = 18
)

// attack returns the first attempt that finds at least so much, or the last one.
func attack(t *testing.T, p *Plan, releases int, least float64) Membership {
	t.Helper()
	for i := 1; ; i++ {
		m, err := p.Attack(t.Context(), Attack{Releases: releases, Alarm: alarm})
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("epsilon is at least %.3f of %g: %.3f caught, %.3f mistaken, mu at least %.3f, by one event %.3f", m.EpsilonLow, p.o.Epsilon, m.Caught, m.Mistaken, m.MuLow, m.EventLow)
		if m.EpsilonLow > least || i == attempts {
			return m
		}
	}
}

// The best attack stays below the claim, and comes within a factor two of it: it has
// power.
func TestMembershipIsBoundedByTheClaim(t *testing.T) {
	stage.Unraced(t)
	cases := []struct {
		name     string
		o        Options
		releases int
	}{
		{"records", Options{Epsilon: 1}, 10_000},
		{"users, Gaussian, expected", Options{Epsilon: 4, PerUser: 12, Delta: 1e-5, Expect: 200}, 10_000},
		{"records, little noise", Options{Epsilon: 2}, 10_000},
		{"records, expected", Options{Epsilon: 0.5, Expect: 200}, 20_000},
		{"users", Options{Epsilon: 1, PerUser: 5}, 10_000},
		{"users, Gaussian", Options{Epsilon: 2, PerUser: 20, Delta: 1e-4}, 30_000},
	}
	all := stage.Runs(stage.Thorough)
	if !all {
		cases = cases[:2]
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			c.o.Columns = []Column{labels(t, "label", "sport", "money")}
			p := planOf(t, c.o)
			if !stage.Runs(stage.Large) {
				c.releases /= 3
			}
			if gaussian := c.o.Delta > 0; gaussian != (p.noise.variance > 0) {
				t.Fatalf("Gaussian noise: %t, want %t", p.noise.variance > 0, gaussian)
			}
			m := attack(t, p, c.releases, c.o.Epsilon/2)
			if m.EpsilonLow > c.o.Epsilon || m.EpsilonLow < c.o.Epsilon/2 {
				t.Errorf("epsilon is at least %g, the claim is %g", m.EpsilonLow, c.o.Epsilon)
			}
			if (m.MuLow > 0) != (c.o.Delta > 0) || m.EventLow > m.EpsilonLow {
				t.Errorf("mu is at least %g, by one event epsilon is at least %g", m.MuLow, m.EventLow)
			}
		})
	}
}

// A plan whose noise is too small is caught: half as much as is needed, or that of a
// record where the claim is for a user.
func TestMembershipFindsTooLittleNoise(t *testing.T) {
	stage.Unraced(t)
	gaussian := Options{Epsilon: 4, PerUser: 12, Delta: 1e-5}
	cases := []struct {
		name string
		o    Options
		less func(*scales)
	}{
		{"half of sigma", gaussian, func(s *scales) { s.variance /= 4 }},
		{"half the noise", Options{Epsilon: 1}, func(s *scales) { s.histogram *= 2 }},
		{"noise for one record of a user", Options{Epsilon: 1, PerUser: 5}, func(s *scales) { s.histogram *= 5 }},
		{"sigma for one record of a user", gaussian, func(s *scales) { s.variance = gaussianVariance(s.epsilons.Histogram, gaussian.Delta, 1) }},
	}
	all := stage.Runs(stage.Thorough)
	if !all {
		cases = cases[:2]
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			c.o.Columns = []Column{labels(t, "label", "sport", "money")}
			p := planOf(t, c.o)
			c.less(&p.noise)
			p.drawn = p.noise.drawn()
			releases := 10_000
			if !all {
				releases /= 3
			}
			if m := attack(t, p, releases, c.o.Epsilon); m.EpsilonLow <= c.o.Epsilon {
				t.Errorf("epsilon is at least %g, and the claim of %g passes", m.EpsilonLow, c.o.Epsilon)
			}
		})
	}
}

// The attack converts mu to epsilon by the curve of Gaussian noise. By the exact
// convolution the true epsilon of discrete noise is no smaller, except for one part in ten
// thousand, and hardly larger. The claim exceeds the histogram's by one part in 32 at
// least.
func TestDiscreteNoiseHasTheCurveOfGaussianNoise(t *testing.T) {
	stage.Unraced(t)
	for _, c := range []struct {
		variance uint64
		cells    int
		delta    float64
	}{{1, 9, 1e-6}, {2, 12, 1e-5}, {5, 10, 1e-9}, {20, 12, 1e-5}, {80, 20, 1e-4}, {400, 40, 1e-6}, {4000, 100, 1e-9}, {50_000, 9, 1e-6}} {
		losses, err := accountant.DiscreteGaussian(c.variance)
		if err != nil {
			t.Fatal(err)
		}
		low, high := 0.0, 200.0
		for range 40 {
			mid := (low + high) / 2
			if at, err := losses.Delta(c.cells, mid); err != nil || at > c.delta {
				low = mid
			} else {
				high = mid
			}
		}
		got := gaussianEpsilon(math.Sqrt(float64(c.cells)/float64(c.variance)), c.delta)
		if got > high*(1+1e-4) || got < high*(1-1e-2) {
			t.Errorf("variance %d, %d cells, delta %g: epsilon %g, that of discrete noise is %g", c.variance, c.cells, c.delta, got, high)
		}
	}
}

// A bound of mu exceeds it with a chance of alarm at most. The sums are normal, and alarm
// is 0.2: more than 113 of 300 bounds exceed mu with a chance below e^(-2 300 0.176^2) =
// 1e-8 (Hoeffding). They have the mean mu - 0.15 and the standard deviation 0.08, so
// three quarters come within 0.2 of it: less than a third, with a chance below e^(-2 300
// 0.4^2).
func TestBoundOfMuIsBelowMu(t *testing.T) {
	stage.Unraced(t)
	const mu, runs = 0.7, 300
	src := rand.New(rand.NewPCG(testseed.Of(t, 5), 0))
	above, near := 0, 0
	for range runs {
		// 100 cells of variance 20,000: a sum of standard deviation 1,414, moved by 990.
		g := gaussianAttack{changed: 100, variance: 20_000}
		sigma := math.Sqrt(100 * 20_000)
		for range 1000 {
			g.sums[0] = append(g.sums[0], math.Round(sigma*src.NormFloat64()))
			g.sums[1] = append(g.sums[1], math.Round(sigma*(src.NormFloat64()+mu)))
		}
		low, _ := g.bound(0.2)
		if low > mu {
			above++
		}
		if low > mu-0.2 {
			near++
		}
	}
	if above > 113 || near < runs/3 {
		t.Errorf("of %d bounds, %d exceed mu and %d come near", runs, above, near)
	}
}
