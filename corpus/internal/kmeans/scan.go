package kmeans

import (
	"context"
	"math"
	"math/bits"

	"github.com/sotto-dp/sotto/internal/int8grid"
	"github.com/sotto-dp/sotto/internal/parallel"
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
		inner.Set(p.data, i, d.centre(int(k)))
	}
	return p
}

// none is the centre of a vector that has none yet, or whose centre moved.
const none = math.MaxUint32

// Assign gives each vector its nearest centre. Where few centres moved since the last one, it
// compares a vector with these, and with the others only if its own moved too and none has
// a greater product than the others had at most.
func (d *Division) Assign(ctx context.Context) error {
	moved := d.pack(func(k int) bool { return d.moved[k] })
	if len(moved.which) == len(d.sizes) {
		d.packed = moved
	}
	all := d.packed
	for _, k := range moved.which {
		inner.Set(all.data, int(k), d.centre(int(k)))
	}
	if len(moved.which) == 0 {
		return ctx.Err()
	}
	few := len(moved.which) < len(all.which)*19/20
	return parallel.BlockedBy(ctx, len(d.which), together, func() func(context.Context, int, int) error {
		s := newScanner(d)
		return func(_ context.Context, from, to int) error {
			var left []int
			for i := from; i < to; i++ {
				if !few {
					left = append(left, i)
				} else if i%inner.Group == 0 {
					left = append(left, s.few(i, min(to, i+inner.Group), moved)...)
				}
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
}

func newScanner(d *Division) *scanner {
	return &scanner{Division: d, scores: make([]int32, inner.Group*tile*inner.Block), over: make([]uint16, inner.Group*tile)}
}

// few compares up to a group of vectors with the centres that moved, and returns those that
// have to be compared with all.
func (s *scanner) few(from, to int, moved *packed) (left []int) {
	var places []int
	var before [inner.Group]struct{ best, others int32 }
	for i := from; i < to; i++ {
		before[i-from].best, before[i-from].others = s.best[i], s.others[i]
		if s.moved[s.of[i]] {
			s.best[i], s.of[i] = math.MinInt32, none
		} else {
			before[i-from].others = math.MinInt32 // it stays if none is better
		}
		places = append(places, i)
	}
	s.compare(places, moved, tile)
	for i := from; i < to; i++ {
		if b := before[i-from]; s.best[i] <= b.others {
			s.best[i], s.others[i] = b.best, b.others
			left = append(left, i)
		}
	}
	return left
}

// whole compares up to a group of vectors with all centres. What bounds the products with
// other centres falls to the greatest of them, unless that is far below the best one of
// before. Where that is true of all products it looks again, for any.
func (s *scanner) whole(places []int, all *packed) {
	radius := int32(int8grid.Radius(s.vectors.dim))
	for _, i := range places {
		s.others[i] = max(min(s.others[i], s.best[i])-radius*radius/far, least)
		s.best[i], s.of[i] = math.MinInt32, none
	}
	first := tile
	if s.others[places[0]] == least {
		first = 1
	}
	s.compare(places, all, first)
	for _, i := range places {
		if s.of[i] == none {
			s.others[i] = least
			s.compare([]int{i}, all, 1)
		}
	}
}

const (
	far   = 32                // part of the square of the radius
	least = math.MinInt32 / 2 // below all products
)

// compare finds the best of some centres and of the vector's own, if it has one, and raises
// the bound of the others to their products. The first tile has that many blocks: where
// nothing is known, few products show what the others have to exceed.
func (s *scanner) compare(places []int, with *packed, first int) {
	s.load(places)
	for r := range s.limits {
		s.limits[r] = math.MaxInt32
	}
	for r, i := range places {
		s.limits[r] = s.others[i] - 1
	}
	bytes, blocks := inner.BlockSize(s.vectors.dim), inner.Blocks(len(with.which))
	for from, count := 0, first; from < blocks; from, count = from+count, min(4*count, tile) {
		count = min(count, blocks-from)
		s.queries.Scores(s.scores, s.over, with.data[from*bytes:(from+count)*bytes], &s.limits, count, tile*inner.Block)
		if end := (from + count) * inner.Block; end > len(with.which) { // the last block's places without a centre
			for r := range inner.Group {
				s.over[(count-1)*inner.Group+r] &= 1<<(inner.Block-(end-len(with.which))) - 1
			}
		}
		s.take(places, from, count, with)
	}
}

// load makes the queries the vectors at up to a group of places.
func (s *scanner) load(places []int) {
	first, last := places[0], places[len(places)-1]
	if first%inner.Group == 0 && last == first+len(places)-1 {
		s.queries.Use(s.groups, first/inner.Group)
		return
	}
	var which [inner.Group]int
	for r, i := range places {
		which[r] = s.which[i]
	}
	s.queries.Load(s.vectors.data, s.vectors.dim, which[:len(places)])
}

// take takes a tile's products that are above the limits.
func (s *scanner) take(places []int, from, count int, with *packed) {
	for b := range count {
		m := (*[inner.Group]uint16)(s.over[b*inner.Group:]) // zero in most blocks
		masks := [2]uint64{four(m[0], m[1], m[2], m[3]), four(m[4], m[5], m[6], m[7])}
		for half, mask := range masks {
			for ; mask != 0; mask &= mask - 1 {
				bit := bits.TrailingZeros64(mask)
				r, w := half*inner.Group/2+bit/inner.Block, b*inner.Block+bit%inner.Block
				s.one(places[r], with.which[from*inner.Block+w], s.scores[r*tile*inner.Block+w])
			}
		}
	}
	for r, i := range places {
		s.limits[r] = s.others[i] - 1
	}
}

// four returns four masks in one.
func four(a, b, c, d uint16) uint64 {
	return uint64(a) | uint64(b)<<inner.Block | uint64(c)<<(2*inner.Block) | uint64(d)<<(3*inner.Block)
}

// one takes the product of a vector with a centre.
func (s *scanner) one(i int, centre uint32, product int32) {
	switch best := s.best[i]; {
	case centre == s.of[i]:
	case product > best || product == best && centre < s.of[i]:
		s.others[i] = max(s.others[i], best)
		s.best[i], s.of[i] = product, centre
	default:
		s.others[i] = max(s.others[i], product)
	}
}
