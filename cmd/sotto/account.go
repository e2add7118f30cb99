package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"slices"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/ledger"
	"github.com/sotto-dp/sotto/ledger/open"
	"github.com/sotto-dp/sotto/privacy"
)

// accountFlags name the account that a run charges.
type accountFlags struct {
	Account string `placeholder:"NAME" group:"budget" help:"Charge this account of the ledger before each draw; exit code 4 when its budget is exhausted."`
	Ledger  string `path:"ledger" placeholder:"FILE|URL" group:"budget" help:"Ledger of the account: SQLite file, or postgres://user@host/database."`
}

// check refuses what cannot be charged, before anything is opened.
func (a *accountFlags) check(seeded bool) error {
	switch {
	case a.Account == "" && a.Ledger == "":
		return nil
	case a.Account == "":
		return wrongUsage("", "--ledger needs --account, the account to charge")
	case a.Ledger == "":
		return wrongUsage("", "--account needs --ledger, the file or URL with its budget")
	case seeded:
		return wrongUsage("", "--insecure-seed cannot be used with --account: a seeded run is a test")
	}
	if err := open.Check(a.Ledger); err != nil {
		return err
	}
	return ledger.CheckAccount(a.Account)
}

// payer charges one account for the draws of one run.
type payer struct {
	ledger  *ledger.Ledger
	account string
	claim   privacy.Claim // per record if the account counts records
	table   string        // digest, for a claim per unit of distance
	alone   bool          // the account counts records: every stream must be Alone
}

// payment describes what an account would pay for.
type payment struct {
	claim privacy.Claim
	table string // digest, for a claim per unit of distance
	// alone reports that the streams of the run can be Alone: the loss of a text is then
	// that of its record, and an account of records can pay for it.
	alone bool
}

// openPayer opens the account, nil if none is named, and refuses one that counts in
// another unit.
func (a *accountFlags) openPayer(ctx context.Context, what payment) (*payer, error) {
	return a.payerOf(ctx, what, open.Write)
}

// payerOf is openPayer with a ledger that is opened for writing, or for reading only:
// then nothing can be charged.
func (a *accountFlags) payerOf(ctx context.Context, what payment, mode open.Mode) (*payer, error) {
	if a.Account == "" {
		return nil, nil
	}
	l, err := open.Ledger(ctx, a.Ledger, mode)
	if err != nil {
		return nil, err
	}
	p, err := newPayer(ctx, l, a.Account, what)
	if err != nil {
		_ = l.Close()
		return nil, err
	}
	return p, nil
}

// newPayer returns a payer of an account of a ledger.
func newPayer(ctx context.Context, l *ledger.Ledger, account string, what payment) (*payer, error) {
	p := &payer{ledger: l, account: account, claim: what.claim, table: what.table}
	of, err := l.Account(ctx, account)
	if what.alone && p.claim.Unit == privacy.Text && of.Protects().Unit == privacy.Record {
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

// alone reports whether the run can have exactly one draw for each record, of which nothing
// else comes out: no other field, and no name of a file that is one record. The streams
// check what the fields hold.
func (c *rewriteCmd) alone(files []string) bool {
	return c.User == "" && (c.Shuffle || !slices.ContainsFunc(files, func(name string) bool {
		f := c.formatOf(name)
		return !f.Bare || f.Whole && isFolder(c.Output)
	}))
}

// streamsAlone reports whether each stream of the run must be Alone.
func (p *payer) streamsAlone() bool { return p != nil && p.alone }

// charger charges for a batch, by its number. The batch may be drawn only after that.
type charger func(ctx context.Context, batch uint64, p *sotto.Pending) error

// charge returns the charger of a file, nil if there is no account. A charge for draws that
// can be made again has their name, so it spends once.
func (p *payer) charge() charger {
	if p == nil {
		return nil
	}
	return func(ctx context.Context, _ uint64, pending *sotto.Pending) error {
		c, err := ledger.Price(pending.Claim(), p.table, pending.Draws())
		if err != nil {
			return err
		}
		c.Account, c.Key = p.account, pending.Name()
		if c.Key != "" {
			// The same charge means as many draws of the same claim.
			c.Request = sha256.Sum256(fmt.Appendf(nil, "%v %d", pending.Claim(), pending.Draws()))
		}
		_, err = p.ledger.Charge(ctx, c)
		return err
	}
}

// chargeOnce charges for one use of the claim.
func (p *payer) chargeOnce(ctx context.Context) error { return p.chargeFor(ctx, 1) }

// chargeFor charges for a number of draws.
func (p *payer) chargeFor(ctx context.Context, draws int64) error {
	c, err := ledger.Price(p.claim, p.table, draws)
	if err != nil {
		return err
	}
	c.Account = p.account
	_, err = p.ledger.Charge(ctx, c)
	return err
}

func (p *payer) close() { _ = p.ledger.Close() }
