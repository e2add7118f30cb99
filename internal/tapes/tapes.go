// Package tapes runs samplers over every word of a narrow source of randomness, which counts
// their outputs exactly.
package tapes

// Source is a source of words of some bits: one tape of them. A range that is shifted by
// Shift is drawn from them as the range itself is drawn from words of 64 bits (below_narrow
// of proofs/lemire.v), so the sampler that is in use runs over a tape. It is for one
// goroutine.
type Source struct {
	bits  uint
	tape  uint64 // its words, the first one in the low bits
	words int    // how many are left
	short bool   // more were read
}

// Uint64 returns the next word of the tape. Beyond the end it is one that a sampler of a
// range never refuses, and the tape is Short.
func (s *Source) Uint64() uint64 {
	last := uint64(1)<<s.bits - 1
	if s.words == 0 {
		s.short = true
		return last
	}
	u := s.tape & last
	s.tape >>= s.bits
	s.words--
	return u
}

// Short reports whether more words were read than the tape has.
func (s *Source) Short() bool { return s.short }

// Shift returns what ranges are shifted by for words of these bits.
func (s *Source) Shift() uint { return 64 - s.bits }

// Every calls draw with each tape of some words of some bits.
func Every(bits uint, words int, draw func(*Source)) {
	for tape := range uint64(1) << (bits * uint(words)) {
		draw(&Source{bits: bits, tape: tape, words: words})
	}
}
