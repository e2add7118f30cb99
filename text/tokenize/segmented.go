package tokenize

import (
	"bytes"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/segment"
)

// segmented cuts and writes texts by rules of segmentation, for a vocabulary that states
// them. It is for one goroutine.
type segmented struct {
	vocabulary Vocabulary
	rules      *segment.Rules
	cutter     *segment.Cutter
	memo       map[string]embedding.ID // of spellings
	written    map[embedding.ID]*writtenForm
	lattice    *segment.Lattice   // of the run that is being written
	glue       map[[2]string]bool // whether two forms with nothing between them are read as the two
	pair       []embedding.ID
}

func newSegmented(v Vocabulary, rules *segment.Rules) *segmented {
	s := &segmented{vocabulary: v, rules: rules, memo: map[string]embedding.ID{}, written: map[embedding.ID]*writtenForm{}, lattice: rules.Lattice(), glue: map[[2]string]bool{}}
	s.cutter = rules.Cutter(s.has)
	return s
}

func (s *segmented) has(word string) bool { _, ok := s.vocabulary.Lookup(word); return ok }

// memoLength bounds the spellings whose entries are cached, in bytes.
const memoLength = 32

// LongestWord is the length in bytes of the longest tokens that are looked up. Longer ones
// are unknown.
const LongestWord = 1024

// cutAtOnce is about how many bytes are cut at a time: to cut takes many times their memory.
const cutAtOnce = 64 << 10

// tokenize appends the entries of a text and counts those that are unknown.
func (s *segmented) tokenize(dst []embedding.ID, text []byte) (ids []embedding.ID, unknown int) {
	return s.cutParts(dst, text, cutAtOnce)
}

func (s *segmented) cutParts(dst []embedding.ID, text []byte, part int) (ids []embedding.ID, unknown int) {
	for len(text) > 0 {
		end, more := cutAt(text, min(part, len(text))), 0
		dst, more = s.cut(dst, text[:end])
		text, unknown = text[end:], unknown+more
	}
	return dst, unknown
}

// cutAt returns the first place from at on where a text can be cut: what is before it and
// what is after it are read as in the whole. That is so before a space, a line feed and an
// ideographic full stop: none composes with what is before it, and no word, address or run
// goes on there.
func cutAt(text []byte, at int) int {
	for ; at < len(text); at++ {
		switch text[at] {
		case ' ', '\n':
			return at
		case fullStop[0]:
			if bytes.HasPrefix(text[at:], fullStop) {
				return at
			}
		}
	}
	return len(text)
}

var fullStop = []byte("。")

func (s *segmented) cut(dst []embedding.ID, text []byte) (ids []embedding.ID, unknown int) {
	none := s.vocabulary.Unknown()
	s.cutter.Cut(text, func(spelled []byte, _ bool) {
		id, ok := s.memo[string(spelled)]
		if !ok {
			id = none
			if len(spelled) > 0 && len(spelled) <= LongestWord {
				if found, ok := s.vocabulary.Lookup(s.rules.Fold(string(spelled))); ok {
					id = found
				}
			}
			if len(spelled) <= memoLength && len(s.memo) < memoTokens {
				s.memo[string(spelled)] = id
			}
		}
		if id == none {
			unknown++
		}
		dst = append(dst, id)
	})
	return dst, unknown
}

const memoTokens = 1 << 17

// writtenForm is how an entry is written.
type writtenForm struct {
	id            embedding.ID
	form, capital string
	kind          kind
	first, last   rune
	letters       int // of a run, each with its marks
}
