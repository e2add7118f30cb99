package restore

import (
	"cmp"
	"math"
	"slices"

	"github.com/sotto-dp/sotto/embedding"
)

// Marginals returns for each position the words of the lattice with their posterior
// probabilities, likeliest first. The probabilities of a position sum to 1, less those of
// words that the lattice leaves out and that are not among the likeliest without context.
func (l *Lattice) Marginals() [][]Guess {
	beta := l.backward()
	all := make([][]Guess, len(l.levels))
	for t := range l.levels {
		level := &l.levels[t]
		sums := map[embedding.ID]float64{}
		total := 0.0
		for i, w := range level.words {
			p := level.forward[i] * beta[t][i]
			sums[w] += p
			total += p
		}
		for w := range sums {
			sums[w] /= total
		}
		if level.alone != nil {
			level.share(sums)
		}
		for w, p := range sums {
			all[t] = append(all[t], Guess{w, p})
		}
		slices.SortFunc(all[t], func(a, b Guess) int {
			return cmp.Or(cmp.Compare(b.Chance, a.Chance), cmp.Compare(a.Word, b.Word))
		})
	}
	return all
}

// Risk returns the likeliest word of each position. These words minimise the expected
// number of wrong positions.
func Risk(marginals [][]Guess) []embedding.ID {
	words := make([]embedding.ID, len(marginals))
	for t, guesses := range marginals {
		words[t] = guesses[0].Word
	}
	return words
}

// Chances returns the probability of each word of a text in the marginals of its position;
// 0 for words that are not among them.
func Chances(marginals [][]Guess, words []embedding.ID) []float64 {
	chances := make([]float64, len(words))
	for t, w := range words {
		if i := slices.IndexFunc(marginals[t], func(g Guess) bool { return g.Word == w }); i >= 0 {
			chances[t] = marginals[t][i].Chance
		}
	}
	return chances
}

// Merge returns the marginals of several unbiased lattices of one text, each counted by
// its estimate of the likelihood.
func Merge(lattices []*Lattice) [][]Guess {
	if len(lattices) == 1 {
		return lattices[0].Marginals()
	}
	shares := sharesOf(lattices)
	all := make([]map[embedding.ID]float64, lattices[0].Len())
	for i, l := range lattices {
		for t, guesses := range l.Marginals() {
			if all[t] == nil {
				all[t] = map[embedding.ID]float64{}
			}
			for _, g := range guesses {
				all[t][g.Word] += shares[i] * g.Chance
			}
		}
	}
	merged := make([][]Guess, len(all))
	for t, sums := range all {
		for w, p := range sums {
			merged[t] = append(merged[t], Guess{w, p})
		}
		slices.SortFunc(merged[t], func(a, b Guess) int {
			return cmp.Or(cmp.Compare(b.Chance, a.Chance), cmp.Compare(a.Word, b.Word))
		})
	}
	return merged
}

// sharesOf returns the share of each lattice in the sum of their likelihoods.
func sharesOf(lattices []*Lattice) []float64 {
	shares := make([]float64, len(lattices))
	for i, l := range lattices {
		shares[i] = l.LogLikelihood()
	}
	most, sum := slices.Max(shares), 0.0
	for i, s := range shares {
		shares[i] = math.Exp(s - most)
		sum += shares[i]
	}
	normalise(shares, sum)
	return shares
}
