package restore

import (
	"math"
	"slices"

	"github.com/sotto-dp/sotto/embedding"
)

// Marginals returns for each position the words of the lattice with their posterior
// probabilities, likeliest first. The probabilities of a position sum to 1, less those of
// words that the lattice leaves out and that are not among the likeliest without context.
func (l *Lattice) Marginals() [][]Guess { return l.Likeliest(math.MaxInt) }

// Likeliest returns the first n guesses of each position of [Lattice.Marginals], without
// sorting the others.
func (l *Lattice) Likeliest(n int) [][]Guess {
	beta := l.backward()
	all := make([][]Guess, len(l.levels))
	var sums tally
	for t := range l.levels {
		level := &l.levels[t]
		sums.reset()
		rest, total := 0.0, 0.0
		for i, w := range level.words {
			p := level.forward[i] * beta[t][i]
			if total += p; w == leftOut {
				rest = p
			} else {
				sums.add(w, p)
			}
		}
		for i := range sums.guesses {
			sums.guesses[i].Chance /= total
		}
		if level.alone != nil {
			level.share(&sums, rest/total)
		}
		all[t] = sums.first(n)
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
	merged := make([][]Guess, lattices[0].Len())
	all := make([]tally, len(merged))
	for i, l := range lattices {
		for t, guesses := range l.Marginals() {
			for _, g := range guesses {
				all[t].add(g.Word, shares[i]*g.Chance)
			}
		}
	}
	for t := range all {
		merged[t] = all[t].first(math.MaxInt)
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
