package ledger

import (
	"context"
	"errors"
	"time"

	"github.com/sotto-dp/sotto/privacy/accountant"
)

// Takes returns a *BasisError or a *UnitError if the account cannot pay for a loss of this
// kind.
func (a Account) Takes(basis Basis, party accountant.Party) error {
	if a.Basis != basis {
		return &BasisError{Account: a.Name, Has: a.Basis, Asks: basis}
	}
	if _, ok := a.Protects().With(party); !ok {
		return &UnitError{Account: a.Name, Has: a.Protects(), Asks: party}
	}
	return nil
}

// Covers returns nil if the account would accept a charge at a time, and otherwise the error of
// [Ledger.Charge]. Several charges of one party need their sum.
func (a Account) Covers(cost Amount, party accountant.Party, now time.Time) error {
	return a.charge(cost, party, now) // of this copy
}

// Affords returns what the account has left before a charge, counted for the party that its
// sums protect after it, and whether that covers the cost. It returns a *UnitError if the
// account cannot pay for a loss of this kind.
func (a Account) Affords(cost Amount, party accountant.Party, now time.Time) (left Amount, suffices bool, err error) {
	next, _, err := a.convert(cost, party, now)
	if err != nil {
		return Amount{}, false, err
	}
	err = a.Covers(cost, party, now)
	if exhausted := (*ExhaustedError)(nil); errors.As(err, &exhausted) {
		return next.Remaining(now), false, nil
	}
	return next.Remaining(now), err == nil, err
}

// Charged reports whether a charge under an idempotency key is on record: another one under
// this key spends nothing.
func (l *Ledger) Charged(ctx context.Context, account, key string) (made bool, err error) {
	if err := CheckKey(key); err != nil {
		return false, err
	}
	s, err := derive(l.id, account, key)
	if err != nil {
		return false, err
	}
	err = l.view(ctx, func(v View, _ Head) error {
		found, err := v.Keyed(ctx, []Hash{s.id})
		made = len(found) > 0
		return err
	})
	return made, err
}
