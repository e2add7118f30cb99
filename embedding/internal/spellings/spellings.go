// Package spellings holds the words of a table: their bytes in one piece, and an index that
// finds a word. A word takes its bytes, one more, and ten for its place and the index.
package spellings

import (
	"fmt"
	"hash/maphash"
	"iter"
	"math"
	"math/bits"
	"strings"
)

// List is an immutable list of words, in their order. The zero List is empty.
type List struct {
	text   string   // a zero byte ends each word
	starts []uint32 // of each word, and the end of the text

	// An open hash table, two thirds full: zero, or the number of a word from 1 in the low
	// bits, and bits of its hash above them, so that other words are seldom read.
	slots []uint32
	low   uint32
	seed  maphash.Seed
}

// New returns the list of words. It copies them.
func New(words []string) (List, error) {
	length := len(words)
	for _, w := range words {
		length += len(w)
	}
	if uint64(length) > math.MaxUint32 {
		return List{}, fmt.Errorf("the words have %d bytes, want at most 2^32-1", length)
	}
	var text strings.Builder
	text.Grow(length)
	starts := make([]uint32, 1, len(words)+1)
	for _, w := range words {
		text.WriteString(w)
		text.WriteByte(0)
		starts = append(starts, uint32(text.Len()))
	}
	return List{text: text.String(), starts: starts}, nil
}

// Parse returns the list of n words in text, each ended by a zero byte. It keeps text. It
// reports false if these are not n words.
func Parse(text string, n int) (List, bool) {
	if uint64(len(text)) > math.MaxUint32 || n > len(text) {
		return List{}, false
	}
	starts := make([]uint32, 1, n+1)
	for at := 0; at < len(text); {
		length := strings.IndexByte(text[at:], 0)
		if length < 0 || len(starts) > n {
			return List{}, false
		}
		at += length + 1
		starts = append(starts, uint32(at))
	}
	return List{text: text, starts: starts}, len(starts) == n+1
}

// Index makes [List.Find] ready. It returns an error for an empty word, and for one that is
// in the list twice.
func (l *List) Index() error {
	n := l.Len()
	l.slots, l.seed = make([]uint32, n+n/2+1), maphash.MakeSeed()
	l.low = 1<<bits.Len(uint(n)) - 1
	for i, word := range l.All() {
		if word == "" {
			return fmt.Errorf("word %d is empty", i+1)
		}
		number, at := l.look(word)
		if number != 0 {
			return fmt.Errorf("words %d and %d are the same", number, i+1)
		}
		l.slots[at] = l.mark(l.hash(word)) | uint32(i+1)
	}
	return nil
}

func (l *List) hash(word string) uint64 { return maphash.String(l.seed, word) }

// mark returns the bits of a hash that a slot has above the number. The place of the first
// slot comes from the other end of the hash.
func (l *List) mark(hash uint64) uint32 { return uint32(hash) &^ l.low }

// look returns the number of a word from 1, or 0 and the slot where it would be.
func (l *List) look(word string) (number, slot uint32) {
	hash := l.hash(word)
	first, _ := bits.Mul64(hash, uint64(len(l.slots)))
	mark := l.mark(hash)
	for at := int(first); ; at++ {
		if at == len(l.slots) {
			at = 0
		}
		s := l.slots[at]
		if s == 0 {
			return 0, uint32(at)
		}
		if s&^l.low == mark && l.At(int(s&l.low)-1) == word {
			return s & l.low, uint32(at)
		}
	}
}

// Find returns the place of a word, from 0. The list must be empty or have its index.
func (l *List) Find(word string) (int, bool) {
	if len(l.slots) == 0 {
		return 0, false
	}
	number, _ := l.look(word)
	return int(number) - 1, number != 0
}

// Len returns the number of words.
func (l *List) Len() int { return max(0, len(l.starts)-1) }

// At returns word i, from 0.
func (l *List) At(i int) string { return l.text[l.starts[i] : l.starts[i+1]-1] }

// All returns the words with their places.
func (l *List) All() iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		for i := range l.Len() {
			if !yield(i, l.At(i)) {
				return
			}
		}
	}
}

// Text returns all words, each ended by a zero byte.
func (l *List) Text() string { return l.text }

// First returns the list of the first n words, without an index. It shares their bytes.
func (l *List) First(n int) List {
	return List{text: l.text[:l.starts[n]], starts: l.starts[:n+1]}
}
