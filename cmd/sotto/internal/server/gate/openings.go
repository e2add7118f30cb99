package gate

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/wire"
)

// Openings is an LRU cache of what requests open: mechanisms, or plans of corpora. It
// bounds how many are opened concurrently, since some take minutes.
type Openings[T any] struct {
	ctx    context.Context // of all openings in progress; none belongs to a request
	End    context.CancelFunc
	Places *Turns
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
	of     string // the key that used it last
}

// mostPending bounds how many openings wait their turn. Those of one key leave room for as
// many of others.
const mostPending = 32

func NewOpenings[T any](places, most int, wait time.Duration) *Openings[T] {
	ctx, end := context.WithCancel(context.Background())
	return &Openings[T]{ctx: ctx, End: end, Places: NewTurns(places), most: most, wait: wait, kept: map[string]*opening[T]{}}
}

// Get returns what is cached under a key, or opens it. Concurrent requests for one
// key share one opening. The opening continues when they leave, until the server ends,
// and its result is cached. Failures are not cached.
func (o *Openings[T]) Get(ctx context.Context, key string, open func(context.Context) (T, error)) (none T, err error) {
	o.mu.Lock()
	p := o.kept[key]
	if p == nil {
		if own := o.pendingOf(keyOf(ctx)); own > 0 && own+1 > mostPending-o.pending-1 || o.pending >= mostPending {
			o.mu.Unlock()
			return none, stillOpening()
		}
		p = &opening[T]{done: make(chan struct{}), of: keyOf(ctx)}
		o.kept[key] = p
		o.pending++
		go o.open(withKey(o.ctx, keyOf(ctx)), key, p, open)
	}
	o.clock++
	if p.used = o.clock; p.ready {
		p.of = keyOf(ctx)
	}
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

func stillOpening() error {
	return wire.NewProblem(http.StatusServiceUnavailable, "opening", "the mechanism is being opened: try again").After(5)
}

// pendingOf returns how many openings of a key wait or are in progress. The caller holds the
// lock.
func (o *Openings[T]) pendingOf(key string) (n int) {
	for _, p := range o.kept {
		if !p.ready && p.of == key {
			n++
		}
	}
	return n
}

func (o *Openings[T]) open(ctx context.Context, key string, p *opening[T], open func(context.Context) (T, error)) {
	func() {
		leave, err := o.Places.Take(ctx)
		if err != nil {
			p.err = err
			return
		}
		defer leave()
		defer func() {
			if recover() != nil {
				p.err = fmt.Errorf("serve: opening a mechanism panicked")
			}
		}()
		p.opened, p.err = open(ctx)
	}()
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
		drop := o.unneeded(p)
		if drop == "" {
			return
		}
		delete(o.kept, drop)
	}
}

// unneeded returns what to drop for a new opening: of the key that has the most, the one
// that was used longest ago. The caller holds the lock.
func (o *Openings[T]) unneeded(but *opening[T]) (drop string) {
	of := map[string]int{}
	for _, v := range o.kept {
		if v.ready {
			of[v.of]++
		}
	}
	for k, v := range o.kept {
		if !v.ready || v == but {
			continue
		}
		if d := o.kept[drop]; d == nil || of[v.of] > of[d.of] || of[v.of] == of[d.of] && v.used < d.used {
			drop = k
		}
	}
	return drop
}

func (o *Openings[T]) Len() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.kept)
}
