package auditing

import (
	"math"
	"testing"
)

func TestRankPriorSumsToOne(t *testing.T) {
	prior, sum := rankPrior(1000), 0.0
	for _, p := range prior {
		sum += p
	}
	if math.Abs(sum-1) > 1e-12 {
		t.Errorf("the rank prior sums to %g", sum)
	}
	if got := prior[0] / prior[9]; math.Abs(got-10) > 1e-12 {
		t.Errorf("the first word is %g times as likely as the tenth, want 10", got)
	}
}
