package synthesis

import (
	"math"
	"testing"

	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/noise"
)

// Of 2,000 guesses of releases that are drawn, a share of right ones is more than 0.06 from
// its probability with a chance below 2 exp(-2 2000 0.06^2) = 1.2e-6 (Hoeffding 1963).
func TestGuessesOfMembershipAreRightAsOftenAsComputed(t *testing.T) {
	stage.Unraced(t)
	const releases = 1000
	for _, o := range []Options{{Epsilon: 1}, {Epsilon: 4, PerUser: 3}} {
		o.Columns = []Column{labels(t, "label", "sport", "money")}
		p := planOf(t, o)
		chance, err := p.Guess()
		if err != nil {
			t.Fatal(err)
		}
		without, with := p.worlds()
		right, rng := 0.0, noise.Seeded(1, 1)
		for range releases {
			for world, counts := range []*Counts{without, with} {
				r, err := p.Release(counts.clone(), rng)
				if err != nil {
					t.Fatal(err)
				}
				switch ratio := r.likelihood(with) - r.likelihood(without); {
				case math.Abs(ratio) < 1e-9:
					right += 0.5
				case (ratio > 0) == (world == 1):
					right++
				}
			}
		}
		share, limit := right/(2*releases), 1/(1+math.Exp(-o.Epsilon))
		t.Logf("epsilon %g, %d votes: %.4f, of those drawn %.4f, at most %.4f", o.Epsilon, p.noise.votes, chance, share, limit)
		if math.Abs(share-chance) > 0.06 || chance > limit+1e-12 || chance < limit-0.05 {
			t.Errorf("epsilon %g: %g right, of those drawn %g, at most %g", o.Epsilon, chance, share, limit)
		}
	}
}

// With one count, the best guess is right with 1/(1 + e^-rate) where the canary raises it by
// 1 (Ghosh, Roughgarden and Sundararajan 2009), and more often where it raises it more.
func TestRatiosOfACountAreThoseOfItsNoise(t *testing.T) {
	const rate = 0.7
	r := math.Exp(-rate)
	pmf := func(k int64) float64 { return (1 - r) / (1 + r) * math.Exp(-rate*math.Abs(float64(k))) }
	for raised := range int64(5) {
		want, got, total := 0.0, 0.0, 0.0
		for k := int64(-200); k <= 200; k++ {
			want += max(pmf(k), pmf(k-raised)) / 2
		}
		for _, x := range ratios(rate, raised) {
			got += x.chance * max(1, math.Exp(x.log)) / 2
			total += x.chance
		}
		if math.Abs(got-want) > 1e-12 || math.Abs(total-1) > 1e-12 {
			t.Errorf("raised by %d: %.15g, its noise gives %.15g; chances add up to %.15g", raised, got, want, total)
		}
	}
}

func TestMembershipOfGaussianNoiseIsNotComputed(t *testing.T) {
	p := planOf(t, Options{Epsilon: 1, Delta: 1e-6, PerUser: 20, Columns: []Column{labels(t, "label", "sport", "money")}})
	if p.noise.variance == 0 {
		t.Fatal("the noise is not Gaussian")
	}
	if _, err := p.Guess(); err == nil {
		t.Error("the chance of Laplace noise is given for Gaussian noise")
	}
}
