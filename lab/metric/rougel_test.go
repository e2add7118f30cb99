package metric

import (
	"math"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
)

func TestRougeLIsOfTheLongestCommonSubsequence(t *testing.T) {
	for _, c := range []struct {
		a, b []embedding.ID
		want float64
	}{
		{[]embedding.ID{1, 2, 3, 4}, []embedding.ID{1, 3, 2, 4}, 6.0 / 8}, {[]embedding.ID{1, 2, 3}, []embedding.ID{3, 2, 1}, 2.0 / 6},
		{[]embedding.ID{1, 1, 2}, []embedding.ID{1}, 2.0 / 4}, {[]embedding.ID{1}, nil, 0}, {nil, nil, 1}, {[]embedding.ID{5, 6}, []embedding.ID{5, 6}, 1},
	} {
		if got := RougeL(c.a, c.b); math.Abs(got-c.want) > 1e-12 || got > Rouge1(c.a, c.b)+1e-12 || got != RougeL(c.b, c.a) {
			t.Errorf("%v and %v: %g, want %g", c.a, c.b, got, c.want)
		}
	}
}

// Against all answers of up to 7 words of a small vocabulary.
func TestBestRouge1IsTheBestOfAllAnswers(t *testing.T) {
	for _, references := range [][][]embedding.ID{
		{{0, 0, 1}, {0, 2}, {2, 2, 2}}, {{0}, {1}, {2}}, {{0, 1, 2}, {0, 1, 1, 1}}, {{0, 0}},
	} {
		best := 0.0
		var try func(answer []embedding.ID)
		try = func(answer []embedding.ID) {
			sum := 0.0
			for _, r := range references {
				sum += Rouge1(r, answer)
			}
			best = max(best, sum/float64(len(references)))
			if len(answer) < 7 {
				for w := range embedding.ID(3) {
					try(append(answer[:len(answer):len(answer)], w))
				}
			}
		}
		try(nil)
		if got := BestRouge1(references); math.Abs(got-best) > 1e-12 {
			t.Errorf("%v: %g, want %g", references, got, best)
		}
	}
}
