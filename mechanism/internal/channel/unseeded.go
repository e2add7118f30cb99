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

// PrepareUnseeded makes what ReplaceUnseeded needs for words, many rows at a time.
func (c *Sampler) PrepareUnseeded(ctx context.Context, words []embedding.ID) {
	_, _ = c.proposals(ctx, c.proposed.Claim(words))
	c.prepareFrequent(ctx, words)
}

// ReplaceUnseeded is Replace with the same distribution and other random numbers. It draws
// all occurrences of a word together, so that a row stays in the caches.
func (c *Sampler) ReplaceUnseeded(dst, src []embedding.ID, rng rand.Source) ([]embedding.ID, error) {
	rng = noise.OrSecure(rng)
	s := scratches.Get().(*Scratch)
	defer scratches.Put(s)
	from := len(dst)
	dst = slices.Grow(dst, len(src))[:from+len(src)]
	defer s.ungroup() // also after a panic in group: what is left there would pass over places
	s.group(src, int(c.n))
	if err := c.drawGroups(s, dst[from:], rng); err != nil {
		return dst[:from], err
	}
	return dst, nil
}

// group chains the places of each word of src, among n words: last has one place more than
// the last of a word, and before what comes before a place in its chain. 0 ends a chain.
func (s *Scratch) group(src []embedding.ID, n int) {
	s.last, s.before = scratch.Resize(s.last, n), scratch.Resize(s.before, len(src))
	s.words = s.words[:0]
	for i, x := range src {
		if s.last[x] == 0 {
			s.words = append(s.words, x)
		}
		s.before[i], s.last[x] = s.last[x], uint32(i+1)
	}
}

// ungroup leaves nothing but 0 in last.
func (s *Scratch) ungroup() {
	for _, x := range s.words {
		s.last[x] = 0
	}
	s.words = s.words[:0]
}

// drawGroups draws a word for each place that is grouped.
func (c *Sampler) drawGroups(s *Scratch, dst []embedding.ID, rng rand.Source) error {
	const together = 256
	s.trials = s.trials[:0]
	for _, x := range s.words {
		if p := c.frequent.rows[x].Load(); p != nil {
			for at := s.last[x]; at != 0; at = s.before[at-1] {
				dst[at-1] = c.drawByLevels(p, x, rng)
			}
			continue
		}
		p := c.proposed.Get(x)
		if p == nil {
			var err error
			if p, err = c.proposals(context.Background(), []embedding.ID{x}); err != nil {
				return err
			}
		}
		for at := s.last[x]; at != 0; at = s.before[at-1] {
			if p.most > 0 {
				s.trials = append(s.trials, trial{to: embedding.ID(at - 1), x: x, row: p})
				continue
			}
			one, err := c.Replace(nil, []embedding.ID{x}, rng)
			if err != nil {
				return err
			}
			dst[at-1] = one[0]
		}
		if len(s.trials) >= together {
			c.tryAll(s, dst, rng)
		}
	}
	c.tryAll(s, dst, rng)
	return nil
}

// drawByLevels returns a draw from a row with levels.
func (c *Sampler) drawByLevels(p *proposal, x embedding.ID, rng rand.Source) embedding.ID {
	for {
		u := noise.Below(rng, p.most)
		if u < p.head {
			return embedding.ID(p.heads[search(p.sums, u)])
		}
		u -= p.head
		y, below := embedding.ID(u/p.threshold), u%p.threshold
		accepted, decided := p.levels.accept(y, below)
		if !decided {
			w := c.source.Weight(x, y)
			accepted = w <= p.threshold && below < w
		}
		if accepted {
			return y
		}
	}
}

// tryAll makes trials until all draws are accepted, several together, so that the
// processor waits for several memory reads at once.
func (c *Sampler) tryAll(s *Scratch, dst []embedding.ID, rng rand.Source) {
	for len(s.trials) > 0 {
		c.try(s, dst, rng)
	}
}

// try makes one trial of each draw, and keeps those that are not accepted.
func (c *Sampler) try(s *Scratch, dst []embedding.ID, rng rand.Source) {
	left := s.trials[:0]
	for _, d := range s.trials {
		u, head := noise.Below(rng, d.row.most), d.row.head
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
