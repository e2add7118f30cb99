// Package adam updates weights by Adam (Kingma and Ba 2015, Algorithm 1). Its
// kernel returns the bits of its loop.
package adam

import "math"

const (
	meanDecay   = 0.9
	squareDecay = 0.999
	smallest    = 1e-8
	// Without gradients, as for rare words, the means decay to subnormal numbers,
	// which are many times slower. Below gone they move no weight, and are set to
	// 0.
	gone = 1e-30
)

// Step is one step of the algorithm.
type Step struct {
	// constants are in the order in which stepGo names them: the corrections of the
	// means' start are folded into the rate and smallest.
	constants [6]float32
}

// NewStep returns the step of a number, from 1, at a rate. Gradients are multiplied by
// cut first.
func NewStep(number int, rate float64, cut float32) Step {
	left := math.Sqrt(1 - math.Pow(squareDecay, float64(number)))
	pace := rate * left / (1 - math.Pow(meanDecay, float64(number)))
	return Step{[6]float32{cut, 1 - meanDecay, 1 - squareDecay, gone, float32(pace), float32(smallest * left)}}
}

// Move moves weights against their gradient and clears the gradient. mean and
// square are the decaying means of the gradient and its square. All four have the
// same length.
func (s *Step) Move(weights, grad, mean, square []float32) {
	n := len(weights)
	grad, mean, square = grad[:n], mean[:n], square[:n]
	done := step(weights, grad, mean, square, &s.constants)
	stepGo(weights[done:], grad[done:], mean[done:], square[done:], &s.constants)
}

// stepGo is the specification. Every operation rounds: the conversions keep the
// compiler from fusing two.
func stepGo(w, g, m, s []float32, c *[6]float32) {
	cut, newMean, newSquare, gone, pace, least := c[0], c[1], c[2], c[3], c[4], c[5]
	for k := range w {
		x := g[k] * cut
		mean := m[k] + float32(newMean*(x-m[k]))
		if mean < gone && mean > -gone {
			mean = 0
		}
		square := s[k] + float32(newSquare*(float32(x*x)-s[k]))
		if square < gone {
			square = 0
		}
		m[k], s[k], g[k] = mean, square, 0
		w[k] -= pace * mean / (float32(math.Sqrt(float64(square))) + least)
	}
}
