package codes

import (
	"math"
	"math/rand/v2"

	"github.com/sotto-dp/sotto/internal/elementary"
)

// Response is randomised response for bits: each bit is flipped independently, with a
// probability that is an integer multiple of 2^-64. It uses no floating point, so the loss
// of a bit is exact.
type Response struct {
	flips uint64 // chance in 2^-64
}

// NewResponse returns the response with the smallest flip probability at which one bit
// loses at most epsilon: 1/(1 + e^epsilon), rounded up.
func NewResponse(epsilon float64) Response {
	odds := float64(elementary.Exp(-epsilon) * (1 + 0x1p-47)) // above the error of Exp
	flips := math.Ceil(math.Ldexp(odds/(1+odds), 64) * (1 + 0x1p-50))
	if flips >= 0x1p63 {
		return Response{1 << 63}
	}
	return Response{uint64(max(1, flips))}
}

// Flip returns the probability that a bit is flipped.
func (r Response) Flip() float64 { return math.Ldexp(float64(r.flips), -64) }

// Loss returns the loss of one bit, ln((2^64 - f)/f) for f flips in 2^64, rounded up.
func (r Response) Loss() float64 {
	return float64(elementary.Log(float64(-r.flips)/float64(r.flips))*(1+0x1p-50)) + 0x1p-50
}

// Draw writes the response to the first n bits of code into dst, which has the length of
// code and may be code itself. Further bits become 0. The number of random words that it
// takes depends only on those words.
func (r Response) Draw(dst, code []uint64, n int, src rand.Source) {
	for i, w := range code {
		keep := ^uint64(0)
		if left := n - 64*i; left < 64 {
			keep = 1<<max(0, left) - 1
		}
		dst[i] = (w ^ r.flipped(src)) & keep
	}
}

// flipped returns 64 independent bits, each 1 with the chance of a flip: whether a number
// of 64 random bits is below flips, for 64 numbers at once, from the highest bits down.
func (r Response) flipped(src rand.Source) (below uint64) {
	open := ^uint64(0) // numbers equal to flips so far
	for bit := 63; bit >= 0 && open != 0; bit-- {
		random := src.Uint64()
		if r.flips>>bit&1 == 1 {
			below |= open &^ random
			open &= random
		} else {
			open &^= random
		}
	}
	return below
}
