package model

import "math"

// softmax replaces scores by probabilities.
func softmax(p []float64) {
	top := p[largest(p)]
	sum := 0.0
	for c := range p {
		p[c] = math.Exp(p[c] - top)
		sum += p[c]
	}
	for c := range p {
		p[c] /= sum
	}
}

// largest returns the first index of the largest value.
func largest(p []float64) int {
	best := 0
	for c, v := range p {
		if v > p[best] {
			best = c
		}
	}
	return best
}
