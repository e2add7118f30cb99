package autoencoder

import (
	"math"

	"github.com/sotto-dp/sotto/internal/simd/adam"
)

// moments are the state of Adam: the decaying means of the gradients and their squares.
type moments struct {
	mean, square []float32
	steps        int
}

// piece is the number of weights a thread processes at a time. Sums are per
// piece, so that they do not depend on the number of threads.
const piece = 1 << 15

// step moves weights against the gradient, whose norm is first cut to most, and
// clears it. It returns the norm before the cut.
func (a *moments) step(weights, grad []float32, rate, most float64, threads int) float64 {
	pieces := (len(grad) + piece - 1) / piece
	squares := make([]float64, pieces)
	inParallel(pieces, threads, func(i int) {
		squares[i] = sumOfSquares(grad[i*piece : min(len(grad), (i+1)*piece)])
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
	one := adam.NewStep(a.steps, rate, cut)
	inParallel(pieces, threads, func(i int) {
		from, to := i*piece, min(len(grad), (i+1)*piece)
		one.Move(weights[from:to], grad[from:to], a.mean[from:to], a.square[from:to])
	})
	return norm
}

func sumOfSquares(v []float32) float64 {
	var sums [4]float64 // so that additions overlap
	for ; len(v) >= 4; v = v[4:] {
		for i, x := range v[:4] {
			sums[i] += float64(x) * float64(x)
		}
	}
	for _, x := range v {
		sums[0] += float64(x) * float64(x)
	}
	return sums[0] + sums[1] + (sums[2] + sums[3])
}
