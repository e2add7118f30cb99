package mechanism

import (
	"sync"
	"sync/atomic"

	"github.com/sotto-dp/sotto/embedding"
)

// shelfBytes is what a channel keeps of its rows or sets at most.
const shelfBytes = 256 << 20

// shelf keeps what was made for words, within a number of bytes: beyond it, what
// has not been met since the hand last passed is dropped, and made again when it is
// wanted (the clock algorithm, Corbato 1968). Nothing that is drawn depends on it.
type shelf[T any] struct {
	held    []atomic.Pointer[T]
	met     []atomic.Bool // since the hand passed; nil where all fit
	claimed sync.Map      // embedding.ID -> struct{}: being made
	room    int           // bytes
	size    func(*T) int

	mu   sync.Mutex // of what follows, where not all fit
	used int
	hand int
}

// newShelf makes one for n words, each of which takes at most the given bytes.
func newShelf[T any](n, most, room int, size func(*T) int) *shelf[T] {
	s := &shelf[T]{held: make([]atomic.Pointer[T], n), room: room, size: size}
	if n > room/most {
		s.met = make([]atomic.Bool, n)
	}
	return s
}

// get returns what is kept for x, nil where there is nothing.
func (s *shelf[T]) get(x embedding.ID) *T {
	v := s.held[x].Load()
	if s.met != nil && v != nil && !s.met[x].Load() {
		s.met[x].Store(true)
	}
	return v
}

// claim returns the words for which there is nothing and that nobody else has
// claimed; put ends a claim.
func (s *shelf[T]) claim(words []embedding.ID) []embedding.ID {
	var missing []embedding.ID
	for _, x := range words {
		if s.get(x) == nil {
			if _, taken := s.claimed.LoadOrStore(x, struct{}{}); !taken {
				missing = append(missing, x)
			}
		}
	}
	return missing
}

// release ends claims without anything to keep.
func (s *shelf[T]) release(words []embedding.ID) {
	for _, x := range words {
		s.claimed.Delete(x)
	}
}

// put keeps v for x, and drops others where there is no room.
func (s *shelf[T]) put(x embedding.ID, v *T) {
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

// sweep drops until the rest fits.
func (s *shelf[T]) sweep() {
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
