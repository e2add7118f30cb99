package gate

import (
	"context"
	"sync"
	"time"
)

// readyTime bounds how long the ledger may take to answer a readiness probe.
const readyTime = 2 * time.Second

// Probe asks whether the ledger can be read. Anybody may ask, and takes no place of a
// request, so the ledger is asked once at a time, for all who wait.
type Probe struct {
	Ask func(context.Context) error

	mu  sync.Mutex
	now *asking // nil while nobody waits
}

type asking struct {
	done chan struct{} // closed when err is final
	err  error
}

func (p *Probe) Answer(ctx context.Context) error {
	p.mu.Lock()
	a := p.now
	if a == nil {
		a = &asking{done: make(chan struct{})}
		p.now = a
		go p.run(a)
	}
	p.mu.Unlock()
	select {
	case <-a.done:
		return a.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (p *Probe) run(a *asking) {
	ctx, cancel := context.WithTimeout(context.Background(), readyTime)
	defer cancel()
	a.err = p.Ask(ctx)
	p.mu.Lock()
	p.now = nil
	p.mu.Unlock()
	close(a.done)
}
