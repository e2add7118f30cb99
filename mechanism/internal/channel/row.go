package channel

import (
	"math/bits"
	"slices"

	"github.com/sotto-dp/sotto/internal/scratch"
	"github.com/sotto-dp/sotto/internal/selection"
)

// row is what sampling needs from one input's weights.
type row struct {
	total     uint64   // of all weights
	threshold uint64   // the heaviest weight of the tail: heavier words are in the head
	heads     []uint32 // word numbers
	sums      []uint64 // cumulative weights of heads
}

// headLimit bounds a row's head: 512 words are 6 KiB.
const headLimit = 512

// rowBytes returns the memory of a row whose head has the given number of words.
func rowBytes(heads int) int { return 64 + 12*heads }

// search returns the first index whose cumulative sum exceeds u.
func search(sums []uint64, u uint64) int {
	lo, n := 0, len(sums)
	for n > 0 {
		half := n / 2
		if sums[lo+half] <= u {
			lo += half + 1
			n -= half + 1
		} else {
			n = half
		}
	}
	return lo
}

// cut splits a row of weights, which sum to total, into head and tail. A word heavier than the row's
// average belongs to the head, so that a draw from the tail needs few trials. If there are more than
// headLimit such words, only the heaviest are in the head.
func (s *Scratch) cut(weights []uint64, total uint64) *row {
	r := &row{total: total}
	average := r.total / uint64(len(weights))
	s.at = scratch.Resize(s.at, len(weights)+1)
	heads, heaviest := 0, uint64(0) // of the head, of the tail
	for y, w := range weights {     // no branch here depends on the weights
		s.at[heads] = uint32(y)
		light := w
		if w > average {
			heads++
		}
		if w > average {
			light = 0
		}
		heaviest = max(heaviest, light)
	}
	at := s.at[:heads]
	if heads > headLimit {
		heaviest = s.smallest(weights, at, heads-headLimit)
		kept := 0
		for _, y := range at {
			at[kept] = y
			if weights[y] > heaviest {
				kept++
			}
		}
		at = at[:kept]
	}
	r.threshold = heaviest // the bound for rejection: the tail's heaviest
	r.heads, r.sums = slices.Clone(at), make([]uint64, len(at))
	sum := uint64(0)
	for i, y := range at {
		sum += weights[y]
		r.sums[i] = sum
	}
	return r
}

// smallest returns the k-th smallest of the weights at some words, all of them
// positive. It first counts weights by their leading bits, which leaves few
// candidates.
func (s *Scratch) smallest(weights []uint64, at []uint32, k int) uint64 {
	const sub = 5 // bits after the leading one
	class := func(w uint64) int {
		n := bits.Len64(w)
		return n<<sub | int(w<<(64-n)>>(63-sub))&(1<<sub-1)
	}
	var counts [65 << sub]uint32
	for _, y := range at {
		counts[class(weights[y])]++
	}
	c := 0
	for ; int(counts[c]) < k; c++ {
		k -= int(counts[c])
	}
	s.heavy = s.heavy[:0]
	for _, y := range at {
		if w := weights[y]; class(w) == c {
			s.heavy = append(s.heavy, w)
		}
	}
	return selection.Select(s.heavy, k)
}

// RowSum adds up a row of weights; fits is false if the sum is 2^64 or more.
func RowSum(weights []uint64) (sum uint64, fits bool) {
	wrapped := uint64(0)
	for _, w := range weights {
		var carry uint64
		sum, carry = bits.Add64(sum, w, 0)
		wrapped |= carry
	}
	return sum, wrapped == 0
}
