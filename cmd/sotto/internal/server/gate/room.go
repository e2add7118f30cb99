package gate

import (
	"sync"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/wire"
)

// room is what all requests in progress may hold together: places, for those that work,
// and memory. A key that has several requests in progress is given more only while it then
// holds no more than what stays free. So however many requests one key sends, another's
// find room: some of it stays free, since every further key too takes at most half of the
// rest.
type room struct {
	mu   sync.Mutex
	free share
	of   map[string]*tenant // by the name of the key, while it has requests
}

// share is a part of the room.
type share struct {
	places int
	memory int64
}

type tenant struct {
	share
	requests int // in progress, whether they hold anything or not
}

// stay is what one request holds, from when its key is known until it ends.
type stay struct {
	in   *room
	key  string
	only bool // no other key has to find room
	share
}

func newRoom(places int, memory int64) *room {
	return &room{free: share{places, memory}, of: map[string]*tenant{}}
}

// enter begins a request of a key, which holds nothing yet.
func (r *room) enter(key string, only bool) *stay {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.of[key] == nil {
		r.of[key] = &tenant{}
	}
	r.of[key].requests++
	return &stay{in: r, key: key, only: only}
}

// take adds to what the request holds, or fails at once.
func (s *stay) take(places int, memory int64) error {
	r := s.in
	r.mu.Lock()
	defer r.mu.Unlock()
	t, left := r.of[s.key], share{r.free.places - places, r.free.memory - memory}
	switch {
	case left.places < 0:
		return wire.Busy("too-many-requests", "the server is at its limit of requests: try again")
	case left.memory < 0:
		return wire.Busy("too-many-requests", "the server is at its limit of memory for requests: try again, or send less at once")
	case s.only || t.requests == 1:
	case places > 0 && t.places+places > left.places || memory > 0 && t.memory+memory > left.memory:
		return wire.Busy("too-many-requests", "this key has as many requests in progress as there is room for beside those of other keys: try again")
	}
	r.free = left
	t.places, t.memory = t.places+places, t.memory+memory
	s.places, s.memory = s.places+places, s.memory+memory
	return nil
}

// leave ends the request and gives back what it holds.
func (s *stay) leave() {
	r := s.in
	r.mu.Lock()
	defer r.mu.Unlock()
	t := r.of[s.key]
	r.free = share{r.free.places + s.places, r.free.memory + s.memory}
	t.places, t.memory, t.requests = t.places-s.places, t.memory-s.memory, t.requests-1
	if t.requests == 0 {
		delete(r.of, s.key)
	}
}
