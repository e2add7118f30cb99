package charging

import (
	"context"
	"errors"
	"fmt"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/ledger"
	"github.com/sotto-dp/sotto/privacy"
)

// Quote adds up what a run would charge: charge by charge, because each is rounded up.
type Quote struct {
	payer *Payer
	cost  ledger.Amount
}

// Quote returns a quote of nothing, nil without an account.
func (p *Payer) Quote() *Quote {
	if p == nil {
		return nil
	}
	return &Quote{payer: p}
}

// Price returns what adds a batch that would be charged for; nil without an account.
func (q *Quote) Price(ctx context.Context) func(*sotto.Pending) error {
	if q == nil {
		return nil
	}
	return func(one *sotto.Pending) error { return q.Add(ctx, one.Claim(), one.Draws(), one.Name()) }
}

// Add adds the charge for a number of draws, unless one under its name is on record.
func (q *Quote) Add(ctx context.Context, claim privacy.Claim, draws int64, name string) error {
	if name != "" {
		if made, err := q.payer.ledger.Charged(ctx, q.payer.account, name); err != nil || made {
			return err
		}
	}
	one, err := ledger.Price(claim, q.payer.table, draws)
	if err != nil {
		return err
	}
	sum, fits := q.cost.Plus(one.Cost)
	if !fits {
		return privacy.Bad("ledger", "sum of all charges", nil, "below 2^63 units")
	}
	q.cost = sum
	return nil
}

// Affords returns what the account has left before the run, and nil or a *ShortError.
func (q *Quote) Affords(ctx context.Context) (left ledger.Amount, err error) {
	account, err := q.payer.ledger.Account(ctx, q.payer.account)
	if err != nil {
		return left, err
	}
	one, err := ledger.Price(q.payer.claim, q.payer.table, 1)
	if err != nil {
		return left, err
	}
	left, err = account.Affords(q.cost, one.Party, q.payer.ledger.Now())
	var exhausted *ledger.ExhaustedError
	if errors.As(err, &exhausted) {
		err = &ShortError{exhausted}
	}
	return left, err
}

// ShortError says that an account does not cover a whole run, of which nothing was charged.
type ShortError struct{ *ledger.ExhaustedError }

func (e *ShortError) Error() string {
	return fmt.Sprintf("ledger: the budget of account %s does not cover the run: it needs %s, %s; nothing was drawn or charged", e.Account, e.Cost, e.Left())
}

func (e *ShortError) Unwrap() error { return e.ExhaustedError }
