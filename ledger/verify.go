package ledger

import (
	"context"
	"fmt"
	"math"
)

// Verification is the result of Verify.
type Verification struct {
	Head     Head
	Accounts int
	Grants   int64
	Charges  int64
	Answers  int64 // ever given
	Kept     int64 // of them, those still stored
	// After is the number of entries after the anchor; -1 without an anchor.
	After int64
}

// ErrNoAnchor is the fault of a ledger without the head that was kept elsewhere.
var ErrNoAnchor error = &BrokenError{What: "no entry has the hash of the anchor: the chain was cut or remade"}

// Verify reads the whole ledger, recomputes every hash, sum and limit, and
// compares the accounts and answers that the store saves besides the entries.
// The first fault is a *BrokenError. anchor is the hash of a head that was kept
// elsewhere, or zero for none: with it a chain that was cut before that entry,
// or remade, is found too. No head has the hash of zeros: a caller that was given
// it as an anchor returns ErrNoAnchor where After is -1.
func (l *Ledger) Verify(ctx context.Context, anchor Hash) (Verification, error) {
	if _, err := l.seen.last(); err != nil {
		return Verification{}, err
	}
	if err := l.store.Check(ctx); err != nil {
		return Verification{}, l.seen.judge(err)
	}
	var v verifier // reads the head itself: what is wrong with it is said in full
	err := l.store.View(ctx, func(view View) error { return v.read(ctx, view, anchor) })
	return v.Verification, l.seen.judge(err)
}

// verifier is the fold of the entries read so far.
type verifier struct {
	Verification
	chain    Head
	accounts map[string]*Account
}

const verifyPage = 1000

func (v *verifier) read(ctx context.Context, view View, anchor Hash) error {
	head, err := view.Head(ctx)
	if err != nil {
		return err
	}
	v.Head, v.After = head, -1
	v.chain, v.accounts = NewHead(head.ID), map[string]*Account{}
	if anchor == v.chain.Hash {
		v.After = 0
	}
	for after := int64(math.MinInt64); ; {
		entries, err := view.Entries(ctx, after, verifyPage)
		if err != nil {
			return err
		}
		if len(entries) == 0 {
			break
		}
		for _, e := range entries {
			if err := v.entry(e); err != nil {
				return err
			}
			if v.After >= 0 {
				v.After++
			}
			if e.Hash == anchor {
				v.After = 0
			}
		}
		if err := v.lookups(ctx, view, entries); err != nil {
			return err
		}
		after = entries[len(entries)-1].Seq
	}
	if head != v.chain {
		return &BrokenError{What: fmt.Sprintf("the last entry is %d, the head names %d with another hash or time", v.chain.Seq, head.Seq)}
	}
	if anchor != (Hash{}) && v.After < 0 {
		return ErrNoAnchor
	}
	return v.compare(ctx, view)
}

// entry checks one entry against its predecessors and takes it in.
func (v *verifier) entry(e Entry) error {
	broken := func(format string, args ...any) error {
		return &BrokenError{Seq: e.Seq, What: fmt.Sprintf(format, args...)}
	}
	if e.Seq != v.chain.Seq+1 {
		return broken("follows entry %d", v.chain.Seq)
	}
	if e.Time.Before(v.chain.Time) {
		return broken("is older than its predecessor")
	}
	if linked := v.chain.link(e); linked.Hash != e.Hash {
		return broken("its hash is not that of its content and predecessor")
	}
	account := v.accounts[e.Account]
	if account == nil {
		if e.Kind != Granted {
			return broken("is a %s of an account without a grant", e.Kind)
		}
		account = &Account{Name: e.Account, Basis: e.Basis}
		v.accounts[e.Account] = account
		v.Accounts++
	}
	var err error
	switch e.Kind {
	case Granted:
		v.Grants++
		if account.Basis != e.Basis {
			return broken("grants in another unit than the account's")
		}
		err = account.grant(e.Amount, e.Period, e.Time)
	case Charged:
		v.Charges++
		if e.Amount.negative() {
			return broken("is a negative charge")
		}
		err = account.charge(e.Amount, e.Party, e.Time)
	case Answered:
		v.Answers++
	default:
		return broken("is of an unknown kind")
	}
	if err != nil {
		return broken("%v", err)
	}
	return nil
}

// lookups checks that charges under keys and answers are found as a retry would
// find them, each once, and that what is kept is what was recorded.
func (v *verifier) lookups(ctx context.Context, view View, entries []Entry) error {
	var keys []Hash
	var charges []int64
	unseen := map[int64]Hash{}
	for _, e := range entries {
		switch {
		case e.Kind == Answered && (e.Charge < 1 || e.Charge >= e.Seq):
			return &BrokenError{Seq: e.Seq, What: "answers no charge"}
		case e.Kind == Answered:
			charges = append(charges, e.Charge)
		case e.Key != (Hash{}):
			keys = append(keys, e.Key)
		default:
			continue
		}
		unseen[e.Seq] = e.Hash
	}
	see := func(e Entry) error {
		if unseen[e.Seq] != e.Hash {
			return &BrokenError{Seq: e.Seq, What: "its key or charge is used twice"}
		}
		delete(unseen, e.Seq)
		return nil
	}
	if len(keys) > 0 {
		found, err := view.Keyed(ctx, keys)
		if err != nil {
			return err
		}
		for _, e := range found {
			if err := see(e); err != nil {
				return err
			}
		}
	}
	if len(charges) > 0 {
		found, err := view.Answers(ctx, charges)
		if err != nil {
			return err
		}
		for _, a := range found {
			if err := see(a.Entry); err != nil {
				return err
			}
			if a.Sealed == nil {
				continue
			}
			if err := a.check(); err != nil {
				return err
			}
			v.Kept++
		}
	}
	for seq := range unseen {
		return &BrokenError{Seq: seq, What: "is not found by its key or charge"}
	}
	return nil
}

// compare checks the accounts that the store keeps against the entries' fold.
func (v *verifier) compare(ctx context.Context, view View) error {
	stored, err := view.Accounts(ctx, nil)
	if err != nil {
		return err
	}
	for _, a := range stored {
		folded := v.accounts[a.Name]
		if folded == nil {
			return &BrokenError{What: fmt.Sprintf("account %q has no entry", a.Name)}
		}
		if !a.equal(*folded) {
			return &BrokenError{What: fmt.Sprintf("account %q is not what its entries add up to", a.Name)}
		}
		delete(v.accounts, a.Name)
	}
	if len(v.accounts) > 0 {
		return &BrokenError{What: fmt.Sprintf("%d accounts of the entries are missing", len(v.accounts))}
	}
	return nil
}
