package channel

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/scratch"
	"github.com/sotto-dp/sotto/noise"
)

// trial is a draw by rejection that is not accepted yet: where its word goes, the row, and
// the word and the number that were proposed last.
type trial struct {
	to, x, y embedding.ID
	below    uint64
	row      *proposal
}

// cell is a draw from an alias row: where its word goes, and what was drawn.
type cell struct {
	to, at int
	below  uint64
	row    *aliasRow
}

// PrepareUnseeded makes what ReplaceUnseeded needs for words, many rows at a time.
func (c *Sampler) PrepareUnseeded(ctx context.Context, words []embedding.ID) {
	c.prepareFrequent(ctx, words)
	_, _ = c.proposals(ctx, c.proposed.Claim(words))
}

// ReplaceUnseeded is Replace with the same distribution and other random numbers. It draws
// several words together, so that the processor waits for several memory reads at once.
func (c *Sampler) ReplaceUnseeded(dst, src []embedding.ID, rng rand.Source) ([]embedding.ID, error) {
	const together = 256
	rng = noise.OrSecure(rng)
	s := scratches.Get().(*Scratch)
	defer scratches.Put(s)
	dst = slices.Grow(dst, len(src))
	for some := range slices.Chunk(src, together) {
		to := dst[len(dst) : len(dst)+len(some)]
		if err := c.drawTogether(s, to, some, rng); err != nil {
			return dst, err
		}
		dst = dst[:len(dst)+len(to)]
	}
	return dst, nil
}

// drawTogether draws a word for each of src.
func (c *Sampler) drawTogether(s *Scratch, dst, src []embedding.ID, rng rand.Source) error {
	s.cells, s.trials = s.cells[:0], s.trials[:0]
	for i, x := range src {
		if a := c.frequent.rows[x].Load(); a != nil {
			s.cells = append(s.cells, cell{i, int(noise.Below(rng, uint64(len(a.cells)))), noise.Below(rng, a.total), a})
			continue
		}
		p := c.proposed.Get(x)
		if p == nil {
			var err error
			if p, err = c.proposals(context.Background(), []embedding.ID{x}); err != nil {
				return err
			}
		}
		if p.most == 0 {
			one, err := c.Replace(nil, []embedding.ID{x}, rng)
			if err != nil {
				return err
			}
			dst[i] = one[0]
			continue
		}
		s.trials = append(s.trials, trial{to: embedding.ID(i), x: x, row: p})
	}
	for _, d := range s.cells {
		dst[d.to] = embedding.ID(d.row.word(d.at, d.below))
	}
	for len(s.trials) > 0 {
		c.try(s, dst, rng)
	}
	return nil
}

// try makes one trial of each draw, and keeps those that are not accepted.
func (c *Sampler) try(s *Scratch, dst []embedding.ID, rng rand.Source) {
	left := s.trials[:0]
	for _, d := range s.trials {
		u, head := noise.Below(rng, d.row.most), d.row.head()
		if u < head {
			dst[d.to] = embedding.ID(d.row.heads[search(d.row.sums, u)])
			continue
		}
		d.y, d.below = embedding.ID((u-head)/d.row.threshold), (u-head)%d.row.threshold
		left = append(left, d)
	}
	s.Weights = scratch.Resize(s.Weights, len(left))
	c.weighPairs(s, left)
	s.trials = left[:0]
	for i, d := range left {
		if w := s.Weights[i]; w <= d.row.threshold && d.below < w {
			dst[d.to] = d.y
			continue
		}
		s.trials = append(s.trials, d)
	}
}

// weighPairs fills s.Weights with the weights of the words proposed.
func (c *Sampler) weighPairs(s *Scratch, trials []trial) {
	d, ok := c.source.(*Distance)
	if !ok || d.base != nil || !d.law.Tabulated() {
		for i, t := range trials {
			s.Weights[i] = c.source.Weight(t.x, t.y)
		}
		return
	}
	s.narrow = scratch.Resize(s.narrow, len(trials))
	for i, t := range trials {
		s.narrow[i] = uint32(d.metric.Square(t.x, t.y))
	}
	d.law.Fill32(s.Weights, s.narrow)
}

// proposals makes and caches the proposals for xs, which are claimed, and returns the
// last. When it fails, or ctx ends, it releases the rest of the claims.
func (c *Sampler) proposals(ctx context.Context, xs []embedding.ID) (last *proposal, err error) {
	const batch = 8 // rows that stay in the L2 cache
	s := scratches.Get().(*Scratch)
	defer scratches.Put(s)
	for len(xs) > 0 {
		if ctx.Err() != nil {
			c.proposed.Release(xs)
			return last, ctx.Err()
		}
		now := xs[:min(batch, len(xs))]
		var without []embedding.ID
		if source, ok := c.source.(proposer); ok {
			source.propose(s, now, func(x embedding.ID, p *proposal) {
				if p == nil {
					without = append(without, x)
					return
				}
				last = p
				c.proposed.Put(x, p)
			})
		} else {
			without = now
		}
		for _, x := range without {
			weights := c.Rows(nil, []embedding.ID{x})
			total, fits := RowSum(weights)
			if err := c.CheckTotal(total, fits); err != nil {
				c.proposed.Release(xs)
				return nil, err
			}
			last = c.ofRow(s.cut(weights, total))
			c.proposed.Put(x, last)
		}
		xs = xs[len(now):]
	}
	return last, nil
}
