package sets

import (
	"context"
	"errors"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/simd/within"
	"github.com/sotto-dp/sotto/mechanism/internal/cache"
	"github.com/sotto-dp/sotto/noise"
)

// Set is a set of items of a codebook: one item, or some of them.
type Set struct {
	some *items // nil: one item
	only uint32
}

// items is a list if the members are few, and a bitmap if a few uniform draws
// suffice to hit a member. A list is short if 16 bits hold every item: half the memory
// is half of what a draw has to wait for.
type items struct {
	list  []uint32
	short []uint16
	bits  []uint64
}

// itemsOf makes the set of the k items that in marks among m. It keeps no part of in.
func itemsOf(in []uint64, k, m int) *items {
	switch {
	case !isList(k, m):
		return &items{bits: slices.Clone(in)}
	case m <= math.MaxUint16+1:
		return &items{short: within.Append(make([]uint16, 0, k), in)}
	}
	return &items{list: within.Append(make([]uint32, 0, k), in)}
}

// listed is the least number of items for each member at which sets are lists.
const listed = 16

// isList reports whether a set of k items among m is a list.
func isList(k, m int) bool { return k*listed <= m }

// listed returns the member of a rank in a list.
func (s *items) listed(rank int) uint32 {
	if s.short != nil {
		return uint32(s.short[rank])
	}
	return s.list[rank]
}

// bytes returns the memory of a set.
func (s *items) bytes() int { return 88 + 4*len(s.list) + 2*len(s.short) + 8*len(s.bits) }

// setBytes returns the most memory that a set of m items takes.
func setBytes(m int) int { return 88 + max(4*(m/listed), 8*((m+63)/64)) }

// draw returns a uniform member of a set of k among m items.
func (s Set) draw(k, m uint64, rng rand.Source) uint32 {
	switch {
	case s.some == nil:
		return s.only
	case s.some.bits == nil:
		return s.some.listed(int(noise.Below(rng, k)))
	}
	for {
		y := noise.Below(rng, m)
		if s.some.bits[y/64]>>(y%64)&1 != 0 {
			return uint32(y)
		}
	}
}

// All returns the members in ascending order. The caller must not change the list.
func (s Set) All() []uint32 {
	switch {
	case s.some == nil:
		return []uint32{s.only}
	case s.some.list != nil:
		return s.some.list
	}
	n := len(s.some.short)
	for _, word := range s.some.bits {
		n += bits.OnesCount64(word)
	}
	ys := make([]uint32, 0, n)
	for _, y := range s.some.short {
		ys = append(ys, uint32(y))
	}
	return within.Append(ys, s.some.bits)
}

// equal reports whether two sets of one channel have the same members.
func (s Set) equal(o Set) bool {
	if s.some == nil || o.some == nil {
		return s == o
	}
	return slices.Equal(s.some.list, o.some.list) && slices.Equal(s.some.short, o.some.short) && slices.Equal(s.some.bits, o.some.bits)
}

// check refuses items that are not k distinct ones of m. Lists are ascending, and made from
// bitmaps.
func (s *items) check(k, m int) error {
	count, beyond := len(s.list)+len(s.short), false
	switch last := len(s.bits) - 1; {
	case s.bits != nil:
		for _, word := range s.bits {
			count += bits.OnesCount64(word)
		}
		beyond = last != (m-1)/64 || s.bits[last]>>(uint(m-1)%64)>>1 != 0
	case count > 0:
		beyond = int(s.listed(count-1)) >= m
	}
	if count != k || beyond {
		return errWordSet
	}
	return nil
}

// errWordSet stops a draw that the proof does not cover. It reveals nothing about the word.
var errWordSet = errors.New("mechanism: a set of outputs has the wrong size, so its row does not have the certified sum: nothing is drawn from it")

// nearestSets holds the sets of words by [Nearest], each computed on first use and
// cached while there is room.
type nearestSets struct {
	rule *Nearest
	k    int                 // the size of every set, which the weights are certified for
	kept *cache.Cache[items] // nil where every set is the word itself
}

func newNearestSets(rule *Nearest) *nearestSets {
	r := &nearestSets{rule: rule, k: rule.K}
	if !rule.alone() {
		r.kept = cache.New(rule.Table.Len(), setBytes(rule.Len()), cache.Bytes, (*items).bytes)
	}
	return r
}

// Set returns the set of x.
func (r *nearestSets) Set(x embedding.ID) (Set, error) {
	if r.kept == nil {
		return Set{only: uint32(x)}, nil
	}
	s := r.kept.Get(x)
	var err error
	if s == nil {
		s, err = r.build(context.Background(), []embedding.ID{x})
	}
	return Set{some: s}, err
}

// prepare computes the sets of words that are not cached, many at a time.
func (r *nearestSets) prepare(ctx context.Context, words []embedding.ID) {
	if r.kept != nil {
		_, _ = r.build(ctx, r.kept.Claim(words)) // Set reports the error of a set that is refused
	}
}

// build computes and caches the sets of xs, which are claimed, and returns the
// last. It caches no set of the wrong size, and returns it with an error. If ctx ends it
// releases the rest of the claims.
func (r *nearestSets) build(ctx context.Context, xs []embedding.ID) (last *items, err error) {
	const batch = 8 // rows that stay in the L2 cache
	var s nearestScratch
	for len(xs) > 0 {
		if ctx.Err() != nil {
			r.kept.Release(xs)
			return last, ctx.Err()
		}
		now := xs[:min(batch, len(xs))]
		xs = xs[len(now):]
		s.nearest(r.rule, now, func(x embedding.ID, in []uint64) {
			made := itemsOf(in, r.k, r.rule.Len())
			if fault := made.check(r.k, r.rule.Len()); fault != nil {
				last, err = made, fault
				r.kept.Release([]embedding.ID{x})
				return
			}
			if err == nil {
				last = made
			}
			r.kept.Put(x, made)
		})
	}
	return last, err
}
