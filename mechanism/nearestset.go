package mechanism

import (
	"math/bits"
	"math/rand/v2"
	"slices"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/noise"
)

// members is one input's set of places among the outputs: listed where it is small, a bitmap where a uniform
// member is found by a few uniform draws.
type members struct {
	list []uint32
	bits []uint64
}

// listed is the least number of outputs for each member at which sets are lists.
const listed = 16

func (s *members) draw(x embedding.ID, m uint64, rng rand.Source) uint32 {
	switch {
	case s == nil:
		return uint32(x)
	case s.list != nil:
		return s.list[noise.Below(rng, uint64(len(s.list)))]
	}
	for {
		y := noise.Below(rng, m)
		if s.bits[y/64]>>(y%64)&1 != 0 {
			return uint32(y)
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
	narrow []uint32
	wide   []float64
	near   []candidate
	keys   []uint64
	ids    []uint32
	led    []uint64 // a bit for each place that leads the set
}

// candidate is an output and its squared distance to the input.
type candidate struct {
	q  uint64
	id uint32
}

// nearest calls take with the set of each x, in ascending order of place: what
// leads the set first of all, then its class, then all others, each by distance,
// ties by lower number. The slice is reused.
func (s *nearestScratch) nearest(rule *setRule, xs []embedding.ID, take func(x embedding.ID, ys []uint32)) {
	n := rule.table.Len()
	if rule.table.SquaredDistances32(nil, nil, 0, 0) {
		s.narrow = resize(s.narrow, n*len(xs))
		rule.table.SquaredDistances32(s.narrow, xs, 0, n)
		for i, x := range xs {
			take(x, choose(s, rule, narrowTo(s.narrow[i*n:(i+1)*n], rule.outputs), x))
		}
		return
	}
	s.wide = resize(s.wide, n*len(xs))
	rule.table.SquaredDistances(s.wide, xs, 0, n)
	for i, x := range xs {
		take(x, choose(s, rule, narrowTo(s.wide[i*n:(i+1)*n], rule.outputs), x))
	}
}

// choose picks the set of x from a row of squared distances to the outputs.
func choose[T uint32 | float64](s *nearestScratch, rule *setRule, row []T, x embedding.ID) []uint32 {
	k := rule.k
	s.ids = s.ids[:0]
	if k >= len(row) {
		for y := range row {
			s.ids = append(s.ids, uint32(y))
		}
		return s.ids
	}
	s.ids = rule.first(s.ids, x)
	s.led = resize(s.led, (len(row)+63)/64)
	clear(s.led)
	for _, y := range s.ids {
		s.led[y/64] |= 1 << (y % 64)
	}
	if rule.class != nil { // a class without outputs has a nil pool
		pick(s, row, rule.kin[rule.class[x]], k)
	}
	pick(s, row, nil, k)
	slices.Sort(s.ids)
	return s.ids
}

// pick adds the nearest places of a pool, of all where it is nil, until there are k
// or the pool is used up.
func pick[T uint32 | float64](s *nearestScratch, row []T, pool []uint32, k int) {
	need := k - len(s.ids)
	if need == 0 {
		return
	}
	free := func(y uint32) bool { return s.led[y/64]>>(y%64)&1 == 0 }
	s.near = s.near[:0]
	for _, y := range pool {
		if free(y) {
			s.near = append(s.near, candidate{uint64(row[y]), y})
		}
	}
	if pool != nil && len(s.near) <= need {
		for _, c := range s.near {
			s.ids = append(s.ids, c.id)
			s.led[c.id/64] |= 1 << (c.id % 64)
		}
		return
	}
	// A sample of the row guesses a limit that leaves few candidates; a limit
	// that leaves too few is doubled in rank until it does not.
	for rank := k + k/2 + 8; pool == nil; rank *= 2 {
		limit := limitOf(s, row, rank)
		s.near = s.near[:0]
		for y, q := range row {
			if q <= limit && free(uint32(y)) {
				s.near = append(s.near, candidate{uint64(q), uint32(y)})
			}
		}
		if len(s.near) >= need {
			break
		}
	}
	s.keys = resize(s.keys, len(s.near))
	for i, c := range s.near {
		s.keys[i] = c.q
	}
	last := quickselect(s.keys, need)
	ties := need
	for _, c := range s.near {
		if c.q < last {
			ties--
		}
	}
	for _, c := range s.near {
		if c.q < last {
			s.ids = append(s.ids, c.id)
		} else if c.q == last && ties > 0 {
			s.ids = append(s.ids, c.id)
			ties--
		}
	}
}

// sampleEvery is the stride of the sample by which limit guesses.
const sampleEvery = 16

// limitOf guesses the squared distance of the word of some rank from every
// sixteenth word.
func limitOf[T uint32 | float64](s *nearestScratch, row []T, rank int) T {
	if rank >= len(row) {
		return slices.Max(row)
	}
	s.keys = s.keys[:0]
	for y := 0; y < len(row); y += sampleEvery {
		s.keys = append(s.keys, uint64(row[y]))
	}
	return T(quickselect(s.keys, min(len(s.keys), rank/sampleEvery+1)))
}
