package attack

import (
	"math"
	"slices"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/selection"
	"github.com/sotto-dp/sotto/restore"
)

// similar finds the texts that are most like a decoded release: by the cosine of their words,
// weighted by the logarithm of how few texts have a word.
type similar struct {
	holders [][]uint32 // of each word: the texts that have it
	rarity  []float64  // of each word
	norm    []float64  // of each text
}

func newSimilar(texts [][]embedding.ID, words int) *similar {
	s := &similar{holders: make([][]uint32, words), rarity: make([]float64, words), norm: make([]float64, len(texts))}
	for i, text := range texts {
		for _, w := range text {
			if h := s.holders[w]; len(h) == 0 || h[len(h)-1] != uint32(i) {
				s.holders[w] = append(h, uint32(i))
			}
		}
	}
	for w, h := range s.holders {
		if len(h) == 0 {
			continue
		}
		s.rarity[w] = math.Log(float64(len(texts)+1) / float64(len(h)))
		for _, i := range h {
			s.norm[i] += s.rarity[w] * s.rarity[w]
		}
	}
	for i := range s.norm {
		s.norm[i] = math.Sqrt(s.norm[i])
	}
	return s
}

// nearest returns the n texts that are most like the words that marginals expect, in their
// order.
func (s *similar) nearest(marginals [][]restore.Guess, n int) []int {
	expected := map[embedding.ID]float64{}
	var words []embedding.ID
	for _, guesses := range marginals {
		for _, g := range guesses {
			if g.Chance < leastExpected {
				break
			}
			if expected[g.Word] == 0 {
				words = append(words, g.Word)
			}
			expected[g.Word] = min(1, expected[g.Word]+g.Chance)
		}
	}
	scores := make([]float64, len(s.norm))
	for _, w := range words {
		weight := expected[w] * s.rarity[w] * s.rarity[w]
		for _, i := range s.holders[w] {
			scores[i] += weight / s.norm[i]
		}
	}
	n = min(n, len(scores))
	if n == 0 {
		return nil
	}
	least := selection.Select(slices.Clone(scores), len(scores)-n+1)
	equal := n // texts with the least score that count: the first ones
	for _, score := range scores {
		if score > least {
			equal--
		}
	}
	order := make([]int, 0, n)
	for i, score := range scores {
		if score == least {
			equal--
		}
		if score > least || score == least && equal >= 0 {
			order = append(order, i)
		}
	}
	return order
}

// leastExpected is the least chance of a word that counts for the likeness of texts.
const leastExpected = 0.05
