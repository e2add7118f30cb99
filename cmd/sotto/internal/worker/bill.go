package worker

import (
	"errors"
	"sync"
)

// Bill has the draws that calls of a session will pay for and have paid for. A call may have
// more texts than should be in memory at once, so it comes in several requests: for an account
// first all texts to be counted, then one to pay for them together, and then all texts again,
// to be drawn. So a call is charged wholly before anything is drawn, or fails with nothing
// charged. The zero value is empty and safe for concurrent use.
type Bill struct {
	mu            sync.Mutex
	counted, paid map[uint64]int64 // by call
}

// ErrUnpaid refuses draws that their call has not paid for.
var ErrUnpaid = errors.New("worker: the texts differ from those that were counted and paid for")

// Count adds draws to what a call will pay for.
func (b *Bill) Count(call uint64, draws int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.counted == nil {
		b.counted, b.paid = map[uint64]int64{}, map[uint64]int64{}
	}
	b.counted[call] += draws
}

// Pay charges for what was counted for a call, once.
func (b *Bill) Pay(call uint64, charge func(draws int64) error) error {
	b.mu.Lock()
	draws := b.counted[call]
	delete(b.counted, call)
	b.mu.Unlock()
	if draws == 0 {
		return nil
	}
	if err := charge(draws); err != nil {
		return err
	}
	b.mu.Lock()
	b.paid[call] += draws
	b.mu.Unlock()
	return nil
}

// Spend takes draws from what a call has paid for.
func (b *Bill) Spend(call uint64, draws int64) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	left := b.paid[call] - draws
	switch {
	case draws == 0:
	case left < 0:
		return ErrUnpaid
	case left == 0:
		delete(b.paid, call)
	default:
		b.paid[call] = left
	}
	return nil
}
