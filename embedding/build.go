package embedding

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"unicode/utf8"
)

// builder collects words and vectors, and refuses those that a table cannot hold.
type builder struct {
	src   Source
	lines map[string]int // place of each word
	size  int64          // of the file
}

// expect allocates for the number of words in a header, limited to what a file
// of this size can hold: a value takes at least two bytes before compression.
func (b *builder) expect(words int) {
	if n := int64(words) * int64(b.src.Dim); words > 0 && n > 0 && n/int64(words) == int64(b.src.Dim) && n <= 4*b.size {
		b.src.Vectors = slices.Grow(b.src.Vectors, int(n))
		b.src.Words = slices.Grow(b.src.Words, words)
	}
}

// dimensions sets the number of dimensions.
func (b *builder) dimensions(where string, dim int) error {
	if dim < 1 || dim > MaxDim {
		return fault(where, "%d dimensions, want 1 to %d", dim, MaxDim)
	}
	b.src.Dim = dim
	return nil
}

// add appends a word; place is its line or its number, from 1.
func (b *builder) add(unit string, place int, word []byte) error {
	where := fmt.Sprintf("%s %d", unit, place)
	switch {
	case len(word) == 0:
		return fault(where, "the word is empty")
	case !utf8.Valid(word):
		return fault(where, "the word is not UTF-8")
	case bytes.IndexByte(word, 0) >= 0:
		return fault(where, "the word holds a zero byte")
	}
	if before, ok := b.lines[string(word)]; ok {
		return fault(where, "the word is on %s %d already", unit, before)
	}
	w := string(word)
	b.lines[w] = place
	b.src.Words = append(b.src.Words, w)
	return nil
}

// value appends one component.
func (b *builder) value(unit string, place int, v float32) error {
	if f := float64(v); math.IsNaN(f) || math.IsInf(f, 0) {
		return fault(fmt.Sprintf("%s %d", unit, place), "a value is not finite")
	}
	b.src.Vectors = append(b.src.Vectors, v)
	return nil
}
