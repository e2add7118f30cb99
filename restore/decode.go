package restore

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/scratch"
)

// MAP returns the likeliest sequence of the lattice.
func (l *Lattice) MAP() []embedding.ID {
	return l.viterbi(func(int, int) float64 { return 0 })
}

// ConsensusWeight is the weight of the marginals in Consensus. It was chosen by the
// share of words that are right on public texts.
const ConsensusWeight = 10

// Consensus returns the sequence of the lattice with the largest sum of its log posterior
// and ConsensusWeight times the marginal of each of its words. It has nearly as many
// correct words as Risk, in a sequence that is likely under the model.
func (l *Lattice) Consensus(marginals [][]Guess) []embedding.ID {
	bonus := make([]map[embedding.ID]float64, len(marginals))
	for t, guesses := range marginals {
		bonus[t] = make(map[embedding.ID]float64, len(guesses))
		for _, g := range guesses {
			bonus[t][g.Word] = ConsensusWeight * g.Chance
		}
	}
	return l.viterbi(func(t, node int) float64 { return bonus[t][l.levels[t].guess(node).Word] })
}

// viterbi returns the words of the path with the largest sum of the logarithms of its
// weights and a bonus of each node.
func (l *Lattice) viterbi(bonus func(t, node int) float64) []embedding.ID {
	n := len(l.levels)
	if n == 0 {
		return nil
	}
	back := make([][]int32, n)
	var score, before []float64
	for t := range l.levels {
		level := &l.levels[t]
		before, score = score, scratch.Resize(before, len(level.words))
		back[t] = make([]int32, len(level.words))
		for j := range level.words {
			best, from := math.Inf(-1), int32(0)
			for e := level.first[j]; e < level.first[j+1]; e++ {
				s := math.Log(level.weight[e])
				if t > 0 {
					s += before[level.from[e]]
				}
				if s > best || from < 0 {
					best, from = s, level.from[e]
				}
			}
			if level.words[j] == leftOut {
				best += math.Log(level.guess(j).Chance)
			}
			score[j], back[t][j] = best+bonus(t, j), from
		}
	}
	for j, end := range l.ends {
		score[j] += math.Log(end)
	}
	node := int32(slices.Index(score, slices.Max(score)))
	words := make([]embedding.ID, n)
	for t := n - 1; t >= 0; t-- {
		words[t] = l.levels[t].guess(int(node)).Word
		node = back[t][node]
	}
	return words
}

// Sample draws a sequence of the lattice from its posterior.
func (l *Lattice) Sample(rng *rand.Rand) []embedding.ID {
	n := len(l.levels)
	words := make([]embedding.ID, n)
	if n == 0 {
		return words
	}
	last := slices.Clone(l.levels[n-1].forward)
	for j, end := range l.ends {
		last[j] *= end
	}
	node := pick(last, rng)
	var ways []float64
	for t := n - 1; t >= 0; t-- {
		level := &l.levels[t]
		if words[t] = level.words[node]; words[t] == leftOut {
			words[t] = level.alone[pickGuess(level.alone, rng)].Word
		}
		if t == 0 {
			break
		}
		ways = ways[:0]
		first := level.first[node]
		for e := first; e < level.first[node+1]; e++ {
			ways = append(ways, l.levels[t-1].forward[level.from[e]]*level.weight[e])
		}
		node = int(level.from[int(first)+pick(ways, rng)])
	}
	return words
}

// pickGuess draws the index of a guess by the chances.
func pickGuess(guesses []Guess, rng *rand.Rand) int {
	chances := make([]float64, len(guesses))
	for i, g := range guesses {
		chances[i] = g.Chance
	}
	return pick(chances, rng)
}

// pick draws an index with chances in proportion to weights.
func pick(weights []float64, rng *rand.Rand) int {
	sum := 0.0
	for _, w := range weights {
		sum += w
	}
	u := rng.Float64() * sum
	last := 0
	for i, w := range weights {
		if w > 0 {
			last = i
			if u < w {
				return i
			}
			u -= w
		}
	}
	return last
}

// SampleOf draws one of several unbiased lattices of one text with probability proportional
// to its estimate of the likelihood, and then a sequence from it.
func SampleOf(lattices []*Lattice, rng *rand.Rand) []embedding.ID {
	return lattices[pick(sharesOf(lattices), rng)].Sample(rng)
}
