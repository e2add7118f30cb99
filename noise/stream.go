package noise

import (
	"encoding/binary"
	"math/rand/v2"

	"github.com/sotto-dp/sotto/internal/simd/chacha"
)

// nextKey is where, in the blocks of a key, the next key begins.
const nextKey = chacha.Words - 4

// stream returns the numbers of [rand.ChaCha8] in their order. It makes all that a key
// gives at once, and the next key then overwrites the old one.
type stream struct {
	at     int
	words  [chacha.Words]uint64
	others *rand.ChaCha8 // makes the numbers where there is no kernel
}

func newStream(key [32]byte) *stream {
	s := &stream{at: nextKey}
	if !chacha.Fast() {
		s.others = rand.NewChaCha8(key)
		return s
	}
	for i := nextKey; i < chacha.Words; i++ {
		s.words[i] = binary.LittleEndian.Uint64(key[8*(i-nextKey):])
	}
	return s
}

// Uint64 returns the next number.
func (s *stream) Uint64() uint64 {
	if s.at >= nextKey {
		s.fill()
	}
	s.at++
	return s.words[s.at-1]
}

func (s *stream) fill() {
	s.at = 0
	if s.others == nil {
		key := [4]uint64(s.words[nextKey:])
		chacha.Fill(&s.words, &key)
		return
	}
	for i := range nextKey {
		s.words[i] = s.others.Uint64()
	}
}
