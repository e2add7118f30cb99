package main

import (
	"math"
	"sync"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/optimize"
)

// logistic is a softmax regression: classes x (columns + 1) weights, the last
// of each class its constant.
type logistic struct {
	weights []float64
	classes int
	width   int
}

// penalty is the weight of half the squared norm of the weights, constants left
// out, against the mean loss of a text.
const penalty = 1e-2

// fit minimises the mean log loss and the penalty by L-BFGS from zero.
func fit(rows [][]float64, labels []int, classes int) (*logistic, error) {
	m := &logistic{classes: classes, width: len(rows[0])}
	p := optimize.Problem{
		Func: func(w []float64) float64 { return m.loss(nil, w, rows, labels) },
		Grad: func(grad, w []float64) { m.loss(grad, w, rows, labels) },
	}
	settings := &optimize.Settings{MajorIterations: 60, GradientThreshold: 1e-4}
	result, err := optimize.Minimize(p, make([]float64, classes*(m.width+1)), settings, &optimize.LBFGS{})
	if result == nil {
		return nil, err
	}
	m.weights = result.X // the best found, at the limit of iterations too
	return m, nil
}

// loss is the mean log loss with the penalty; grad, where not nil, its gradient.
func (m *logistic) loss(grad, w []float64, rows [][]float64, labels []int) float64 {
	const parts = 2
	sums := [parts]float64{}
	grads := [parts][]float64{}
	var group sync.WaitGroup
	for part := range parts {
		group.Go(func() {
			g := make([]float64, len(w))
			scores := make([]float64, m.classes)
			for i := part; i < len(rows); i += parts {
				m.scores(scores, w, rows[i])
				norm := floats.LogSumExp(scores)
				sums[part] += norm - scores[labels[i]]
				if grad == nil {
					continue
				}
				for c, s := range scores {
					p := math.Exp(s - norm)
					if c == labels[i] {
						p--
					}
					own := g[c*(m.width+1) : (c+1)*(m.width+1)]
					floats.AddScaled(own[:m.width], p, rows[i])
					own[m.width] += p
				}
			}
			grads[part] = g
		})
	}
	group.Wait()
	n := float64(len(rows))
	total := 0.0
	for part := range parts {
		total += sums[part] / n
	}
	for j := range grad {
		grad[j] = 0
		for part := range parts {
			grad[j] += grads[part][j] / n
		}
	}
	for c := range m.classes {
		for k := range m.width {
			j := c*(m.width+1) + k
			total += penalty / 2 * w[j] * w[j]
			if grad != nil {
				grad[j] += penalty * w[j]
			}
		}
	}
	return total
}

func (m *logistic) scores(dst, w, row []float64) {
	for c := range m.classes {
		own := w[c*(m.width+1) : (c+1)*(m.width+1)]
		dst[c] = floats.Dot(own[:m.width], row) + own[m.width]
	}
}

// best is the class of the largest score.
func (m *logistic) best(row []float64) int {
	scores := make([]float64, m.classes)
	m.scores(scores, m.weights, row)
	return floats.MaxIdx(scores)
}
