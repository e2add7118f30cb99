package restore

import (
	"math"

	"github.com/sotto-dp/sotto/embedding"
)

// Lattice holds the part of one text's posterior that a decoder kept: nodes at each
// position, each a word in one state of the model, and edges to them from the nodes of the
// position before.
type Lattice struct {
	levels []level
	ends   []float64 // weight of the text's end after each node of the last position
	log    float64   // the scales that were divided out of all weights
}

// level is one position. Weights of a position have a common scale.
type level struct {
	words []embedding.ID
	// raised is what the weight of a node was multiplied by when it was drawn: 1 for
	// nodes that were kept for certain, and nil where all were.
	raised []float64
	// first is where the edges to a node begin; its last entry is the number of edges.
	first  []int32
	from   []int32 // a node of the position before
	weight []float64
	// forward is the sum of the weights of all sequences to a node; they sum to 1.
	forward []float64
	// alone has the likeliest words without context, if the last node is the rest.
	alone []Guess
}

// lift returns the factor of the weights of sequences through a node.
func (l *level) lift(node int) float64 {
	if l.raised == nil {
		return 1
	}
	return l.raised[node]
}

// Len returns the number of words.
func (l *Lattice) Len() int { return len(l.levels) }

// LogLikelihood returns the logarithm of the probability of the output, P(y): the sum of
// P(x) P(y|x) over all x of the lattice. In an unbiased lattice the exponential of this
// estimate is unbiased.
func (l *Lattice) LogLikelihood() float64 {
	if len(l.levels) == 0 {
		return l.log + math.Log(l.ends[0])
	}
	sum := 0.0
	for i, f := range l.levels[len(l.levels)-1].forward {
		sum += f * l.ends[i]
	}
	return l.log + math.Log(sum)
}

// backward returns for each node the sum of the weights of all ways from it to the end
// of the text, at each position scaled to have 1 as the largest.
func (l *Lattice) backward() [][]float64 {
	beta := make([][]float64, len(l.levels))
	for t := len(l.levels) - 1; t >= 0; t-- {
		beta[t] = make([]float64, len(l.levels[t].words))
		if t == len(l.levels)-1 {
			copy(beta[t], l.ends)
		} else {
			next := &l.levels[t+1]
			for j := range next.words {
				b := beta[t+1][j] * next.lift(j)
				for e := next.first[j]; e < next.first[j+1]; e++ {
					beta[t][next.from[e]] += b * next.weight[e]
				}
			}
		}
		normalise(beta[t], maximum(beta[t]))
	}
	return beta
}

func maximum(values []float64) float64 {
	most := 0.0
	for _, v := range values {
		most = max(most, v)
	}
	return most
}

// normalise divides values by a positive number.
func normalise(values []float64, by float64) {
	if by > 0 {
		for i := range values {
			values[i] /= by
		}
	}
}

// Guess is a word and the probability that it is the original one.
type Guess struct {
	Word   embedding.ID
	Chance float64
}
