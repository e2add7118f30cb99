package channel

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/shortcut"
	"github.com/sotto-dp/sotto/mechanism/internal/cache"
	"github.com/sotto-dp/sotto/noise"
)

// Sampler makes exact draws from rows of integer weights.
//
// Whole rows of weights are not cached. For each row used, the words heavier
// than a threshold are cached with their cumulative weights; the rest of the
// row, whose total is known exactly, is drawn by rejection: a uniform word,
// accepted with probability weight/threshold. Both parts are exact over the same
// integers that the certificate sums.
type Sampler struct {
	source   Weigher
	n        uint64 // outputs
	Whole    uint64 // required sum of every row; 0 accepts any sum below 2^63
	rows     *cache.Cache[row]
	proposed *cache.Cache[proposal] // of unseeded draws, instead of rows
	frequent *frequent
}

var (
	_ shortcut.Rows     = (*Sampler)(nil)
	_ shortcut.Preparer = (*Sampler)(nil)
	_ shortcut.Stayer   = (*Sampler)(nil)
	_ shortcut.Unseeded = (*Sampler)(nil)
)

// Weigher computes a sampler's weights.
type Weigher interface {
	// Weigh fills s.weights with the rows of xs, one after the other.
	Weigh(s *Scratch, xs []embedding.ID)
	// Weight returns one entry of the channel, the same number as in Weigh.
	Weight(x, y embedding.ID) uint64
}

// Start prepares a sampler for the n words of a source.
func (c *Sampler) Start(source Weigher, n int) {
	c.source, c.n, c.frequent = source, uint64(n), newFrequent(n)
	c.rows = cache.New(n, rowBytes(headLimit), cache.Bytes, func(r *row) int { return rowBytes(len(r.heads)) })
	c.proposed = cache.New(n, rowBytes(headLimit), cache.Bytes, func(p *proposal) int { return rowBytes(len(p.heads)) })
}

// Weights appends the row of one input: one weight for each word of the table.
func (c *Sampler) Weights(dst []uint64, in embedding.ID) []uint64 {
	return c.Rows(dst, []embedding.ID{in})
}

// Rows appends the rows of xs, one after the other.
func (c *Sampler) Rows(dst []uint64, xs []embedding.ID) []uint64 {
	s := scratches.Get().(*Scratch)
	defer scratches.Put(s)
	own := s.Weights
	defer func() { s.Weights = own }()
	n := len(xs) * int(c.n)
	dst = slices.Grow(dst, n)
	s.Weights = dst[len(dst) : len(dst)+n] // rows are written directly into dst
	c.source.Weigh(s, xs)
	return dst[:len(dst)+n]
}

// Replace draws one output for each word of src.
func (c *Sampler) Replace(dst, src []embedding.ID, rng rand.Source) ([]embedding.ID, error) {
	rng = noise.OrSecure(rng)
	for _, x := range src {
		r := c.rows.Get(x)
		if r == nil {
			var err error
			if r, err = c.build(context.Background(), []embedding.ID{x}); err != nil {
				return dst, err
			}
		}
		dst = append(dst, c.draw(r, x, rng))
	}
	return dst, nil
}

// Keeps reports whether anything used to draw for x is cached.
func (c *Sampler) Keeps(x embedding.ID) bool {
	return c.rows.Get(x) != nil || c.proposed.Get(x) != nil || c.frequent.rows[x].Load() != nil
}

// draw returns an exact draw from row r of input x.
func (c *Sampler) draw(r *row, x embedding.ID, rng rand.Source) embedding.ID {
	u := noise.Below(rng, r.total)
	if n := len(r.sums); n > 0 && u < r.sums[n-1] {
		return embedding.ID(r.heads[search(r.sums, u)])
	}
	for {
		y := embedding.ID(noise.Below(rng, c.n))
		w := c.source.Weight(x, y)
		if w <= r.threshold && noise.Below(rng, r.threshold) < w {
			return y
		}
	}
}

// Prepare builds the rows of words that are not cached, many at a time. Replace
// reports the error of a row that is refused.
func (c *Sampler) Prepare(ctx context.Context, words []embedding.ID) {
	_, _ = c.build(ctx, c.rows.Claim(words))
}

// build makes and caches the rows of xs, which are claimed, and returns the last.
// It stops at a row whose weights do not sum to what was certified, since nothing
// may be drawn from it. When it stops, or ctx ends, it releases the rest of the
// claims.
func (c *Sampler) build(ctx context.Context, xs []embedding.ID) (last *row, err error) {
	const batch = 16
	s := scratches.Get().(*Scratch)
	defer scratches.Put(s)
	n := int(c.n)
	for len(xs) > 0 {
		if ctx.Err() != nil {
			c.rows.Release(xs)
			return last, ctx.Err()
		}
		now := xs[:min(batch, len(xs))]
		c.source.Weigh(s, now)
		for i, x := range now {
			weights := s.Weights[i*n : (i+1)*n]
			total, fits := RowSum(weights)
			if err := c.CheckTotal(total, fits); err != nil {
				c.rows.Release(xs[i:])
				return nil, err
			}
			last = s.cut(weights, total)
			c.rows.Put(x, last)
		}
		xs = xs[len(now):]
	}
	return last, nil
}

// CheckTotal refuses a row's sum that is too large, or that differs from the
// certified one. The error does not name the row's word, which is private.
func (c *Sampler) CheckTotal(sum uint64, fits bool) error {
	switch {
	case !fits || sum >= 1<<63:
		return errors.New("mechanism: a row of weights sums to 2^63 or more: nothing is drawn from it")
	case sum == 0:
		return errors.New("mechanism: a row of weights has no output: nothing is drawn from it")
	case c.Whole != 0 && sum != c.Whole:
		return fmt.Errorf("mechanism: a row of weights sums to %d, not to the %d that is certified: nothing is drawn from it", sum, c.Whole)
	}
	return nil
}
