package ledger

import (
	"context"
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

// Affords returns what the account has left before a charge, counted for the party that its
// sums protect after it. The error is nil if the account would accept the charge at this time,
// and otherwise that of [Ledger.Charge]; nothing is left for a loss that the account cannot pay
// for. Several charges of one party need their sum.
func (a Account) Affords(cost Amount, party accountant.Party, now time.Time) (left Amount, err error) {
	next, _, err := a.convert(cost, party, now)
	if err != nil {
		return Amount{}, err
	}
	return next.Remaining(now), a.charge(cost, party, now) // of this copy
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
