package sets

import (
	"math"
	"slices"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/grid"
	"github.com/sotto-dp/sotto/internal/scratch"
	"github.com/sotto-dp/sotto/internal/selection"
	"github.com/sotto-dp/sotto/internal/wordclass"
)

// nearestScratch is the working memory in which nearest words are chosen.
type nearestScratch struct {
	narrow ranked[uint32]
	wide   ranked[float64]
	lead   []uint32
	in     []uint64 // a bit for each place in the set
}

// ranked is a block of rows of squared distances, and what chooses the smallest of a row.
type ranked[T uint32 | float64] struct {
	rows   []T
	finder selection.Finder[T]
	pool   []T // the distances of one class
	picked []uint64
}

// nearest calls take with the set of each x, as a bit for each place. The set takes
// the leading places of x first, then its class, then all others, each by distance,
// ties by lower number. The slice is reused.
func (s *nearestScratch) nearest(rule *Nearest, xs []embedding.ID, take func(x embedding.ID, in []uint64)) {
	n := rule.Table.Len()
	if grid.Narrow(rule.Table.Grid()) {
		rows := scratch.Resize(s.narrow.rows, n*len(xs))
		s.narrow.rows = rows
		grid.SquaredDistances32(rule.Table.Grid(), rows, xs, 0, n)
		for i, x := range xs {
			take(x, choose(s, &s.narrow, rule, narrowTo(rows[i*n:(i+1)*n], rule.outputs), x, math.MaxUint32))
		}
		return
	}
	rows := scratch.Resize(s.wide.rows, n*len(xs))
	s.wide.rows = rows
	rule.Table.SquaredDistances(rows, xs, 0, n)
	for i, x := range xs {
		take(x, choose(s, &s.wide, rule, narrowTo(rows[i*n:(i+1)*n], rule.outputs), x, 1<<53))
	}
}

// choose picks the set of x from a row of squared distances to the outputs, and
// overwrites the row; beyond is above all of them.
func choose[T uint32 | float64](s *nearestScratch, r *ranked[T], rule *Nearest, row []T, x embedding.ID, beyond T) []uint64 {
	s.in = scratch.Resize(s.in, (len(row)+63)/64)
	clear(s.in)
	if rule.K >= len(row) {
		for y := range row {
			mark(s.in, uint32(y))
		}
		return s.in
	}
	s.lead = rule.first(s.lead[:0], x)
	for _, y := range s.lead {
		mark(s.in, y)
		row[y] = beyond
	}
	need := rule.K - len(s.lead)
	if rule.class != nil { // a class without outputs has a nil pool
		need -= r.markOf(s.in, row, rule.kin[rule.class[x]], need, beyond)
	}
	r.finder.Mark(s.in, row, need)
	return s.in
}

// mark adds a place to a set.
func mark(in []uint64, y uint32) { in[y/64] |= 1 << (y % 64) }

// has reports whether a place is in a set.
func has(in []uint64, y uint32) bool { return in[y/64]>>(y%64)&1 != 0 }

// markOf adds the nearest places of a pool that are not in the set yet, at most
// need of them, moves them beyond all others, and returns how many.
func (r *ranked[T]) markOf(in []uint64, row []T, pool []uint32, need int, beyond T) int {
	r.pool = r.pool[:0]
	for _, y := range pool {
		r.pool = append(r.pool, row[y])
	}
	left := 0
	for _, q := range r.pool {
		if q != beyond {
			left++
		}
	}
	need = min(need, left)
	r.picked = scratch.Resize(r.picked, (len(pool)+63)/64)
	clear(r.picked)
	r.finder.Mark(r.picked, r.pool, need)
	for i, y := range pool {
		if has(r.picked, uint32(i)) {
			mark(in, y)
			row[y] = beyond
		}
	}
	return need
}

// Nearest chooses the k outputs of a word's set: the word itself if it is an
// output, then its similar words in order, then the nearest outputs, those of
// its class first if there are classes.
type Nearest struct {
	Outputs
	K       int
	Similar map[embedding.ID][]uint32    // words, not places
	Digest  string                       // SHA-256 of the file of similar words
	class   []wordclass.Class            // of each word; nil: none
	kin     map[wordclass.Class][]uint32 // places of each class, ascending
}

// Classify assigns classes to words. Call it after Limit.
func (r *Nearest) Classify(classes []wordclass.Class) {
	r.class, r.kin = classes, map[wordclass.Class][]uint32{}
	for y := range uint32(r.Len()) {
		c := classes[r.word(y)]
		r.kin[c] = append(r.kin[c], y)
	}
}

// alone reports whether every set is the word itself.
func (r *Nearest) alone() bool { return r.K == 1 && r.outputs == nil }

// first appends the places that lead the set of x, whatever the distances.
func (r *Nearest) first(dst []uint32, x embedding.ID) []uint32 {
	add := func(y uint32) {
		if r.place != nil {
			if r.place[y] < 0 {
				return
			}
			y = uint32(r.place[y])
		}
		if len(dst) < r.K && !slices.Contains(dst, y) {
			dst = append(dst, y)
		}
	}
	add(uint32(x))
	for _, y := range r.Similar[x] {
		add(y)
	}
	return dst
}

// narrowTo keeps the entries of a row over all words that belong to outputs.
func narrowTo[T any](row []T, outputs []uint32) []T {
	if outputs == nil {
		return row
	}
	for i, y := range outputs { // ascending, so nothing is overwritten before it is read
		row[i] = row[y]
	}
	return row[:len(outputs)]
}

// FirstOf lists the numbers below m.
func FirstOf(m int) []uint32 {
	ids := make([]uint32, m)
	for i := range ids {
		ids[i] = uint32(i)
	}
	return ids
}
