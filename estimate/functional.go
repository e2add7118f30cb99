package estimate

import (
	"context"
	"math"

	"github.com/sotto-dp/sotto/embedding"
)

// functionals are the vectors g of up to eight words: g'n estimates a count.
type functionals struct {
	words []embedding.ID
	g     []wide
	off   []wide // P g - e_w
}

const (
	// precise is the share of an interval's half-width that a solver may leave over
	// before it stops.
	precise = 0.02
	// unbiased is the share below which an estimate counts as unbiased.
	unbiased = 0.05
	// mostSteps bounds the work for a word. It is far above what channels take that
	// an interval of any use can come from.
	mostSteps = 300
)

// widths judges iterates by public figures alone: the channel and N.
type widths struct {
	tokens, z float64
}

// spread is the half-width of an interval for a text of N tokens in which all
// words are alike, given g and h = C^-1 g: z standard deviations and half a jump.
func (w widths) spread(largest, square float64, n int) float64 {
	return w.z*math.Sqrt(max(0, w.tokens*(square-1/float64(n)))) + largest/2
}

// shape gives for each lane the largest |g|, the square of |h|, and the range of
// the residual P g - e_w = -left.
func (e *Estimator) shape(h, left []wide) (largest, square, low, high wide) {
	for y, c := range e.scale {
		for j, v := range h[y] {
			square[j] += v * v
			largest[j] = max(largest[j], math.Abs(c*v))
		}
	}
	for x := range left {
		for j, v := range left[x] {
			low[j], high[j] = min(low[j], -v), max(high[j], -v)
		}
	}
	return largest, square, low, high
}

// solveWords finds the functionals of at most eight words over rows that are kept
// exactly. With allowBias each lane is the iterate at which half-width plus bias is
// least.
func (e *Estimator) solveWords(ctx context.Context, words []embedding.ID, w widths, allowBias bool) (*functionals, error) {
	n := e.table.Len()
	f := &functionals{words: words, g: make([]wide, n), off: make([]wide, n)}
	b := make([]wide, n)
	for j, x := range words {
		b[x][j] = 1
	}
	if err := e.system().solve(ctx, b, e.watch(f, w, allowBias)); err != nil {
		return nil, err
	}
	e.unscale(f.g, f.g)
	e.rows.forward(f.off, f.g)
	for j, x := range words {
		f.off[x][j]--
	}
	return f, nil
}

// watch keeps in f.g the iterate h that each word is to have, and says when to stop.
func (e *Estimator) watch(f *functionals, w widths, allowBias bool) func(step int, h, left []wide) bool {
	n := e.table.Len()
	var narrowest wide
	for j := range narrowest {
		narrowest[j] = math.Inf(1)
	}
	idle := 0 // steps since an interval became narrower
	worst := []float64{math.Inf(1)}
	return func(step int, h, left []wide) bool {
		largest, square, low, high := e.shape(h, left)
		most := 0.0
		idle++
		for j := range f.words {
			spread := w.spread(largest[j], square[j], n)
			most = max(most, w.tokens*max(high[j], -low[j])/spread)
			width := spread + w.tokens*(high[j]-low[j])/2
			if width < 0.999*narrowest[j] {
				idle = 0
			}
			if width < narrowest[j] || !allowBias {
				narrowest[j] = min(narrowest[j], width)
				for y := range h {
					f.g[y][j] = h[y][j]
				}
			}
		}
		worst = append(worst, most)
		switch {
		case most <= precise || step == mostSteps:
			return true
		case allowBias:
			return idle >= mostIdle
		}
		return hopeless(worst)
	}
}

// mostIdle is how long a word's interval may stay as wide as it was.
const mostIdle = 16

// hopeless extrapolates what is left over after each step: twice as fast as over
// the last half of the steps it would still not be precise within mostSteps.
func hopeless(left []float64) bool {
	step := len(left) - 1
	if step < 48 || step%16 != 0 {
		return false
	}
	pace := math.Log(left[step/2]/left[step]) / float64(step-step/2)
	return math.Log(left[step]/precise) > 2*pace*float64(mostSteps-step)
}

// worst is the largest |P g - e_w| of functional j: the bias for a token.
func (f *functionals) worst(j int) float64 {
	worst := 0.0
	for x := range f.off {
		worst = max(worst, math.Abs(f.off[x][j]))
	}
	return worst
}

// spread is the half-width of functional j for a text of all words alike.
func (e *Estimator) spread(f *functionals, j int, w widths) float64 {
	largest, square := 0.0, 0.0
	for y, m := range e.mean {
		g := f.g[y][j]
		largest = max(largest, math.Abs(g))
		square += m * g * g
	}
	return w.spread(largest, square, len(e.mean))
}
