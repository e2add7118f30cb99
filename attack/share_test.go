package attack

import "testing"

func TestIntervalsWidenWhereTextsDiffer(t *testing.T) {
	even, split := newTally(40), newTally(40)
	for i := range 40 {
		for j := range 20 {
			even.add(i, j%2 == 0)
			split.add(i, i%2 == 0)
		}
	}
	a, b, whole := even.share(), split.share(), exact(400, 800)
	if *a != *whole {
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

func TestBoundsOfSharesAreThoseOfTheirIntervals(t *testing.T) {
	alone := exact(30, 100)
	clustered := newTally(40)
	for i := range 40 {
		for range 20 {
			clustered.add(i, i%2 == 0)
		}
	}
	for _, s := range []*Share{alone, clustered.share()} {
		if s.AtMost((1-Confidence)/2) != s.High || s.AtMost(0.001) <= s.High {
			t.Errorf("%+v is at most %g and %g", *s, s.AtMost((1-Confidence)/2), s.AtMost(0.001))
		}
	}
	if (&Share{Share: 0.1, Of: 10}).AtMost(0.05) != 1 {
		t.Error("a share that was not measured has a bound")
	}
}
