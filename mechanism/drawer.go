package mechanism

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/noise"
)

// drawer makes exact draws from rows of integer weights.
//
// A row of weights is never kept whole. Of each row met, the words heavier than
// a threshold are kept with their cumulative weights; the rest of the row, whose
// total is known exactly, is drawn by rejection: a uniform word, accepted with
// probability weight/threshold. Both parts are exact over the very integers that
// the certificate sums.
type drawer struct {
	source   weigher
	n        uint64 // outputs
	rows     *shelf[row]
	frequent *frequent
}

// weigher is where a drawer's weights come from.
type weigher interface {
	// weigh fills s.weights with the rows of xs, one after the other.
	weigh(s *rowScratch, xs []embedding.ID)
	// weight is one entry of the channel, and the same number.
	weight(x, y embedding.ID) uint64
}

// start readies a drawer for the n words of a source.
func (c *drawer) start(source weigher, n int) {
	c.source, c.n, c.frequent = source, uint64(n), newFrequent(n)
	c.rows = newShelf(n, rowBytes(headLimit), shelfBytes, func(r *row) int { return rowBytes(len(r.heads)) })
}

// Weights appends the row of one input: one weight for each word of the table.
func (c *drawer) Weights(dst []uint64, in embedding.ID) []uint64 {
	return c.Rows(dst, []embedding.ID{in})
}

// Rows appends the rows of xs, one after the other.
func (c *drawer) Rows(dst []uint64, xs []embedding.ID) []uint64 {
	s := scratches.Get().(*rowScratch)
	defer scratches.Put(s)
	own := s.weights
	defer func() { s.weights = own }()
	n := len(xs) * int(c.n)
	dst = slices.Grow(dst, n)
	s.weights = dst[len(dst) : len(dst)+n] // rows are made where they are wanted
	c.source.weigh(s, xs)
	return dst[:len(dst)+n]
}

// Replace draws one output for each word of src.
func (c *drawer) Replace(dst, src []embedding.ID, rng rand.Source) ([]embedding.ID, error) {
	rng = noise.OrSecure(rng)
	for _, x := range src {
		if a := c.frequent.rows[x].Load(); a != nil {
			dst = append(dst, a.draw(rng))
			continue
		}
		r := c.rows.get(x)
		if r == nil {
			r = c.build(context.Background(), []embedding.ID{x})
		}
		dst = append(dst, c.draw(r, x, rng))
	}
	return dst, nil
}

// draw is an exact draw from row r of input x.
func (c *drawer) draw(r *row, x embedding.ID, rng rand.Source) embedding.ID {
	u := noise.Below(rng, r.total)
	if n := len(r.sums); n > 0 && u < r.sums[n-1] {
		return embedding.ID(r.heads[search(r.sums, u)])
	}
	for {
		y := embedding.ID(noise.Below(rng, c.n))
		w := c.source.weight(x, y)
		if w <= r.threshold && noise.Below(rng, r.threshold) < w {
			return y
		}
	}
}

// Prepare builds the rows of words not met before, many at a time.
func (c *drawer) Prepare(ctx context.Context, words []embedding.ID) {
	c.build(ctx, c.rows.claim(words))
	frequent := c.frequent.claim(words)
	for i, x := range frequent {
		if ctx.Err() != nil {
			c.frequent.release(frequent[i:])
			return
		}
		c.frequent.rows[x].Store(newAliasRow(c.Weights(nil, x)))
	}
}

// build makes and keeps the rows of xs, which are claimed, and returns the last.
// Where ctx ends it gives the rest of the claims back.
func (c *drawer) build(ctx context.Context, xs []embedding.ID) (last *row) {
	const batch = 16
	s := scratches.Get().(*rowScratch)
	defer scratches.Put(s)
	n := int(c.n)
	for len(xs) > 0 {
		if ctx.Err() != nil {
			c.rows.release(xs)
			return last
		}
		now := xs[:min(batch, len(xs))]
		xs = xs[len(now):]
		c.source.weigh(s, now)
		for i, x := range now {
			last = s.cut(s.weights[i*n : (i+1)*n])
			c.rows.put(x, last)
		}
	}
	return last
}
