// Package charging charges the account that a command line names, and says what a run spends.
package charging

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/ledger"
	"github.com/sotto-dp/sotto/ledger/open"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/request"
)

// AccountFlags name the account that a run charges.
type AccountFlags struct{ request.Payment }

// Check refuses what cannot be charged, before anything is opened.
func (a *AccountFlags) Check(seeded bool) error {
	switch {
	case a.Account == "" && a.Ledger == "":
		return nil
	case a.Account == "":
		return cli.WrongUsage("", "--ledger needs --account, the account to charge")
	case a.Ledger == "":
		return cli.WrongUsage("", "--account needs --ledger, the file or URL with its budget")
	case seeded:
		return cli.WrongUsage("", "--insecure-seed cannot be used with --account: a seeded run is a test")
	}
	if err := open.Check(a.Ledger); err != nil {
		return err
	}
	return ledger.CheckAccount(a.Account)
}

// Payer charges one account for the draws of one run.
type Payer struct {
	ledger  *ledger.Ledger
	account string
	claim   privacy.Claim // per record if the account counts records
	table   string        // digest, for a claim per unit of distance
	alone   bool          // the account counts records: every stream must be Alone
	made    atomic.Int64  // charges of batches in this run
}

// Payment describes what an account would pay for.
type Payment struct {
	Claim privacy.Claim
	Table string // digest, for a claim per unit of distance
	// alone reports that the streams of the run can be Alone: the loss of a text is then
	// that of its record, and an account of records can pay for it.
	Alone bool
}

// OpenPayer opens the account, nil if none is named, and refuses one that counts in
// another unit.
func (a *AccountFlags) OpenPayer(ctx context.Context, what Payment) (*Payer, error) {
	return a.PayerOf(ctx, what, open.Write)
}

// PayerOf is openPayer with a ledger that is opened for writing, or for reading only:
// then nothing can be charged.
func (a *AccountFlags) PayerOf(ctx context.Context, what Payment, mode open.Mode) (*Payer, error) {
	if a.Account == "" {
		return nil, nil
	}
	l, err := open.Ledger(ctx, a.Ledger, mode)
	if err != nil {
		return nil, err
	}
	p, err := NewPayer(ctx, l, a.Account, what)
	if err != nil {
		_ = l.Close()
		return nil, err
	}
	return p, nil
}

// NewPayer returns a payer of an account of a ledger.
func NewPayer(ctx context.Context, l *ledger.Ledger, account string, what Payment) (*Payer, error) {
	p := &Payer{ledger: l, account: account, claim: what.Claim, table: what.Table}
	of, err := l.Account(ctx, account)
	if what.Alone && p.claim.Unit == privacy.Text && of.Protects().Unit == privacy.Record {
		p.claim.Unit, p.alone = privacy.Record, true
	}
	var one ledger.Charge
	if err == nil {
		one, err = ledger.Price(p.claim, p.table, 1) // a claim without a finite loss has no price
	}
	if err == nil {
		err = of.Takes(one.Basis, one.Party)
	}
	if err != nil {
		return nil, err
	}
	return p, nil
}

// StreamsAlone reports whether each stream of the run must be Alone.
func (p *Payer) StreamsAlone() bool { return p != nil && p.alone }

// Charger charges for a batch, by its number. The batch may be drawn only after that.
type Charger func(ctx context.Context, batch uint64, p *sotto.Pending) error

// Charge returns what charges for the draws of a file, nil if there is no account.
func (p *Payer) Charge(r *sotto.Rewriter) Charger {
	if p == nil {
		return nil
	}
	charge := r.Charge(p.ledger, p.account)
	return func(ctx context.Context, batch uint64, pending *sotto.Pending) error {
		err := charge(ctx, batch, pending)
		switch made := p.made.Load(); {
		case err == nil:
			p.made.Add(1)
		case made > 0 && errors.As(err, new(*ledger.ExhaustedError)):
			stay := "stay"
			if made == 1 {
				stay = "stays"
			}
			return fmt.Errorf("%w; %s of this run %s spent", err, cli.Plural(int(made), "earlier charge"), stay)
		}
		return err
	}
}

// ChargeOnce charges for one use of the claim.
func (p *Payer) ChargeOnce(ctx context.Context) error { return p.ChargeFor(ctx, 1) }

// ChargeFor charges for a number of draws.
func (p *Payer) ChargeFor(ctx context.Context, draws int64) error {
	c, err := ledger.Price(p.claim, p.table, draws)
	if err != nil {
		return err
	}
	c.Account = p.account
	_, err = p.ledger.Charge(ctx, c)
	return err
}

func (p *Payer) Close() { _ = p.ledger.Close() }
