package main

import (
	"context"
	"encoding/json"
	"errors"
	"sync"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/worker"
)

// A call of a client may have more texts than should be in memory at once, so it comes in
// several requests: for an account first all texts to be counted, then one to pay for them
// together, and then all texts again, to be drawn. So a call is charged wholly before
// anything is drawn, or fails with nothing charged.

// bill has the draws of the calls of a session, by call.
type bill struct {
	mu            sync.Mutex
	counted, paid map[uint64]int64
}

// count notes draws that a call will pay for.
func (b *bill) count(call uint64, draws int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.counted == nil {
		b.counted, b.paid = map[uint64]int64{}, map[uint64]int64{}
	}
	b.counted[call] += draws
}

// take returns what a call is to pay for, once.
func (b *bill) take(call uint64) int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	draws := b.counted[call]
	delete(b.counted, call)
	return draws
}

// grant notes that a call has paid for draws.
func (b *bill) grant(call uint64, draws int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if draws > 0 {
		b.paid[call] += draws
	}
}

var errUnpaid = errors.New("worker: the texts differ from those that were counted and paid for")

// spend takes draws from what a call has paid for.
func (b *bill) spend(call uint64, draws int64) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	left := b.paid[call] - draws
	switch {
	case draws == 0:
	case left < 0:
		return errUnpaid
	case left == 0:
		delete(b.paid, call)
	default:
		b.paid[call] = left
	}
	return nil
}

// count reads texts and notes what drawing for them will cost.
func (s *session) count(ctx context.Context, r worker.Request, payload []byte) (none worker.Reply, err error) {
	if s.payer == nil {
		return none, wrongUsage("", "this session has no account")
	}
	texts, d, err := s.begin(r, payload)
	if err != nil {
		return none, err
	}
	_, counts, err := s.read(ctx, texts, d)
	if err == nil {
		s.bill.count(d.Call, int64(counts.Draws))
	}
	return none, err
}

// pay charges the account for the texts of a call that were counted.
func (s *session) pay(ctx context.Context, r worker.Request) (none worker.Reply, err error) {
	var d drawing
	switch {
	case s.payer == nil:
		return none, wrongUsage("", "this session has no account")
	case json.Unmarshal(r.Options, &d) != nil:
		return none, wrongUsage("", "worker: the options of %s are malformed", r.Op)
	}
	draws := s.bill.take(d.Call)
	if draws > 0 {
		err = s.payer.chargeFor(ctx, draws)
	}
	if err == nil {
		s.bill.grant(d.Call, draws)
	}
	return none, err
}

// settle takes the cost of a request's texts from what its call has paid for.
func (s *session) settle(d drawing, counts sotto.Counts) error {
	if s.payer == nil {
		return nil
	}
	return s.bill.spend(d.Call, int64(counts.Draws))
}
