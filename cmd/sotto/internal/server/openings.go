package server

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"
)

// openings is an LRU cache of what requests open: mechanisms, or plans of corpora. It
// bounds how many are opened concurrently, since some take minutes.
type openings[T any] struct {
	ctx    context.Context // of all openings in progress; none belongs to a request
	end    context.CancelFunc
	places chan struct{}
	most   int
	wait   time.Duration

	mu      sync.Mutex
	kept    map[string]*opening[T]
	pending int
	clock   uint64 // counts uses
}

type opening[T any] struct {
	done   chan struct{} // closed when the two fields below are final
	opened T
	err    error
	ready  bool   // done is closed
	used   uint64 // clock at the last use
}

// mostPending bounds how many openings wait their turn.
const mostPending = 16

func newOpenings[T any](places, most int, wait time.Duration) *openings[T] {
	ctx, end := context.WithCancel(context.Background())
	return &openings[T]{ctx: ctx, end: end, places: make(chan struct{}, places), most: most, wait: wait, kept: map[string]*opening[T]{}}
}

// get returns what is cached under a key, or opens it. Concurrent requests for one
// key share one opening. The opening continues when they leave, until the server ends,
// and its result is cached. Failures are not cached.
func (o *openings[T]) get(ctx context.Context, key string, open func(context.Context) (T, error)) (none T, err error) {
	o.mu.Lock()
	p := o.kept[key]
	if p == nil {
		if o.pending >= mostPending {
			o.mu.Unlock()
			return none, stillOpening()
		}
		p = &opening[T]{done: make(chan struct{})}
		o.kept[key] = p
		o.pending++
		go o.open(key, p, open)
	}
	o.clock++
	p.used = o.clock
	ready := p.ready
	o.mu.Unlock()
	if ready {
		return p.opened, p.err
	}
	timer := time.NewTimer(o.wait)
	defer timer.Stop()
	select {
	case <-p.done:
		return p.opened, p.err
	case <-timer.C:
		return none, stillOpening()
	case <-ctx.Done():
		return none, ctx.Err()
	}
}

// openError wraps the reason why a mechanism did not open.
type openError struct{ err error }

func (e *openError) Error() string { return e.err.Error() }

func (e *openError) Unwrap() error { return e.err }

func stillOpening() error {
	p := problem(http.StatusServiceUnavailable, "opening", "the mechanism is being opened: try again")
	p.retry = 5
	return p
}

func (o *openings[T]) open(key string, p *opening[T], open func(context.Context) (T, error)) {
	o.places <- struct{}{}
	func() {
		defer func() {
			if recover() != nil {
				p.err = fmt.Errorf("serve: opening a mechanism panicked")
			}
		}()
		p.opened, p.err = open(o.ctx)
	}()
	<-o.places
	o.mu.Lock()
	defer o.mu.Unlock()
	o.pending--
	p.ready = true
	close(p.done)
	if p.err != nil {
		delete(o.kept, key)
		return
	}
	for len(o.kept)-o.pending > o.most {
		oldest := ""
		for k, v := range o.kept {
			if v.ready && v != p && (oldest == "" || v.used < o.kept[oldest].used) {
				oldest = k
			}
		}
		if oldest == "" {
			return
		}
		delete(o.kept, oldest)
	}
}

func (o *openings[T]) len() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.kept)
}
