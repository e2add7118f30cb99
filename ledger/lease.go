package ledger

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/sotto-dp/sotto/privacy"
)

// Lease is budget charged in advance, to be spent without a call to the store
// each time. It is for workers that make many small draws: the ledger sees one
// charge per lease. Leased budget counts as spent, whether or not it is used: a
// worker that dies loses its lease, at most size and one cost, never more than
// was granted. There are no idempotency keys: a repeated draw is paid for again. Its charges
// are for losses of texts, and so an account of records or users refuses them.
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

// Lease returns an empty lease of an account, which charges about size at a time.
func (l *Ledger) Lease(account string, basis Basis, size Amount) (*Lease, error) {
	if err := CheckAccount(account); err != nil {
		return nil, err
	}
	if size.negative() || size == (Amount{}) {
		return nil, privacy.Bad("ledger", "lease", size, "more than 0")
	}
	return &Lease{ledger: l, account: account, basis: basis, size: size}, nil
}

// Spend takes a cost from the lease before a draw. If the lease does not cover
// it, Spend charges size, or the cost if that is more or the budget has less than
// size left. Its errors are those of [Ledger.Charge]; after one nothing may be
// drawn. After an error of the store, the charge may be spent and lost.
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
	left, fits := s.left.Plus(more)
	leased, also := s.leased.Plus(more)
	if !fits || !also {
		return privacy.Wrong("ledger", "lease", fmt.Sprintf("with %s more its sum would be 2^63 units or more", more), "take another lease")
	}
	if _, err := s.ledger.Charge(ctx, Charge{Account: s.account, Basis: s.basis, Cost: more}); err != nil {
		return err
	}
	s.left, s.leased = left, leased
	return nil
}

// Left returns what is charged and not yet spent: what is lost if the lease ends now.
func (s *Lease) Left() Amount {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.left
}

// Leased returns all that was charged.
func (s *Lease) Leased() Amount {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.leased
}
