package estimate

import (
	"context"
	"math"
)

// Fit is a non-negative estimate of all counts of a part.
type Fit struct {
	Counts []float64 // one per word; they sum to the tokens of the part
	// Gap bounds how far half the sum of squares is above its minimum, at the last point
	// where the gradient was computed, one step before Counts. The noise of the counts
	// contributes about half the number of tokens. Converged means that the gap is at most
	// a fifth of that.
	Gap       float64
	Steps     int
	Converged bool
}

const (
	mostFitSteps  = 3000
	mostRankSteps = 200 // to choose the words that are listed
)

// Nonnegative fits counts f >= 0 that sum to the tokens of a part by least squares:
// min |P'f - n|^2 / 2. The estimate is biased, mostly for common words, and has a far
// smaller variance than the unbiased one. It exists for every channel. Projected gradients
// with momentum (Nesterov 1983; Beck and Teboulle 2009), restarted where momentum and
// gradient disagree (O'Donoghue and Candes 2015).
//
// If the rows are not stored in full (see [New]), the fit is for the stored rows.
func (e *Estimator) Nonnegative(ctx context.Context, parts [][]int) ([]Fit, error) {
	fits := make([]Fit, len(parts))
	for i, counts := range parts {
		var err error
		if fits[i], err = e.fit(ctx, counts, mostFitSteps); err != nil {
			return nil, err
		}
	}
	return fits, nil
}

// fit takes at most most steps.
func (e *Estimator) fit(ctx context.Context, counts []int, most int) (Fit, error) {
	if err := e.checkCounts(counts); err != nil {
		return Fit{}, err
	}
	n, tokens := e.table.Len(), float64(total(counts))
	bound := e.steepness()
	f, last, at := make([]float64, n), make([]float64, n), make([]float64, n)
	left, gradient := make([]float64, n), make([]float64, n)
	for x := range f {
		f[x] = tokens / float64(n)
	}
	copy(at, f)
	report := e.report.Stage("fitting")
	for step, momentum := 1, 1.0; ; step++ {
		if err := ctx.Err(); err != nil {
			return Fit{}, err
		}
		e.rows.timesTransposed(left, at)
		for y, c := range counts {
			left[y] -= float64(c)
		}
		e.rows.times(gradient, left)
		copy(last, f)
		for x := range f {
			f[x] = at[x] - gradient[x]/bound
		}
		project(f, tokens)
		gap := gapOf(gradient, at, tokens)
		converged := gap <= tokens/10
		report.At(step, most)
		if converged || step == most {
			return Fit{Counts: f, Gap: gap, Steps: step, Converged: converged}, nil
		}
		uphill := 0.0
		for x := range f {
			uphill += (at[x] - f[x]) * (f[x] - last[x])
		}
		next := (1 + math.Sqrt(1+4*momentum*momentum)) / 2
		pull := (momentum - 1) / next
		if momentum = next; uphill > 0 {
			momentum, pull = 1, 0
		}
		for x := range at {
			at[x] = f[x] + pull*(f[x]-last[x])
		}
	}
}

// gapOf returns the duality gap over f >= 0 with the given sum: the most that a linear
// step could gain.
func gapOf(gradient, f []float64, tokens float64) float64 {
	inner, least := 0.0, math.Inf(1)
	for x, g := range gradient {
		inner += g * f[x]
		least = min(least, g)
	}
	return inner - tokens*least
}

// project moves f to the nearest point with entries of 0 or more and the given sum
// (Michelot 1986).
func project(f []float64, sum float64) {
	shift, kept := math.Inf(-1), -1
	for {
		above, count := 0.0, 0
		for _, v := range f {
			if v > shift {
				above += v
				count++
			}
		}
		if count == kept || count == 0 {
			break
		}
		kept, shift = count, (above-sum)/float64(count)
	}
	for x := range f {
		f[x] = max(0, f[x]-shift)
	}
}

// steepness bounds the largest eigenvalue of P P' on vectors that sum to 0, along
// which alone counts of a known total can move: power iteration, and a fifth more.
func (e *Estimator) steepness() float64 {
	e.steepOnce.Do(func() {
		n := e.table.Len()
		v, u := make([]float64, n), make([]float64, n)
		for x := range v { // a start with a part of every direction
			v[x] = math.Sin(float64(x+1) * 0.7)
		}
		largest := 0.0
		for range 20 {
			mean, before, after := 0.0, 0.0, 0.0
			for _, a := range v {
				mean += a / float64(n)
			}
			for x := range v {
				v[x] -= mean
				before += v[x] * v[x]
			}
			e.rows.timesTransposed(u, v)
			for _, a := range u {
				after += a * a
			}
			largest = ratio(after, before)
			e.rows.times(v, u)
			for x := range v {
				v[x] *= ratio(1, before)
			}
		}
		e.steep = max(1.2*largest, 1e-300)
	})
	return e.steep
}
