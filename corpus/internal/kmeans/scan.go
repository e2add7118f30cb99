package kmeans

import (
	"context"
	"math"
	"math/bits"

	"github.com/sotto-dp/sotto/internal/int8grid"
	"github.com/sotto-dp/sotto/internal/parallel"
	"github.com/sotto-dp/sotto/internal/simd/dot"
	"github.com/sotto-dp/sotto/internal/simd/inner"
)

const tile = 64 // blocks that are scored at once: the scores stay in the first cache

// packed are some of the centres, ascending.
type packed struct {
	data  []uint8
	which []uint32
}

// pack packs the centres that keep holds.
func (d *Division) pack(keep func(k int) bool) *packed {
	p := &packed{}
	for k := range d.sizes {
		if keep(k) {
			p.which = append(p.which, uint32(k))
		}
	}
	dim := d.vectors.dim
	p.data = inner.NewBlocks(len(p.which), dim)
	for i, k := range p.which {
		inner.Set(p.data, i, d.centre(int(k))[:dim])
	}
	return p
}

// scan gives each vector its nearest centre, from what the last Assign found. Where few
// centres moved, it compares a vector with these, and with the others only if its own
// moved too and none has a greater product than the others had at most.
func (d *Division) scan(ctx context.Context) error {
	all, moved := d.pack(func(int) bool { return true }), d.pack(func(k int) bool { return d.moved[k] })
	if len(moved.which) == 0 {
		return nil
	}
	few := len(moved.which) < len(all.which)/2
	return parallel.BlockedBy(ctx, len(d.which), together, func() func(context.Context, int, int) error {
		s := newScanner(d)
		return func(_ context.Context, from, to int) error {
			var left []int
			for i := from; i < to; i++ {
				if k := d.of[i]; d.moved[k] {
					d.best[i] = s.product(i, k)
				}
				if !few {
					left = append(left, i)
				}
			}
			for i := from; few && i < to; i += inner.Group {
				left = append(left, s.few(i, min(to, i+inner.Group), moved)...)
			}
			for len(left) > 0 {
				some := left[:min(len(left), inner.Group)]
				s.whole(some, all)
				left = left[len(some):]
			}
			return nil
		}
	})
}

// scanner is the memory of one goroutine.
type scanner struct {
	*Division
	queries inner.Queries
	scores  []int32
	over    []uint16
	limits  [inner.Group]int32
	row     []int8
}

func newScanner(d *Division) *scanner {
	return &scanner{Division: d, scores: make([]int32, inner.Group*tile*inner.Block), over: make([]uint16, inner.Group*tile),
		row: make([]int8, dot.Padded(d.vectors.dim))}
}

// product returns the product of a vector with a centre.
func (s *scanner) product(i int, k uint32) int32 {
	inner.Get(s.row[:s.vectors.dim], s.vectors.data, s.which[i])
	return dot.Int8(s.row, s.centre(int(k)))
}

// few compares up to a group of vectors with the centres that moved, and returns those that
// have to be compared with all.
func (s *scanner) few(from, to int, moved *packed) (left []int) {
	var places []int
	var before [inner.Group]struct {
		best, others int32
		of           uint32
	}
	for i := from; i < to; i++ {
		b := &before[i-from]
		b.best, b.others, b.of = s.best[i], s.others[i], s.of[i]
		places = append(places, i)
	}
	s.compare(places, moved)
	for i := from; i < to; i++ {
		if b := before[i-from]; s.moved[b.of] && s.best[i] <= b.others {
			s.best[i], s.others[i], s.of[i] = b.best, b.others, b.of
			left = append(left, i)
		}
	}
	return left
}

// whole compares up to a group of vectors with all centres. So what bounds the products with
// other centres falls to the greatest, where that is a little less than before.
func (s *scanner) whole(places []int, all *packed) {
	radius := int32(int8grid.Radius(s.vectors.dim))
	for _, i := range places {
		s.others[i] = min(s.others[i], s.best[i]) - radius*radius/looser
	}
	s.compare(places, all)
}

const looser = 32

// compare finds the best of some centres and of the vector's own, and raises the bound of
// the others to their products.
func (s *scanner) compare(places []int, with *packed) {
	var which [inner.Group]int
	for r := range s.limits {
		s.limits[r] = math.MaxInt32
	}
	for r, i := range places {
		which[r], s.limits[r] = s.which[i], s.others[i]-1
	}
	s.queries.Load(s.vectors.data, s.vectors.dim, which[:len(places)])
	bytes, blocks := inner.BlockSize(s.vectors.dim), inner.Blocks(len(with.which))
	for from := 0; from < blocks; from += tile {
		count := min(tile, blocks-from)
		s.queries.Scores(s.scores, s.over, with.data[from*bytes:(from+count)*bytes], &s.limits, count, tile*inner.Block)
		if end := (from + count) * inner.Block; end > len(with.which) { // the last block's places without a centre
			for r := range inner.Group {
				s.over[(count-1)*inner.Group+r] &= 1<<(inner.Block-(end-len(with.which))) - 1
			}
		}
		for r, i := range places {
			s.take(r, i, from, count, with)
		}
	}
}

// take takes a tile's products that are above the limit.
func (s *scanner) take(r, i, from, count int, with *packed) {
	scores := s.scores[r*tile*inner.Block:]
	best, others, of := s.best[i], s.others[i], s.of[i]
	for b := range count {
		for mask := s.over[b*inner.Group+r]; mask != 0; mask &= mask - 1 {
			w := b*inner.Block + bits.TrailingZeros16(mask)
			switch k, product := with.which[from*inner.Block+w], scores[w]; {
			case k == of:
			case product > best || product == best && k < of:
				others = max(others, best)
				best, of = product, k
			default:
				others = max(others, product)
			}
		}
	}
	s.best[i], s.others[i], s.of[i] = best, others, of
	s.limits[r] = others - 1
}
