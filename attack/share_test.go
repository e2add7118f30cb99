package attack

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/sotto-dp/sotto/internal/stage"
)

func TestIntervalsWidenWhereTextsDiffer(t *testing.T) {
	even, split := newTally(40), newTally(40)
	for i := range 40 {
		for j := range 20 {
			even.add(i, j%2 == 0)
			split.add(i, i%2 == 0)
		}
	}
	a, b, whole := even.share(), split.share(), exact(400, 800)
	if a.Share != whole.Share || a.Low != whole.Low || a.High != whole.High || a.Of != whole.Of {
		t.Errorf("words that are as if independent: %+v, want %+v", *a, *whole)
	}
	// All words of a text are recovered or none: 40 independent outcomes, less one for the
	// mean that is estimated.
	if narrow, wide := exact(21, 42), exact(16, 32); b.High-b.Low < narrow.High-narrow.Low || b.High-b.Low > wide.High-wide.Low {
		t.Errorf("whole texts: %+v, want about as wide as %+v", *b, *wide)
	}
	if b.Share != 0.5 || b.Of != 800 || b.Low > 0.5 || b.High < 0.5 {
		t.Errorf("%+v", *b)
	}
	if newTally(3).share() != nil {
		t.Error("a share of no words")
	}
	one := newTally(2)
	one.add(0, true)
	if s := one.share(); s.Share != 1 || s.High != 1 {
		t.Errorf("%+v", *s)
	}
}

func TestBoundsOfIndependentAttacksAreThoseOfTheirIntervals(t *testing.T) {
	s := exact(30, 100)
	if s.AtMost((1-Confidence)/2) != s.High || s.AtMost(0.001) <= s.High {
		t.Errorf("%+v is at most %g and %g", *s, s.AtMost((1-Confidence)/2), s.AtMost(0.001))
	}
	if c := Certain(0.3); c.AtMost(0.001) != 0.3 || c.Low != 0.3 || c.High != 0.3 {
		t.Errorf("%+v is known", *c)
	}
	if (&Share{Share: 0.1, Of: 10}).AtMost(0.05) != 1 {
		t.Error("a share that was not measured has a bound")
	}
}

// A text multiplies the number of words, and not what is known: without a hit the bound
// cannot be below the one of as many independent attacks as there are texts.
func TestBoundsFollowTheNumberOfTexts(t *testing.T) {
	const alpha = 0.05 / looks
	for _, texts := range []int{1, 2, 5, 20} {
		none := newTally(texts)
		for i := range texts {
			for range 60 {
				none.add(i, false)
			}
		}
		s := none.share()
		if bound, alone := s.AtMost(alpha), exact(0, texts).AtMost(alpha); bound < alone-1e-9 || bound != s.least(alpha) {
			t.Errorf("%d texts without a hit: at most %g, for as many attacks %g", texts, bound, alone)
		}
	}
}

// Of 2,000 samples a bound that holds with probability 1 - 0.05/13 misses more than 50
// with probability below 1e-20 (Chernoff), and the samples are seeded. A bound that takes words for
// independent, or their measured variance for the true one, misses more than 50 of each.
func TestBoundsOfWordsHoldForFewAndUnevenTexts(t *testing.T) {
	stage.Unraced(t)
	const alpha, samples, words = 0.05 / looks, 2000, 60
	for _, c := range []struct {
		texts int
		a, b  float64
	}{{5, 1, 9}, {20, 0.1, 0.9}, {20, 0.02, 0.98}} {
		src := rand.NewPCG(uint64(c.texts), uint64(100*c.a))
		rng, chance := rand.New(src), distuv.Beta{Alpha: c.a, Beta: c.b, Src: src}
		missed := 0
		for range samples {
			sample := newTally(c.texts)
			for i := range c.texts {
				for p := chance.Rand(); sample.words[i] < words; {
					sample.add(i, rng.Float64() < p)
				}
			}
			if sample.share().AtMost(alpha) < c.a/(c.a+c.b) {
				missed++
			}
		}
		t.Logf("%d texts, Beta(%g, %g): %d of %d samples have a bound below the truth", c.texts, c.a, c.b, missed, samples)
		if missed > 50 {
			t.Errorf("%d texts, Beta(%g, %g): %d of %d samples have a bound below the truth, want about %g at most",
				c.texts, c.a, c.b, missed, samples, alpha*samples)
		}
	}
}
