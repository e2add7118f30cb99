package sets

import (
	"slices"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/wordclass"
)

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
