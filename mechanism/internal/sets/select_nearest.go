package sets

import (
	"math"
	"math/bits"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/grid"
	"github.com/sotto-dp/sotto/internal/scratch"
	"github.com/sotto-dp/sotto/internal/selection"
)

// nearestScratch is the working memory in which nearest words are chosen.
type nearestScratch struct {
	narrow []uint32
	wide   []float64
	near   []candidate
	keys   []uint64
	ids    []uint32
	in     []uint64 // a bit for each place in the set
}

// candidate is an output and its squared distance to the input.
type candidate struct {
	q  uint64
	id uint32
}

// nearest calls take with the set of each x, in ascending order of place. The
// set takes the leading places of x first, then its class, then all others, each
// by distance, ties by lower number. The slice is reused.
func (s *nearestScratch) nearest(rule *Nearest, xs []embedding.ID, take func(x embedding.ID, ys []uint32)) {
	n := rule.Table.Len()
	if grid.Narrow(rule.Table.Grid()) {
		s.narrow = scratch.Resize(s.narrow, n*len(xs))
		grid.SquaredDistances32(rule.Table.Grid(), s.narrow, xs, 0, n)
		for i, x := range xs {
			take(x, choose(s, rule, narrowTo(s.narrow[i*n:(i+1)*n], rule.outputs), x, math.MaxUint32))
		}
		return
	}
	s.wide = scratch.Resize(s.wide, n*len(xs))
	rule.Table.SquaredDistances(s.wide, xs, 0, n)
	for i, x := range xs {
		take(x, choose(s, rule, narrowTo(s.wide[i*n:(i+1)*n], rule.outputs), x, 1<<62))
	}
}

// choose picks the set of x from a row of squared distances to the outputs, and
// overwrites the row; beyond is above all of them.
func choose[T uint32 | float64](s *nearestScratch, rule *Nearest, row []T, x embedding.ID, beyond T) []uint32 {
	k := rule.K
	s.ids = s.ids[:0]
	if k >= len(row) {
		for y := range row {
			s.ids = append(s.ids, uint32(y))
		}
		return s.ids
	}
	s.ids = rule.first(s.ids, x)
	s.in = scratch.Resize(s.in, (len(row)+63)/64)
	clear(s.in)
	for _, y := range s.ids {
		s.in[y/64] |= 1 << (y % 64)
	}
	need := k - len(s.ids)
	if rule.class != nil { // a class without outputs has a nil pool
		need -= pickOf(s, row, rule.kin[rule.class[x]], need)
	}
	if need > 0 {
		pick(s, row, need, beyond)
	}
	s.ids = s.ids[:0]
	for i, word := range s.in {
		for ; word != 0; word &= word - 1 {
			s.ids = append(s.ids, uint32(64*i+bits.TrailingZeros64(word)))
		}
	}
	return s.ids
}

// pickOf adds the nearest places of a pool that are not in the set yet, at most
// need of them, and returns how many.
func pickOf[T uint32 | float64](s *nearestScratch, row []T, pool []uint32, need int) int {
	s.near = s.near[:0]
	for _, y := range pool {
		if s.in[y/64]>>(y%64)&1 == 0 {
			s.near = append(s.near, candidate{uint64(row[y]), y})
		}
	}
	need = min(need, len(s.near))
	if need > 0 {
		s.take(need, 0)
	}
	return need
}

// take adds the nearest of s.near to the set, need of them. Those below low are sorted
// only if there are need of them.
func (s *nearestScratch) take(need int, low int64) {
	s.keys = scratch.Resize(s.keys, len(s.near)+1)
	between := 0
	for _, c := range s.near {
		s.keys[between] = c.q
		between += 1 - int(uint64(int64(c.q)-low)>>63)
	}
	below := len(s.near) - between
	if below >= need {
		s.take(need, 0)
		return
	}
	last := selection.Select(s.keys[:between], need-below)
	ties := need - below
	for _, q := range s.keys[:between] {
		ties -= int((q - last) >> 63)
	}
	for _, c := range s.near {
		if c.q == last {
			ties--
		}
		if c.q < last || c.q == last && ties >= 0 {
			s.in[c.id/64] |= 1 << (c.id % 64)
		}
	}
}

// Few is the least number of outputs per place to pick at which a guessed
// distance is used to skip places one by one.
const Few = 4

// pick adds the nearest places that are not in the set yet, as many as are needed.
// A sample of the row gives two distances that probably enclose that of the
// farthest one; if they do not, the next guess is wider. Places below the lower
// one need no sorting.
func pick[T uint32 | float64](s *nearestScratch, row []T, need int, beyond T) {
	for i, word := range s.in {
		for ; word != 0; word &= word - 1 {
			row[64*i+bits.TrailingZeros64(word)] = beyond
		}
	}
	for wide := 1.0; need*Few <= len(row); wide *= 2 {
		low, high := window(s, row, need, wide)
		s.near = s.near[:0]
		for y, q := range row {
			if int64(q) <= high {
				s.near = append(s.near, candidate{uint64(q), uint32(y)})
			}
		}
		if len(s.near) >= need {
			s.take(need, low)
			return
		}
	}
	below, between := 0, 0
	for wide := 1.0; ; wide *= 2 {
		low, high := window(s, row, need, wide)
		s.keys = scratch.Resize(s.keys, len(row)+1)
		below, between = 0, 0
		for _, q := range row {
			// Comparisons by sign: no branch to mispredict.
			under, over := int(uint64(int64(q)-low)>>63), int(uint64(high-int64(q))>>63)
			s.keys[between] = uint64(q)
			below += under
			between += 1 - under - over
		}
		if below < need && need <= below+between {
			break
		}
	}
	last := int64(selection.Select(s.keys[:between], need-below))
	ties := need - below
	for _, q := range s.keys[:between] {
		ties -= int(uint64(int64(q)-last) >> 63)
	}
	for i := range s.in {
		nearer, same := uint64(0), uint64(0)
		for j, q := range row[64*i : min(64*i+64, len(row))] {
			d := int64(q) - last
			nearer |= uint64(d) >> 63 << (j & 63)
			same |= uint64(d-1) >> 63 << (j & 63)
		}
		for same &^= nearer; same != 0 && ties > 0; same &= same - 1 {
			nearer |= same & -same
			ties--
		}
		s.in[i] |= nearer
	}
}

// sampleEvery is the stride of the sample by which window guesses.
const sampleEvery = 16

// window guesses two squared distances that enclose that of the word of some rank,
// from every sixteenth word: three standard deviations of a sample's rank to each
// side, times wide.
func window[T uint32 | float64](s *nearestScratch, row []T, rank int, wide float64) (low, high int64) {
	s.keys = s.keys[:0]
	for y := 0; y < len(row); y += sampleEvery {
		s.keys = append(s.keys, uint64(row[y]))
	}
	at := float64(float64(rank) / sampleEvery)
	far := float64(wide * (float64(3*math.Sqrt(at*max(0, 1-float64(rank)/float64(len(row))))) + 2))
	high = math.MaxInt64
	smallest := s.keys
	if above := int(at+far) + 1; above <= len(s.keys) {
		high = int64(selection.Select(s.keys, above))
		smallest = s.keys[:above]
	}
	if under := int(at - far); under >= 1 {
		low = int64(selection.Select(smallest, under))
	}
	return low, high
}
