package estimate

import (
	"fmt"
	"math"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
)

// rareAt has settings in which few draws of a word are expected, or few words change: tokens of a
// text, and those that are the word.
var rareAt = []struct{ tokens, of int }{
	{100, 0}, {100, 1}, {100, 3}, {400, 9}, {400, 30}, {2000, 2}, {2000, 12}, {2000, 60}, {2000, 300},
}

// coverage returns the exact chance that the interval of a word covers its true count. Under
// response all words but one are alike, so that the interval depends on the number of draws of the
// word, which is a sum of two binomial ones.
func coverage(f *functionals, p, q float64, tokens, of int, z float64, biased bool, interval func(m moments, z float64, biased bool) (low, high float64)) float64 {
	chances := make([]float64, min(tokens, 1500)+1)
	for own, a := range binomial(of, p) {
		for other, b := range binomial(tokens-of, q) {
			if own+other < len(chances) {
				chances[own+other] += a * b
			}
		}
	}
	counts := make([]int, len(f.g))
	covered := 0.0
	for n, chance := range chances {
		if chance < 1e-12 {
			continue
		}
		counts[0], counts[1] = n, tokens-n
		if low, high := interval(f.moments(0, counts), z, biased); low <= float64(of) && float64(of) <= high {
			covered += chance
		}
	}
	return covered
}

// binomial returns the chances of 0, 1, ... successes, up to where they are negligible.
func binomial(n int, p float64) []float64 {
	lgamma := func(x int) float64 { v, _ := math.Lgamma(float64(x + 1)); return v }
	var chances []float64
	for k := range n + 1 {
		chance := math.Exp(lgamma(n) - lgamma(k) - lgamma(n-k) + float64(k)*math.Log(p) + float64(n-k)*math.Log1p(-p))
		if float64(k) > float64(n)*p && chance < 1e-15 {
			break
		}
		chances = append(chances, chance)
	}
	return chances
}

// everyRare calls see with the exact coverage of an interval in each setting, of 0.5 to 0.999.
func everyRare(t *testing.T, interval func(m moments, z float64, biased bool) (low, high float64), see func(where string, confidence, covered float64)) {
	t.Helper()
	const words = 1000
	table := ring(t, words)
	for _, epsilon := range []float64{3, 5, 7, 9, 11, 14} {
		c := setting{"response", epsilon, ""}.open(t, table)
		e := estimator(t, c, table, mostKept)
		row := c.Weights(nil, 0)
		total := 0.0
		for _, w := range row {
			total += float64(w)
		}
		for _, biased := range []bool{false, true} {
			for _, at := range rareAt {
				for _, confidence := range []float64{0.5, 0.8, 0.95, 0.99, 0.999} {
					z := math.Sqrt2 * math.Erfinv(confidence)
					f, err := e.solveWords(t.Context(), []embedding.ID{0}, widths{tokens: float64(at.tokens), z: z}, biased)
					if err != nil {
						t.Fatal(err)
					}
					covered := coverage(f, float64(row[0])/total, float64(row[1])/total, at.tokens, at.of, z, biased, interval)
					see(fmt.Sprintf("epsilon %g, biased %t, %d of %d tokens", epsilon, biased, at.of, at.tokens), confidence, covered)
				}
			}
		}
	}
}

// Intervals cover at their rate however few draws of a word are expected.
func TestIntervalsOfRareWordsCoverAtTheirRate(t *testing.T) {
	own := func(m moments, z float64, biased bool) (low, high float64) {
		c := m.count(0, z, biased)
		return c.Low, c.High
	}
	least := 1.0
	everyRare(t, own, func(where string, confidence, covered float64) {
		if confidence == 0.95 {
			least = min(least, covered)
		}
		if covered < confidence {
			t.Errorf("%s: intervals at %g cover with chance %g", where, confidence, covered)
		}
	})
	t.Logf("the least coverage at 0.95 is %.3f", least)
}

// The same test finds intervals with the variance of the draws that came, and half a draw.
func TestMutantIntervalsOfRareWordsAreFoundWrong(t *testing.T) {
	least := 1.0
	normal := func(m moments, z float64, biased bool) (low, high float64) {
		if biased { // its interval has the bias too
			return math.Inf(-1), math.Inf(1)
		}
		half := z*m.count(0, z, biased).Deviation + max(m.up, m.down)/2
		return m.value - half, m.value + half
	}
	everyRare(t, normal, func(_ string, confidence, covered float64) {
		if confidence == 0.95 {
			least = min(least, covered)
		}
	})
	t.Logf("the least coverage at 0.95 is %.3f", least)
	if least > 0.7 {
		t.Errorf("the least coverage is %g", least)
	}
}
