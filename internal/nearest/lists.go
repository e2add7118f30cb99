package nearest

import (
	"math"
	"math/bits"
	"slices"
	"sync"

	"github.com/sotto-dp/sotto/internal/simd/inner"
)

// Lists are the vectors of a table in lists, each with a centre. A search compares a query
// with the centres, and then with a given number of vectors from the lists with the nearest
// centres. The number is the same for every query. It is safe for concurrent use.
type Lists struct {
	table   *Table
	centres *Table
	data    []uint8   // packed, list after list; each begins with a new block
	indices []uint32  // of the vector in each place of data
	from    []int     // the first block of each list
	size    []int     // the vectors of each list
	pool    sync.Pool // of *probing
}

// NewLists divides the vectors of a table: vector i is in the list of centre of[i].
func NewLists(table, centres *Table, of []uint32) *Lists {
	count := centres.n
	l := &Lists{table: table, centres: centres, from: make([]int, count), size: make([]int, count)}
	for _, list := range of {
		l.size[list]++
	}
	blocks := 0
	next := make([]int, count) // place of each list
	for list, size := range l.size {
		l.from[list], next[list] = blocks, blocks*inner.Block
		blocks += inner.Blocks(size)
	}
	l.data, l.indices = make([]uint8, blocks*inner.BlockSize(table.dim)), make([]uint32, blocks*inner.Block)
	for i, list := range of {
		inner.Copy(l.data, next[list], table.data, i, table.dim)
		l.indices[next[list]] = uint32(i)
		next[list]++
	}
	return l
}

// Len returns the number of lists.
func (l *Lists) Len() int { return len(l.size) }

// guessed is the least number of vectors compared, per vector of a set, at which the
// sample is asked for limits: where there are fewer it misleads often, and saves little.
const guessed = 16

// probing is the scratch of a search.
type probing struct {
	scratch
	rows    inner.Rows
	queries inner.Queries
	found   []candidates
	limits  []int32 // of found: a vector must score more
	visits  []visit
	byList  []visit
	starts  []int // of each list in byList
	misled  []int8
	near    []uint64 // keys of the centres
	members []uint64 // a bit for each vector
	words   []uint64 // a bit for each word of members that is not zero
}

// Nearest appends, for each query, the indices of k vectors in ascending order to dst:
// the nearest of the scanned vectors that it is compared with. These are whole lists in the
// order of their centres, ties by list number, and from the last list the vectors with the
// lowest indices. They depend only on the lists and that query. Scanned is at least k and
// at most the number of vectors.
func (l *Lists) Nearest(dst []uint32, queries []int8, k, scanned int) []uint32 {
	s, ok := l.pool.Get().(*probing)
	if !ok {
		words := (l.table.n + 63) / 64
		s = &probing{members: make([]uint64, words), words: make([]uint64, (words+63)/64)}
	}
	defer l.pool.Put(s)
	dim := l.table.dim
	dst = slices.Grow(dst, len(queries)/dim*k)
	sample := l.table.sample
	if guessed*k > scanned {
		sample = nil
	}
	together := max(inner.Group, batchBytes/8/roomFor(k, scanned))
	for now := range slices.Chunk(queries, together*dim) {
		n := len(now) / dim
		l.pass(s, now, k, scanned, sample)
		misled := s.misled[:0] // the queries for which the sample misled
		for i := range n {
			if len(s.found[i].keys) < k {
				misled = append(misled, now[i*dim:(i+1)*dim]...)
			}
		}
		var again *probing
		if s.misled = misled; len(misled) > 0 {
			again = &probing{}
			l.pass(again, misled, k, scanned, nil)
		}
		next := 0
		for i := range n {
			keys := s.found[i].keys
			if len(keys) < k {
				keys = again.found[next].keys
				next++
			}
			dst = s.ascending(dst, keep(keys, s.least(keys, k)))
		}
	}
	return dst
}

// roomFor returns the largest number of candidates of a query.
func roomFor(k, scanned int) int { return min(2*k+slack, scanned) + tileWords }

// pass compares some queries with their lists. With a sample it begins at limits that
// the sample suggests, and may find less than k.
func (l *Lists) pass(s *probing, queries []int8, k, scanned int, sample []uint8) {
	n := len(queries) / l.table.dim
	s.rows.Pack(queries, l.table.dim)
	s.visits = s.visits[:0]
	for len(s.found) < n {
		s.found, s.limits = append(s.found, candidates{}), append(s.limits, 0)
	}
	room := roomFor(k, scanned)
	for i := range n {
		if cap(s.found[i].keys) < room {
			s.found[i].keys = make([]uint64, 0, room)
		}
		s.found[i].keys, s.found[i].full, s.limits[i] = s.found[i].keys[:0], false, math.MinInt32
	}
	for from := 0; from < n; from += inner.Group {
		l.choose(s, from, min(inner.Group, n-from), scanned)
		if sample != nil {
			limits := [inner.Group]int32{}
			copy(limits[:], s.limits[from:n])
			// Twice k, because not all of the nearest are among those that are compared.
			s.guess(&s.queries, &limits, sample, 2*k, l.table.n)
			copy(s.limits[from:n], limits[:])
		}
	}
	l.sort(s)
	for list := range l.size {
		for some := range slices.Chunk(s.byList[s.starts[list]:s.starts[list+1]], inner.Group) {
			l.compare(s, some, k)
		}
	}
}

// room makes room for the scores of a group with as many vectors.
func (s *probing) room(width int) {
	if len(s.scores) < inner.Group*width {
		s.scores = make([]int32, inner.Group*width)
		s.over = make([]uint16, inner.Group*inner.Blocks(width))
	}
}

// compare scores the vectors of a list for the queries that visit it, at most Group of
// them.
func (l *Lists) compare(s *probing, some []visit, k int) {
	var which [inner.Group]uint32
	most := uint32(0)
	for r, v := range some {
		which[r], most = v.query, max(most, v.count)
	}
	s.queries.Take(&s.rows, which[:len(some)])
	s.room(tileWords)
	first, bytes := l.from[some[0].list], inner.BlockSize(l.table.dim)
	for from, blocks := 0, inner.Blocks(int(most)); from < blocks; from += tile {
		count := min(tile, blocks-from)
		var limit [inner.Group]int32
		for r := range limit {
			limit[r] = math.MaxInt32
			if r < len(some) {
				limit[r] = s.limits[which[r]]
			}
		}
		at := first + from
		s.queries.Scores(s.scores, s.over, l.data[at*bytes:(at+count)*bytes], &limit, count, tileWords)
		indices := l.indices[at*inner.Block:][:count*inner.Block]
		for r, v := range some {
			s.take(r, v, indices[:min(len(indices), max(0, int(v.count)-from*inner.Block))], k)
		}
	}
}

// take adds a tile's scores above the limit to the candidates of a query, row r of the
// group. Indices are those of its vectors.
func (s *probing) take(r int, v visit, indices []uint32, k int) {
	c := &s.found[v.query]
	keys, scores := c.keys, s.scores[r*tileWords:]
	for b := range inner.Blocks(len(indices)) {
		mask := s.over[b*inner.Group+r]
		if left := len(indices) - b*inner.Block; left < inner.Block {
			mask &= 1<<left - 1
		}
		for ; mask != 0; mask &= mask - 1 {
			w := b*inner.Block + bits.TrailingZeros16(mask)
			keys = append(keys, key(scores[w], indices[w]))
		}
	}
	// A later vector that scores as much as the k-th of those seen may have a lesser
	// index: only what scores less is out.
	if len(keys) >= 2*k+slack || !c.full && len(keys) >= k+slack {
		least := s.least(keys, k)
		keys = keep(keys, least)
		c.full = true
		s.limits[v.query] = max(match(least).Score, math.MinInt32+1) - 1
	}
	c.keys = keys
}

// ascending appends the indices of keys in ascending order.
func (s *probing) ascending(dst []uint32, keys []uint64) []uint32 {
	for _, key := range keys {
		i := ^uint32(key)
		s.members[i/64] |= 1 << (i % 64)
		s.words[i/(64*64)] |= 1 << (i / 64 % 64)
	}
	for w, words := range s.words {
		s.words[w] = 0
		for ; words != 0; words &= words - 1 {
			at := 64*w + bits.TrailingZeros64(words)
			word := s.members[at]
			s.members[at] = 0
			for ; word != 0; word &= word - 1 {
				dst = append(dst, uint32(64*at+bits.TrailingZeros64(word)))
			}
		}
	}
	return dst
}
