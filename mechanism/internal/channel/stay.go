package channel

import (
	"context"
	"math/bits"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism"
)

// totaller is a [Weigher] that adds up rows without keeping them.
type totaller interface {
	// totals returns the sums of the rows of xs.
	totals(ctx context.Context, xs []embedding.ID) ([]uint64, error)
}

// Stay returns P(x|x) for each x of xs. Rows that draws have added up need no new sums.
func (c *Sampler) Stay(ctx context.Context, xs []embedding.ID) ([]float64, error) {
	var unknown []embedding.ID
	for _, x := range xs {
		if c.known(x) == 0 {
			unknown = append(unknown, x)
		}
	}
	source, adds := c.source.(totaller)
	var sums []uint64
	var err error
	if adds {
		sums, err = source.totals(ctx, unknown)
	} else {
		_, err = c.build(ctx, c.rows.Claim(unknown))
	}
	if err != nil {
		return nil, err
	}
	chances := make([]float64, 0, len(xs))
	for _, x := range xs {
		var total uint64
		if adds && len(unknown) > 0 && unknown[0] == x {
			total, unknown, sums = sums[0], unknown[1:], sums[1:]
		} else if total, err = c.rowTotal(ctx, x); err != nil {
			return nil, err
		}
		chances = append(chances, float64(c.source.Weight(x, x))/float64(total))
	}
	return chances, nil
}

// known returns the sum of a row that was added up, or 0.
func (c *Sampler) known(x embedding.ID) uint64 {
	if p := c.proposed.Get(x); p != nil && p.total > 0 {
		return p.total
	}
	if r := c.rows.Get(x); r != nil {
		return r.total
	}
	return 0
}

// rowTotal returns the sum of a row.
func (c *Sampler) rowTotal(ctx context.Context, x embedding.ID) (uint64, error) {
	if total := c.known(x); total > 0 {
		return total, nil
	}
	r, err := c.build(ctx, []embedding.ID{x}) // evicted, or claimed by another goroutine
	if err != nil {
		return 0, err
	}
	return r.total, nil
}

// totals adds up rows. For half of all rows and more it weighs each pair once, since a
// pair has a place in two rows.
func (c *Distance) totals(ctx context.Context, xs []embedding.ID) ([]uint64, error) {
	sums := make([]uint64, 0, len(xs))
	if n := int(c.n); 2*len(xs) >= n {
		all := c.certification(mechanism.Keep{}, nil)
		if err := all.addRows(ctx, 0, n, nil); err != nil {
			return nil, err
		}
		for _, x := range xs {
			sums = append(sums, all.sums[x])
		}
		return sums, nil
	}
	s := scratches.Get().(*Scratch)
	defer scratches.Put(s)
	for _, x := range xs {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		c.Weigh(s, []embedding.ID{x})
		sum, fits := shortSum(s.Weights)
		if err := c.CheckTotal(sum, fits); err != nil {
			return nil, err
		}
		sums = append(sums, sum)
	}
	return sums, nil
}

// shortSum is RowSum, faster where the weights are so small that no sum of them wraps.
func shortSum(weights []uint64) (sum uint64, fits bool) {
	var s0, s1, s2, s3, union uint64 // sums that do not wait for each other
	rest := weights
	for ; len(rest) >= 4; rest = rest[4:] {
		s0, s1, s2, s3 = s0+rest[0], s1+rest[1], s2+rest[2], s3+rest[3]
		union |= rest[0] | rest[1] | rest[2] | rest[3]
	}
	for _, w := range rest {
		s0, union = s0+w, union|w
	}
	if over, _ := bits.Mul64(union, uint64(len(weights))); over != 0 {
		return RowSum(weights)
	}
	return s0 + s1 + s2 + s3, true
}
