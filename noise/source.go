// Package noise provides secure sources of randomness and exact samplers built
// on them.
//
// Every sampler takes a [rand.Source] of math/rand/v2; use [Secure]. A source
// is not safe for concurrent use: each worker has its own. Exact samplers
// ([Below], [Bernoulli], [DiscreteLaplace], [FloorNormal]) draw integers and
// use no floating point; the others ([Normal], [FillLaplace], [FillSpherical])
// are fast and round as float64 and float32 do.
package noise

import (
	crand "crypto/rand"
	"encoding/binary"
	"math/bits"
	"math/rand/v2"

	"github.com/sotto-dp/sotto/internal/simd/chacha"
)

// Secure returns a new source for one goroutine: ChaCha8 (a cryptographic
// stream cipher that erases its past keys) under a fresh key from the operating system. A
// failure of the operating system's generator ends the program (crypto/rand).
func Secure() rand.Source {
	var key [32]byte
	_, _ = crand.Read(key[:]) // never returns an error: it crashes instead
	return newStream(key)
}

// Seeded returns the reproducible source of stream number stream under seed. It
// is for tests: anyone who knows the seed can undo the privacy.
func Seeded(seed, stream uint64) rand.Source {
	var key [32]byte
	copy(key[:], "sotto insecure")
	binary.LittleEndian.PutUint64(key[16:], seed)
	binary.LittleEndian.PutUint64(key[24:], stream)
	return newStream(key)
}

// OrSecure returns src, or a new secure source if src is nil.
func OrSecure(src rand.Source) rand.Source {
	if src == nil {
		return Secure()
	}
	return src
}

// Below returns an exactly uniform integer in [0, n). n must be positive.
// Lemire's multiply-and-reject method (2019): one draw almost always.
func Below(src rand.Source, n uint64) uint64 {
	if n == 0 {
		panic("noise: Below of an empty range")
	}
	hi, lo := bits.Mul64(next(src), n)
	if lo < n {
		for threshold := -n % n; lo < threshold; {
			hi, lo = bits.Mul64(next(src), n)
		}
	}
	return hi
}

// next draws 64 bits, without a call where they are there and the source is of this
// package.
func next(src rand.Source) uint64 {
	if s, ok := src.(*stream); ok {
		return s.Uint64()
	}
	return src.Uint64()
}

// Bernoulli returns true with probability exactly p/q, 0 <= p <= q, q positive.
func Bernoulli(src rand.Source, p, q uint64) bool { return Below(src, q) < p }

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
