package channel

import (
	"math"
	"math/bits"
	"slices"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/grid"
	"github.com/sotto-dp/sotto/internal/scratch"
	"github.com/sotto-dp/sotto/internal/simd/within"
)

// proposal is a row for rejection: a number below most is a head, or a word and a number
// below threshold, accepted if that is below the word's weight. Heads are the words
// heavier than threshold. If most is 0 there is no
// such number, and draws are made from the row itself.
type proposal struct {
	most, threshold uint64
	head            uint64 // the weight of all heads
	levels          levels // of frequent words
	heads           []uint32
	sums            []uint64 // cumulative weights of heads
	total           uint64   // of all weights; 0 is unknown
}

// propose makes a proposal for n words from the words that may be heavier than threshold,
// with their weights.
func propose(n uint64, at []uint32, weights []uint64, threshold uint64) *proposal {
	p := &proposal{threshold: threshold}
	count := 0
	for _, w := range weights {
		if w > threshold {
			count++
		}
	}
	p.heads, p.sums = make([]uint32, 0, count), make([]uint64, 0, count)
	sum, carry := uint64(0), uint64(0)
	for i, w := range weights {
		if w > threshold {
			var over uint64
			sum, over = bits.Add64(sum, w, 0)
			carry |= over
			p.heads, p.sums = append(p.heads, at[i]), append(p.sums, sum)
		}
	}
	over, tail := bits.Mul64(n, threshold)
	most, wrapped := bits.Add64(sum, tail, 0)
	if carry|over|wrapped != 0 {
		return new(proposal)
	}
	p.most, p.head = most, sum
	return p
}

// ofRow is the proposal with the heads and the threshold of a row.
func (c *Sampler) ofRow(r *row) *proposal {
	weights, last := make([]uint64, len(r.sums)), uint64(0)
	for i, sum := range r.sums {
		weights[i], last = sum-last, sum
	}
	p := propose(c.n, r.heads, weights, r.threshold)
	p.total = r.total
	return p
}

// proposer is a [Weigher] that makes proposals without whole rows of weights.
type proposer interface {
	// propose calls take with a proposal for each of xs, or with nil for a row without.
	propose(s *Scratch, xs []embedding.ID, take func(x embedding.ID, p *proposal))
}

// usualHeads is about the number of heads of a proposal. It leaves room for a sample that
// misleads below headLimit.
const usualHeads = headLimit * 3 / 4

// propose finds the heads among the nearest words: where the weights are known to fall
// with the distance, no other word is heavier than the farthest of these. Words that weigh
// as much as usual ones are no heads: a draw from the tail finds them as soon.
func (c *Distance) propose(s *Scratch, xs []embedding.ID, take func(x embedding.ID, p *proposal)) {
	n := int(c.n)
	farthest, falls := c.law.Falls()
	if c.base != nil || !falls || n <= headLimit {
		for _, x := range xs {
			take(x, nil)
		}
		return
	}
	s.narrow = scratch.Resize(s.narrow, n*len(xs))
	grid.SquaredDistances32(c.metric.Table.Grid(), s.narrow, xs, 0, n)
	s.in = scratch.Resize(s.in, (n+63)/64)
	near := make([]uint32, 0, headLimit+1)
	for i, x := range xs {
		row := s.narrow[i*n : (i+1)*n]
		if farthest < math.MaxUint32 && within.Mark(s.in, row, farthest) < n {
			take(x, nil)
			continue
		}
		clear(s.in)
		s.finder.MarkAbout(s.in, row, usualHeads, headLimit+1)
		s.at, near = within.Append(s.at[:0], s.in), near[:0]
		for _, y := range s.at {
			near = append(near, row[y])
		}
		usual := c.usual(s, row)
		s.Weights = scratch.Resize(s.Weights, len(near))
		c.law.Fill32(s.Weights, near)
		sum, _ := RowSum(s.Weights)
		usual += sum / c.n // few of these are in the sample
		threshold := slices.Min(s.Weights)
		for _, w := range s.Weights {
			if w <= usual {
				threshold = max(threshold, w)
			}
		}
		take(x, propose(c.n, s.at, s.Weights, threshold))
	}
}

// usual returns the mean weight of every 16th word of a row of squared distances.
func (c *Distance) usual(s *Scratch, row []uint32) uint64 {
	s.sample = s.sample[:0]
	for y := 0; y < len(row); y += 16 {
		s.sample = append(s.sample, row[y])
	}
	s.Weights = scratch.Resize(s.Weights, len(s.sample))
	c.law.Fill32(s.Weights, s.sample)
	sum, _ := RowSum(s.Weights)
	return sum / uint64(len(s.sample))
}
