package gate

import (
	"context"
	"slices"
	"sync"
)

// Turns hands out few places for long work. A free place goes to the key that holds the
// fewest, and among those to the one that was served longest ago. So a key that queues many
// requests delays another's by the work in progress, not by its queue.
type Turns struct {
	mu      sync.Mutex
	free    int
	waiting []*turn        // in order of arrival
	held    map[string]int // places by key
	served  map[string]uint64
	clock   uint64
}

type turn struct {
	key   string
	given chan struct{} // closed when the place is the turn's
}

func NewTurns(places int) *Turns {
	return &Turns{free: places, held: map[string]int{}, served: map[string]uint64{}}
}

// Take waits for a place for the key of a request. The caller must call leave, once.
func (t *Turns) Take(ctx context.Context) (leave func(), err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	mine := &turn{keyOf(ctx), make(chan struct{})}
	t.mu.Lock()
	t.waiting = append(t.waiting, mine)
	t.give()
	t.mu.Unlock()
	leave = func() { t.leave(mine) }
	select {
	case <-mine.given:
		return leave, nil
	case <-ctx.Done():
	}
	t.mu.Lock()
	at := slices.Index(t.waiting, mine)
	if at >= 0 {
		t.waiting = slices.Delete(t.waiting, at, at+1)
	}
	t.mu.Unlock()
	if at < 0 { // given meanwhile
		leave()
	}
	return nil, ctx.Err()
}

// Keys returns the keys of the requests that wait, in order of arrival.
func (t *Turns) Keys() (names []string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, w := range t.waiting {
		names = append(names, w.key)
	}
	return names
}

func (t *Turns) leave(mine *turn) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.free++
	if t.held[mine.key]--; t.held[mine.key] == 0 {
		delete(t.held, mine.key)
	}
	t.give()
}

// give gives away what is free. The caller holds the lock.
func (t *Turns) give() {
	for t.free > 0 && len(t.waiting) > 0 {
		next := 0
		for i, w := range t.waiting {
			if t.before(w.key, t.waiting[next].key) {
				next = i
			}
		}
		w := t.waiting[next]
		t.waiting = slices.Delete(t.waiting, next, next+1)
		t.clock++
		t.free, t.served[w.key] = t.free-1, t.clock
		t.held[w.key]++
		close(w.given)
	}
}

func (t *Turns) before(a, b string) bool {
	if t.held[a] != t.held[b] {
		return t.held[a] < t.held[b]
	}
	return t.served[a] < t.served[b]
}

type nameInContext struct{}

// withKey returns the context of a request of a key.
func withKey(ctx context.Context, key string) context.Context {
	return context.WithValue(ctx, nameInContext{}, key)
}

// keyOf returns the name of the key of a request, "" for a request without one.
func keyOf(ctx context.Context) string {
	key, _ := ctx.Value(nameInContext{}).(string)
	return key
}
