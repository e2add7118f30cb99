package metric

import (
	"math"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
)

// Two texts over four words, counted by hand: a b a b and a b c (of a, b, c, d).
func TestPerplexityByHand(t *testing.T) {
	const a, b, c, d = embedding.ID(0), embedding.ID(1), embedding.ID(2), embedding.ID(3)
	m := TrainTrigram([][]embedding.ID{{a, b, a, b}, {a, b, c}}, 4)
	// Trigrams: --a 2, -ab 2, aba 1, bab 1, abc 1: D3 = 3/(3 + 2*2).
	// Words before pairs: -a 1, ab 2 (-, b), ba 1, bc 1: D2 = 3/(3 + 2*1).
	// Words before words: a 2 (-, b), b 1 (a), c 1 (b): D1 = 2/(2 + 2*1); 4 pairs.
	d3, d2, d1 := 3.0/7, 3.0/5, 0.5
	equal(t, "D3", m.discount[3], d3)
	equal(t, "D2", m.discount[2], d2)
	equal(t, "D1", m.discount[1], d1)
	one := func(count float64) float64 { return (math.Max(count-d1, 0) + d1*3/4) / 4 }
	// After b: a 1, c 1.
	afterB := func(count, w float64) float64 { return (math.Max(count-d2, 0) + d2*2*one(w)) / 2 }
	// After a b: a 1, c 1.
	afterAB := func(count, low float64) float64 { return (math.Max(count-d3, 0) + d3*2*low) / 2 }
	equal(t, "c after a b", m.chance(sequence{a, b, c}), afterAB(1, afterB(1, 1)))
	equal(t, "d after a b", m.chance(sequence{a, b, d}), afterAB(0, afterB(0, 0)))
	// c c was never seen, nor anything after c: the chance of single words is left.
	equal(t, "b after c c", m.chance(sequence{c, c, b}), one(1))
	// A text of two words: a at the beginning, d after begin and a, after which b
	// alone was seen.
	afterBegin := (2 - d3 + d3*1*((1-d2)+d2*1*one(2))) / 2
	afterA := (0 + d2*1*one(0)) / 2
	afterBeginA := (0 + d3*1*afterA) / 2
	equal(t, "perplexity", m.Perplexity([][]embedding.ID{{a, d}}), 1/math.Sqrt(afterBegin*afterBeginA))
}

// Whatever stands before, the chances of all words add up to one.
func TestChancesAddUp(t *testing.T) {
	texts := [][]embedding.ID{{0, 1, 2, 0, 1, 3, 3, 3}, {2, 2, 1, 0}, {4}, {0, 1, 2, 4, 1}}
	m := TrainTrigram(texts, 7)
	for u := embedding.ID(0); u < 8; u++ {
		for v := embedding.ID(0); v < 8; v++ {
			s := sequence{u, v, 0}
			if u == 7 {
				s[0] = begin
			}
			if v == 7 {
				s[0], s[1] = begin, begin
			}
			sum := 0.0
			for w := range embedding.ID(7) {
				s[2] = w
				sum += m.chance(s)
			}
			equal(t, "the sum of chances", sum, 1)
		}
	}
	if m.Perplexity(texts) >= m.Perplexity([][]embedding.ID{{3, 0, 4, 2}, {1, 1, 1}}) {
		t.Error("the training texts are less expected than others")
	}
}
