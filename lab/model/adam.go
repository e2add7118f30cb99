// Package model holds the small classifiers that the experiments train: a bag
// of word vectors and a multilayer perceptron by Adam in float32, softmax
// regression and a linear support vector machine by L-BFGS in float64.
package model

import (
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/simd/adam"
)

// moments are Adam's state for one array of parameters.
type moments struct {
	mean, square []float32
	steps        int
}

func newMoments(n int) *moments {
	return &moments{mean: make([]float32, n), square: make([]float32, n)}
}

// step moves w against the gradient g and clears g.
func (m *moments) step(w, g []float32, rate float64) {
	m.steps++
	s := adam.NewStep(m.steps, rate, 1)
	s.Move(w, g, m.mean, m.square)
}

// stepRows does so for the rows of a matrix that a batch touched. The moments of the
// others wait, as in the sparse Adam of common libraries.
func (m *moments) stepRows(w, g []float32, touched []embedding.ID, dim int, rate float64) {
	m.steps++
	s := adam.NewStep(m.steps, rate, 1)
	for _, x := range touched {
		from, to := int(x)*dim, (int(x)+1)*dim
		s.Move(w[from:to], g[from:to], m.mean[from:to], m.square[from:to])
	}
}
