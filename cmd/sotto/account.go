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
	"github.com/sotto-dp/sotto/privacy/accountant"
	"github.com/sotto-dp/sotto/text"
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
	claim   privacy.Claim
	basis   ledger.Basis
	party   accountant.Party
}

// payment describes what an account would pay for.
type payment struct {
	claim privacy.Claim
	table string // digest, for a claim per unit of distance
	// textsAlone reports that the output holds only whole texts. Then the loss per text
	// is also the loss per record that is replaced, and an account of records can pay for
	// it.
	textsAlone bool
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
	p := &payer{ledger: l, account: a.Account, claim: what.claim, party: accountant.PartyOf(what.claim)}
	p.basis = ledger.BasisOf(p.claim, what.table)
	of, err := l.Account(ctx, a.Account)
	if what.textsAlone && p.party.Unit == privacy.Text && of.Protects().Unit == privacy.Record {
		p.party.Unit = privacy.Record
	}
	if err == nil {
		err = of.Takes(p.basis, p.party)
	}
	if err == nil {
		_, err = ledger.Cost(p.claim, 1) // a claim without a finite loss has no price
	}
	if err != nil {
		p.close()
		return nil, err
	}
	return p, nil
}

// textsAlone reports whether the output holds the texts and nothing else of a record.
func (c *rewriteCmd) textsAlone(files []string) bool {
	return c.Shuffle || c.inputFlags.textsAlone(files)
}

// textsAlone reports whether the files hold the texts and nothing else of a record.
func (c *inputFlags) textsAlone(files []string) bool {
	return !slices.ContainsFunc(files, func(name string) bool {
		f := c.formatOf(name)
		return f != text.Lines && !f.Whole
	})
}

// charger charges for a batch, by its number. The batch may be drawn only after that.
type charger func(ctx context.Context, batch uint64, p *sotto.Pending) error

// charge returns the charger of a file, nil if there is no account. A charge for draws that
// can be made again has their name, so it spends once.
func (p *payer) charge() charger {
	if p == nil {
		return nil
	}
	return func(ctx context.Context, _ uint64, pending *sotto.Pending) error {
		cost, err := ledger.Cost(p.claim, pending.Draws())
		if err != nil {
			return err
		}
		c := ledger.Charge{Account: p.account, Basis: p.basis, Party: p.party, Cost: cost, Key: pending.Name()}
		if c.Key != "" {
			// The same charge means as many draws of the same claim.
			c.Request = sha256.Sum256(fmt.Appendf(nil, "%v %d", p.claim, pending.Draws()))
		}
		_, err = p.ledger.Charge(ctx, c)
		return err
	}
}

// chargeOnce charges for one use of the claim.
func (p *payer) chargeOnce(ctx context.Context) error { return p.chargeFor(ctx, 1) }

// chargeFor charges for a number of draws.
func (p *payer) chargeFor(ctx context.Context, draws int64) error {
	cost, err := ledger.Cost(p.claim, draws)
	if err != nil {
		return err
	}
	_, err = p.ledger.Charge(ctx, ledger.Charge{Account: p.account, Basis: p.basis, Party: p.party, Cost: cost})
	return err
}

func (p *payer) close() { _ = p.ledger.Close() }
