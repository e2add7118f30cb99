package server

import (
	"math"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/privacy"
)

func TestPromisesStateNoLessThanTheirClaims(t *testing.T) {
	for _, of := range []struct {
		claim privacy.Claim
		says  string
	}{
		{privacy.Claim{Unit: privacy.Token, Notion: privacy.Pure, Epsilon: math.Ln2}, "any two of the 20,000 words by a factor of at most 2."},
		{privacy.Claim{Unit: privacy.Token, Notion: privacy.Pure, Epsilon: 1}, "a factor of at most 2.72."},
		{privacy.Claim{Unit: privacy.Token, Notion: privacy.Pure, Epsilon: 8}, "a factor of at most 2,981."},
		{privacy.Claim{Unit: privacy.Word, Notion: privacy.Pure, Epsilon: 8}, "each distinct word of the text, at all its positions at once"},
		{privacy.Claim{Unit: privacy.Token, Notion: privacy.Pure, Epsilon: 300}, "e^300: that is next to no guarantee"},
		{privacy.Claim{Unit: privacy.Text, Notion: privacy.Pure, Epsilon: 1}, "any two texts, whatever their words, length or language, by a factor of at most 2.72."},
		{privacy.Claim{Unit: privacy.Text, Notion: privacy.Pure, Epsilon: 300}, "e^300: that is next to no guarantee"},
		{privacy.Claim{Unit: privacy.Token, Notion: privacy.Approximate, Epsilon: 1, Delta: 1e-6}, "except with a probability of at most 1e-06."},
		{privacy.Claim{Unit: privacy.Token, Notion: privacy.Approximate, Epsilon: 1, Delta: 0.87}, "next to no guarantee: with a probability of up to 0.87"},
		{privacy.Claim{Unit: privacy.Token, Notion: privacy.Metric, Distance: "euclidean", Epsilon: 2}, "at most 7.39 per unit of euclidean distance"},
		{privacy.Claim{Unit: privacy.Token, Notion: privacy.None, Epsilon: math.Inf(1)}, "There is no guarantee"},
		{privacy.Claim{Unit: privacy.Token, Notion: privacy.Pure, Epsilon: math.Inf(1)}, "There is no guarantee"},
	} {
		got := promiseWord(of.claim, "word", 20000)
		if of.claim.Unit == privacy.Text {
			got = promise(of.claim, nil)
		} else if pieces := promiseWord(of.claim, "piece", 20000); pieces != strings.ReplaceAll(got, "word", "piece") {
			t.Errorf("%v reads %q for pieces, and %q for words", of.claim, pieces, got)
		}
		if !strings.Contains(got, of.says) {
			t.Errorf("%v reads %q, want %q in it", of.claim, got, of.says)
		}
	}
	for epsilon := 0.01; epsilon < 21; epsilon *= 1.1 {
		// The printed e^epsilon is never below the exact one.
		printed := 0.0
		for _, c := range strings.ReplaceAll(strings.Split(odds(epsilon), ".")[0], ",", "") {
			if c < '0' || c > '9' {
				t.Fatalf("odds(%g) = %s", epsilon, odds(epsilon))
			}
			printed = printed*10 + float64(c-'0')
		}
		if printed+1 < math.Exp(epsilon) {
			t.Errorf("odds(%g) = %s is below %g", epsilon, odds(epsilon), math.Exp(epsilon))
		}
	}
}
