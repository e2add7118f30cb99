package ledger

import (
	"context"
	"errors"
	"sync"

	"github.com/sotto-dp/sotto/privacy"
)

// Lease is budget that was charged ahead, to be spent here without asking the
// store each time. It is for many workers that make many small draws: the ledger
// sees one charge a lease. What is leased is spent, whether or not it is used: a
// worker that is lost loses its lease, at most Size and one cost, never more
// than was granted. There are no idempotency keys: a draw that is made again is
// paid for again.
//
// A Lease is safe for concurrent use.
type Lease struct {
	ledger  *Ledger
	account string
	basis   Basis
	size    Amount

	mu     sync.Mutex
	left   Amount
	leased Amount
}

// Lease makes an empty lease of an account that charges about size at a time.
func (l *Ledger) Lease(account string, basis Basis, size Amount) (*Lease, error) {
	if err := CheckAccount(account); err != nil {
		return nil, err
	}
	if size.negative() || size == (Amount{}) {
		return nil, privacy.Bad("ledger", "lease", size, "more than 0")
	}
	return &Lease{ledger: l, account: account, basis: basis, size: size}, nil
}

// Spend takes a cost from the lease before a draw, and charges for more where it
// does not hold the cost: size, or the cost where that is more or the budget
// holds no whole size. Its errors are those of [Ledger.Charge]; after one nothing
// may be drawn. What the store's error left unknown is at worst spent and lost.
func (s *Lease) Spend(ctx context.Context, cost Amount) error {
	if cost.negative() {
		return privacy.Bad("ledger", "cost", cost, "0 or more")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !cost.within(s.left) {
		missing := cost.minus(s.left)
		more := Amount{max(s.size.Epsilon, missing.Epsilon), max(s.size.Delta, missing.Delta)}
		err := s.charge(ctx, more)
		var exhausted *ExhaustedError
		if errors.As(err, &exhausted) && more != missing {
			err = s.charge(ctx, missing)
		}
		if err != nil {
			return err
		}
	}
	s.left = s.left.minus(cost)
	return nil
}

func (s *Lease) charge(ctx context.Context, more Amount) error {
	left, fits := s.left.plus(more)
	leased, also := s.leased.plus(more)
	if !fits || !also {
		return privacy.Bad("ledger", "lease", more, "less: its sum cannot be counted")
	}
	if _, err := s.ledger.Charge(ctx, Charge{Account: s.account, Basis: s.basis, Cost: more}); err != nil {
		return err
	}
	s.left, s.leased = left, leased
	return nil
}

// Left is what is charged and not yet spent: what is lost if the lease ends now.
func (s *Lease) Left() Amount {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.left
}

// Leased is all that was charged.
func (s *Lease) Leased() Amount {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.leased
}
