package autoencoder

import "math"

// adam is the state of Adam (Kingma and Ba 2015, Algorithm 1).
type adam struct {
	mean, square []float32 // of the gradients, decaying
	steps        int
}

const (
	meanDecay   = 0.9
	squareDecay = 0.999
	smallest    = 1e-8
	// piece is how many weights one thread takes at a time; sums are made piece by
	// piece, so that they do not depend on the number of threads.
	piece = 1 << 15
	// Means of gradients that stay away, as those of rare words do, fall to numbers
	// that float32 holds with fewer digits, which processors are many times slower
	// with. Below gone they move no weight, and are made 0.
	gone = 1e-30
)

// step moves weights against the gradient, whose norm is first cut to most, and
// clears it. It returns the norm before the cut.
func (a *adam) step(weights, grad []float32, rate, most float64, threads int) float64 {
	pieces := (len(grad) + piece - 1) / piece
	squares := make([]float64, pieces)
	inParallel(pieces, threads, func(i int) {
		for _, g := range grad[i*piece : min(len(grad), (i+1)*piece)] {
			squares[i] += float64(g) * float64(g)
		}
	})
	norm := 0.0
	for _, s := range squares {
		norm += s
	}
	norm = math.Sqrt(norm)
	cut := float32(1)
	if norm > most {
		cut = float32(most / norm)
	}
	a.steps++
	// The corrections of the means' start, folded into rate and smallest.
	left := math.Sqrt(1 - math.Pow(squareDecay, float64(a.steps)))
	pace := float32(rate * left / (1 - math.Pow(meanDecay, float64(a.steps))))
	least := float32(smallest * left)
	inParallel(pieces, threads, func(i int) {
		from, to := i*piece, min(len(grad), (i+1)*piece)
		w, g, m, s := weights[from:to], grad[from:to], a.mean[from:to], a.square[from:to]
		for k := range w {
			x := g[k] * cut
			mean := m[k] + (1-meanDecay)*(x-m[k])
			if mean < gone && mean > -gone {
				mean = 0
			}
			square := s[k] + (1-squareDecay)*(x*x-s[k])
			if square < gone {
				square = 0
			}
			m[k], s[k] = mean, square
			w[k] -= pace * mean / (float32(math.Sqrt(float64(square))) + least)
			g[k] = 0
		}
	})
	return norm
}
