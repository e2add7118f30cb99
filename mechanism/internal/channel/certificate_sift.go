package channel

import (
	"math"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/scratch"
	"github.com/sotto-dp/sotto/internal/simd/within"
)

// tile is the pairs of some rows and the columns from low (included) to high
// (excluded), with what is known of their distances: squares, in units of the
// table's steps, and radii that those may be off by, in steps (nil: none).
type tile struct {
	xs          []embedding.ID
	low, high   int
	squares     []uint32
	unit        float64
	own, others []float64
	margin      float64
}

// sift sets s.left to the pairs of a tile that may be as bad as the worst so far. It
// gives up and returns false at more than most pairs.
//
// A pair with the distance d and the difference i of its rows' logarithms has the
// loss t min(d,gamma) + i + slack. Per unit of distance that is at least m only
// where d is small enough, and it is at least p only where d is large enough: see
// reach. A row is looked through with the two limits for the largest i that the
// tile has with it, so that most pairs cost one integer comparison; the remaining
// pairs are checked with their own i and radii.
func (r *certification) sift(s *Scratch, best *worstPairs, t *tile, most int) bool {
	s.left = s.left[:0]
	step, width := r.law.Step, t.high-t.low
	leastLog, mostLog, widest := math.Inf(1), math.Inf(-1), 0.0
	for j, l := range r.logs[t.low:t.high] {
		leastLog, mostLog = min(leastLog, l), max(mostLog, l)
		if t.others != nil {
			widest = max(widest, t.others[j])
		}
	}
	// The rounding of a few operations is far below this share of any sum here.
	const rounding = 1e-12
	for i, x := range t.xs {
		start := max(t.low, int(x)+1)
		if start >= t.high {
			continue
		}
		log, radius := r.logs[x], widest
		if t.own != nil {
			radius += t.own[i]
		}
		near, far := r.reach(best, max(mostLog-log, log-leastLog), t.margin)
		squareOf := func(d float64) float64 { return d / t.unit * (d / t.unit) }
		nearest := uint32(min(math.MaxUint32-1, float64(squareOf(near/step+radius)*(1+rounding))+1))
		farthest := uint32(min(math.MaxUint32, squareOf(max(0, float64(far/step*(1-rounding))-radius))*(1-rounding)))
		row := t.squares[i*width+start-t.low : (i+1)*width]
		for _, j := range s.outside(row, nearest, max(nearest, farthest-min(farthest, 1))) {
			q, y := row[j], start+int(j)
			radius := 0.0
			if t.own != nil {
				radius = t.own[i] + t.others[y-t.low]
			}
			d := float64(t.unit * math.Sqrt(float64(q)))
			off := radius + float64(rounding*(d+radius))
			near, far := r.reach(best, math.Abs(r.logs[y]-log), t.margin)
			if step*(d-off) > near && step*(d+off) < far {
				continue
			}
			if len(s.left) == most {
				return false
			}
			s.left = append(s.left, pairAt{x, embedding.ID(y), q})
		}
	}
	return true
}

// outside lists the places of a row's elements that are at most low or above high, low at
// most high. The list is reused.
func (s *Scratch) outside(row []uint32, low, high uint32) []uint32 {
	words := (len(row) + 63) / 64
	s.in, s.upTo = scratch.Resize(s.in, words), scratch.Resize(s.upTo, words)
	within.Mark(s.in, row, low)
	within.Mark(s.upTo, row, high)
	for i, word := range s.upTo {
		s.in[i] |= ^word
	}
	if rest := len(row) % 64; rest > 0 {
		s.in[words-1] &= 1<<rest - 1
	}
	s.at = within.Append(s.at[:0], s.in)
	return s.at
}

// reach returns near, the largest distance at which a pair whose rows' logarithms
// differ by imbalance can have the worst loss per unit of distance so far, and
// far, the smallest at which it can have the worst loss. With s = imbalance +
// slack,
//
//	t min(d,gamma) + s >= m d   only where d <= s/(m-t) if m > t, and d <= (t gamma + s)/m,
//	t min(d,gamma) + s >= p     only where d >= (p-s)/t, and t gamma + s >= p.
//
// A margin above 1 is for rounding.
func (r *certification) reach(best *worstPairs, imbalance, margin float64) (near, far float64) {
	t, gamma, s := r.law.T, r.law.Gamma, imbalance+r.added
	m, p := best.metric.Value/margin, best.pure.Value/margin
	near, far = math.Inf(1), math.Inf(1)
	if m > t {
		near = s / (m - t)
	}
	if m > 0 {
		near = min(near, (float64(t*gamma)+s)/m)
	}
	if float64(t*gamma)+s >= p {
		far = (p - s) / t
	}
	return near, far
}
