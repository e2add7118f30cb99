package learn

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/sotto-dp/sotto/internal/simd/rowops"
)

const (
	maxIterations = 80
	remembered    = 6    // steps of L-BFGS
	enough        = 2e-4 // relative gain of a step below which the solution is good enough
	mostHalvings  = 20
	leastGain     = 1e-4 // of a step, as a share of what its slope promises
)

var errNoSolution = errors.New("learn: the optimiser found no solution")

// step is a move of L-BFGS: of the parameters, and of the gradient.
type step struct {
	move, turn []float32
	inverse    float64 // of the product of both
	square     float64 // product of turn and turn divided by the curvature
}

// minimise runs L-BFGS (Nocedal and Wright 2006, algorithm 7.4) from a start. The inverse
// curvature of each parameter takes the place of the initial Hessian.
func minimise(ctx context.Context, o *objective, at []float32, start []float32) ([]float32, error) {
	x, slope := slices.Clone(start), make([]float32, len(start))
	value := o.evaluate(x, slope)
	if !(value <= math.MaxFloat64) {
		return nil, errNoSolution
	}
	next, nextSlope, way := make([]float32, len(x)), make([]float32, len(x)), make([]float32, len(x))
	var steps []step
	small := 0
	for range maxIterations {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		copy(way, slope)
		direct(way, steps, at)
		descent := -product(slope, way)
		if !(descent < 0) {
			break
		}
		found, length := 0.0, 1.0
		for try := 0; ; try++ {
			for k := range next {
				next[k] = x[k] - float32(length)*way[k]
			}
			if found = o.evaluate(next, nextSlope); found <= value+leastGain*length*descent {
				break
			}
			if try == mostHalvings { // rounding hides any progress
				return x, nil
			}
			length /= 2
		}
		s := step{move: make([]float32, len(x)), turn: make([]float32, len(x))}
		if len(steps) == remembered {
			s.move, s.turn = steps[0].move, steps[0].turn
			steps = steps[1:]
		}
		for k := range x {
			s.move[k], s.turn[k] = next[k]-x[k], nextSlope[k]-slope[k]
		}
		if both := product(s.move, s.turn); both > 0 {
			s.inverse = 1 / both
			copy(way, s.turn)
			times(way, at)
			s.square = product(s.turn, way)
			steps = append(steps, s)
		}
		gain := value - found
		x, next, slope, nextSlope, value = next, x, nextSlope, slope, found
		if small++; gain > enough*math.Abs(value) {
			small = 0
		}
		if small == 2 {
			break
		}
	}
	return x, nil
}

// direct turns a gradient into a direction.
func direct(v []float32, steps []step, at []float32) {
	shares := make([]float64, len(steps))
	for i := len(steps) - 1; i >= 0; i-- {
		s := &steps[i]
		shares[i] = s.inverse * product(s.move, v)
		rowops.Axpy(v, float32(-shares[i]), s.turn)
	}
	times(v, at)
	if n := len(steps); n > 0 {
		share := float32(1 / (steps[n-1].inverse * steps[n-1].square))
		for k := range v {
			v[k] *= share
		}
	}
	for i := range steps {
		s := &steps[i]
		rowops.Axpy(v, float32(shares[i]-s.inverse*product(s.turn, v)), s.move)
	}
}

// product returns the inner product. Sums of a block are float32.
func product(a, b []float32) float64 {
	sum := 0.0
	b = b[:len(a)]
	for len(a) >= 64 {
		var s0, s1, s2, s3 float32
		x, y := a[:64], b[:64]
		for i := 0; i < 64; i += 4 {
			s0 += x[i] * y[i]
			s1 += x[i+1] * y[i+1]
			s2 += x[i+2] * y[i+2]
			s3 += x[i+3] * y[i+3]
		}
		sum += float64(s0+s1) + float64(s2+s3)
		a, b = a[64:], b[64:]
	}
	for i, x := range a {
		sum += float64(x) * float64(b[i])
	}
	return sum
}

func times(v, by []float32) {
	by = by[:len(v)]
	for i := range v {
		v[i] *= by[i]
	}
}

// sum returns the sum of two lists of weights, of which one may be nil for zeros, the second
// times a factor.
func sum(a, b []float32, times float32) []float32 {
	if a == nil && b == nil {
		return nil
	}
	all := make([]float32, max(len(a), len(b)))
	copy(all, a)
	for i, x := range b {
		all[i] += times * x
	}
	return all
}
