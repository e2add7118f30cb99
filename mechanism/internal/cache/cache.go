// Package cache caches values per word, within a number of bytes.
package cache

import (
	"sync"
	"sync/atomic"

	"github.com/sotto-dp/sotto/embedding"
)

// Bytes bounds the cache of a channel's rows or sets.
const Bytes = 256 << 20

// Cache caches values per word, within a number of bytes, with CLOCK eviction
// (Corbato 1968). Draws do not depend on what is cached.
type Cache[T any] struct {
	held    []atomic.Pointer[T]
	met     []atomic.Bool // used since the hand passed; nil if all fit
	claimed sync.Map      // embedding.ID -> struct{}: being computed
	room    int           // bytes
	size    func(*T) int

	mu   sync.Mutex // guards the fields below, if not all fit
	used int
	hand int
}

// New returns a cache for n words, whose values take at most the given bytes each.
func New[T any](n, most, room int, size func(*T) int) *Cache[T] {
	s := &Cache[T]{held: make([]atomic.Pointer[T], n), room: room, size: size}
	if n > room/most {
		s.met = make([]atomic.Bool, n)
	}
	return s
}

// Get returns the cached value for x, or nil.
func (s *Cache[T]) Get(x embedding.ID) *T {
	v := s.held[x].Load()
	if s.met != nil && v != nil && !s.met[x].Load() {
		s.met[x].Store(true)
	}
	return v
}

// Claim returns the words that are neither cached nor claimed, and claims them.
// Put ends a claim.
func (s *Cache[T]) Claim(words []embedding.ID) []embedding.ID {
	var missing []embedding.ID
	for _, x := range words {
		if s.Get(x) == nil {
			if _, taken := s.claimed.LoadOrStore(x, struct{}{}); !taken {
				missing = append(missing, x)
			}
		}
	}
	return missing
}

// Release ends claims without a value.
func (s *Cache[T]) Release(words []embedding.ID) {
	for _, x := range words {
		s.claimed.Delete(x)
	}
}

// Put caches v for x, and evicts others if there is no room.
func (s *Cache[T]) Put(x embedding.ID, v *T) {
	if s.met == nil {
		s.held[x].Store(v)
	} else {
		s.mu.Lock()
		s.used += s.size(v)
		if old := s.held[x].Swap(v); old != nil {
			s.used -= s.size(old)
		}
		s.met[x].Store(false)
		s.sweep()
		s.mu.Unlock()
	}
	s.claimed.Delete(x)
}

// Drop removes what is cached for x.
func (s *Cache[T]) Drop(x embedding.ID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if old := s.held[x].Swap(nil); old != nil && s.met != nil {
		s.used -= s.size(old)
	}
}

// sweep evicts until the rest fits.
func (s *Cache[T]) sweep() {
	for s.used > s.room {
		x := s.hand
		s.hand = (s.hand + 1) % len(s.held)
		if s.met[x].Swap(false) {
			continue
		}
		if old := s.held[x].Swap(nil); old != nil {
			s.used -= s.size(old)
		}
	}
}
