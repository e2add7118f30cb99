package tokenize

import (
	"encoding/binary"
	"math/bits"
	"math/rand/v2"
	"sync"
	"sync/atomic"

	"github.com/sotto-dp/sotto/embedding"
)

// shortToken is the length in bytes of the longest tokens that a key holds.
const shortToken = 12

// key holds a token of at most shortToken bytes, the last of which is not zero: its bytes,
// and zeros.
type key struct {
	low  uint64
	high uint32
}

// keyOf returns the key of a token; ok is false if no key holds it.
func keyOf(token []byte) (k key, ok bool) {
	if len(token) > shortToken || token[len(token)-1] == 0 {
		return key{}, false
	}
	var padded [16]byte
	copy(padded[:], token)
	return key{binary.LittleEndian.Uint64(padded[:]), binary.LittleEndian.Uint32(padded[8:])}, true
}

// append appends the token.
func (k key) append(dst []byte) []byte {
	dst = binary.LittleEndian.AppendUint64(dst, k.low)
	dst = binary.LittleEndian.AppendUint32(dst, k.high)
	zeros := bits.LeadingZeros32(k.high)
	if k.high == 0 {
		zeros += bits.LeadingZeros64(k.low)
	}
	return dst[:len(dst)-zeros/8]
}

// memo caches the entries of short tokens. It is read once per token of a text, and is safe
// for concurrent use: a slot is written once, and readers take no lock.
//
// The tokens that a text brings first are the frequent ones. They stay in a first level
// that fits a processor's nearest cache, and each level after it is eight times as large.
type memo struct {
	seed  [2]uint64 // random, so that no text can choose tokens that collide
	first *level
	lists atomic.Pointer[[][]embedding.ID] // of the tokens that have not exactly one entry

	mu    sync.Mutex // of writers
	last  *level
	depth int
}

// level is a hash table with linear probing.
type level struct {
	slots []slot // a power of two, at most half of them in use
	used  int
	next  atomic.Pointer[level]
}

type slot struct {
	low  atomic.Uint64 // of the key
	high atomic.Uint64 // of the key, and a value: zero if the slot is free; written last
}

// Levels of a memo.
const (
	firstSlots = 1 << 12
	levelSlots = 8 // a level has as many times the slots of the one before it
	levels     = 3
)

// value is what the memo has for a token, never zero: an entry and one, or a place in lists
// and one with the bit several.
type value uint32

const several value = 1 << 31

func newMemo() *memo {
	first := &level{slots: make([]slot, firstSlots)}
	return &memo{seed: [2]uint64{rand.Uint64(), rand.Uint64()}, first: first, last: first, depth: 1}
}

func (m *memo) hash(k key) uint64 {
	high, low := bits.Mul64(k.low^m.seed[0], uint64(k.high)^m.seed[1])
	return high ^ low
}

// waitingTokens is the most keys that find looks for at once.
const waitingTokens = 64

// find sets found to what was put for each key, 0 if nothing was. It reads one level for
// all keys before the next one: the processor then waits for their memory at the same time.
func (m *memo) find(found *[waitingTokens]value, keys []key) {
	var hashes [waitingTokens]uint64
	var rest [waitingTokens]uint8 // keys that are not found yet
	for i, k := range keys {
		hashes[i], rest[i] = m.hash(k), uint8(i)
	}
	left := rest[:len(keys)]
	for l := m.first; l != nil && len(left) > 0; l = l.next.Load() {
		n := 0
		for _, i := range left { // left[:n] was read before it is written
			v := l.find(keys[i], hashes[i%waitingTokens])
			found[i%waitingTokens] = v
			left[n] = i
			n += oneIf(v == 0)
		}
		left = left[:n]
	}
}

// get returns what was put for one key.
func (m *memo) get(k key) value {
	var found [waitingTokens]value
	m.find(&found, []key{k})
	return found[0]
}

func (l *level) find(k key, hash uint64) value {
	slots := l.slots
	for at := hash; ; at++ {
		s := &slots[at&uint64(len(slots)-1)]
		switch high := s.high.Load(); {
		case value(high) == 0:
			return 0
		case uint32(high>>32) == k.high && s.low.Load() == k.low:
			return value(high)
		}
	}
}

// list returns the entries of a value with the bit several.
func (m *memo) list(v value) []embedding.ID { return (*m.lists.Load())[v&^several-1] }

// put adds a key that the memo lacks, unless the memo is full.
func (m *memo) put(k key, entries []embedding.ID) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.get(k) != 0 || !m.room() {
		return
	}
	var v value
	if len(entries) == 1 {
		if v = value(entries[0]) + 1; v >= several {
			return
		}
	} else {
		var lists [][]embedding.ID
		if old := m.lists.Load(); old != nil {
			lists = *old
		}
		lists = append(lists, append([]embedding.ID(nil), entries...))
		m.lists.Store(&lists)
		v = several | value(len(lists))
	}
	m.last.put(k, m.hash(k), v)
}

// room reports whether the last level has room, and adds levels up to the largest.
func (m *memo) room() bool {
	if 2*m.last.used < len(m.last.slots) {
		return true
	}
	if m.depth == levels {
		return false
	}
	next := &level{slots: make([]slot, levelSlots*len(m.last.slots))}
	m.last.next.Store(next)
	m.last, m.depth = next, m.depth+1
	return true
}

func (l *level) put(k key, hash uint64, v value) {
	at := hash
	for l.slots[at&uint64(len(l.slots)-1)].high.Load() != 0 {
		at++
	}
	s := &l.slots[at&uint64(len(l.slots)-1)]
	s.low.Store(k.low)
	s.high.Store(uint64(k.high)<<32 | uint64(v))
	l.used++
}

func oneIf(b bool) int {
	if b {
		return 1
	}
	return 0
}
