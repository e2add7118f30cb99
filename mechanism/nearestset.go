package mechanism

import (
	"math/bits"
	"math/rand/v2"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/noise"
)

// members is one input's set: listed where it is small, a bitmap where a uniform
// member is found by a few uniform draws.
type members struct {
	list []uint32
	bits []uint64
}

// listed is the least number of outputs for each member at which sets are lists.
const listed = 16

func (s *members) draw(x embedding.ID, m uint64, rng rand.Source) embedding.ID {
	switch {
	case s == nil:
		return x
	case s.list != nil:
		return embedding.ID(s.list[noise.Below(rng, uint64(len(s.list)))])
	}
	for {
		y := noise.Below(rng, m)
		if s.bits[y/64]>>(y%64)&1 != 0 {
			return embedding.ID(y)
		}
	}
}

// all lists the members.
func (s *members) all(x embedding.ID) []uint32 {
	switch {
	case s == nil:
		return []uint32{uint32(x)}
	case s.list != nil:
		return s.list
	}
	var ys []uint32
	for i, word := range s.bits {
		for ; word != 0; word &= word - 1 {
			ys = append(ys, uint32(64*i+bits.TrailingZeros64(word)))
		}
	}
	return ys
}

// nearestScratch is the working memory in which nearest words are chosen.
type nearestScratch struct {
	wide []float64
	keys []uint64
	ids  []uint32
}

// nearest calls take with the k words nearest to each x, in ascending order of
// number: x itself first of all, then by distance, ties by lower number. The
// slice is reused.
func (s *nearestScratch) nearest(table *embedding.Table, xs []embedding.ID, k int, take func(x embedding.ID, ys []uint32)) {
	n := table.Len()
	s.wide = resize(s.wide, n*len(xs))
	table.SquaredDistances(s.wide, xs, 0, n)
	for i, x := range xs {
		row := s.wide[i*n : (i+1)*n]
		row[x] = -1
		s.keys = resize(s.keys, n)
		for y, q := range row {
			s.keys[y] = uint64(q + 1)
		}
		limit := quickselect(s.keys, k)
		s.ids = s.ids[:0]
		ties := k
		for _, q := range row {
			if uint64(q+1) < limit {
				ties--
			}
		}
		for y, q := range row {
			switch key := uint64(q + 1); {
			case key < limit:
				s.ids = append(s.ids, uint32(y))
			case key == limit && ties > 0:
				s.ids = append(s.ids, uint32(y))
				ties--
			}
		}
		take(x, s.ids)
	}
}
