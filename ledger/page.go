package ledger

import (
	"context"
	"crypto/sha256"
	"time"
)

// page is the part of the ledger that one batch needs, changed in memory and
// then appended as a whole.
type page struct {
	now      time.Time
	keeping  Keeping
	head     Head
	accounts map[string]*Account
	changed  map[string]bool
	charges  map[Hash]Entry   // by key; grants too
	answers  map[int64]Answer // by charge
	added    Changes
}

func readPage(ctx context.Context, v View, head Head, batch []*job, now time.Time) (*page, error) {
	p := &page{now: now, head: head, accounts: map[string]*Account{}, changed: map[string]bool{},
		charges: map[Hash]Entry{}, answers: map[int64]Answer{}}
	if p.now.Before(p.head.Time) {
		p.now = p.head.Time
	}
	names, keys := []string{}, []Hash{}
	asked := map[Hash]bool{}
	for _, j := range batch {
		name, needed := j.op.needs()
		if _, ok := p.accounts[name]; !ok {
			p.accounts[name] = nil
			names = append(names, name)
		}
		for _, key := range needed {
			if !asked[key] {
				asked[key] = true
				keys = append(keys, key)
			}
		}
	}
	accounts, err := v.Accounts(ctx, names)
	if err != nil {
		return nil, err
	}
	for _, a := range accounts {
		p.accounts[a.Name] = &a
	}
	if len(keys) == 0 {
		return p, nil
	}
	return p, p.readKeys(ctx, v, keys)
}

func (p *page) readKeys(ctx context.Context, v View, keys []Hash) error {
	entries, err := v.Keyed(ctx, keys)
	if err != nil || len(entries) == 0 {
		return err
	}
	var charges []int64
	for _, e := range entries {
		p.charges[e.Key] = e
		charges = append(charges, e.Seq)
	}
	answers, err := v.Answers(ctx, charges)
	for _, a := range answers {
		p.answers[a.Entry.Charge] = a
	}
	return err
}

// answer returns the stored answer to a charge, or nil if there never was one.
func (p *page) answer(charge Entry) ([]byte, error) {
	a, ok := p.answers[charge.Seq]
	switch {
	case !ok:
		return nil, nil
	case a.Sealed == nil:
		return nil, ErrForgotten
	}
	return a.Sealed, a.check()
}

// check compares the stored answer with the recorded digest.
func (a Answer) check() error {
	if Hash(sha256.Sum256(a.Sealed)) != a.Entry.Digest {
		return &BrokenError{Seq: a.Entry.Seq, What: "the kept answer is not the one recorded"}
	}
	return nil
}

// append links an entry to the chain.
func (p *page) append(e Entry) Entry {
	e.Time = p.now
	e = p.head.link(e)
	p.added.Entries = append(p.added.Entries, e)
	return e
}

func (p *page) changes() Changes {
	p.added.Head = p.head
	for name := range p.changed {
		p.added.Accounts = append(p.added.Accounts, *p.accounts[name])
	}
	return p.added
}

type chargeOp struct {
	charge  Charge
	keyed   bool
	key     Hash
	tag     Hash
	receipt Receipt
	sealed  []byte
}

func (o *chargeOp) needs() (string, []Hash) {
	if !o.keyed {
		return o.charge.Account, nil
	}
	return o.charge.Account, []Hash{o.key}
}

func (o *chargeOp) apply(p *page) error {
	c := o.charge
	account := p.accounts[c.Account]
	if account == nil {
		return &UnknownAccountError{Account: c.Account}
	}
	if earlier, ok := p.charges[o.key]; ok && o.keyed {
		return o.replay(p, earlier, account)
	}
	if account.Basis != c.Basis {
		return &BasisError{Account: c.Account, Has: account.Basis, Asks: c.Basis}
	}
	if o.keyed {
		if err := p.keeping.room(account); err != nil {
			return err
		}
	}
	if err := account.charge(c.Cost, c.Party, p.now); err != nil {
		return err
	}
	p.changed[c.Account] = true
	e := p.append(Entry{Kind: Charged, Account: c.Account, Amount: c.Cost, Party: c.Party, Key: o.key, Digest: o.tag})
	if o.keyed {
		p.charges[o.key] = e
	}
	o.receipt = Receipt{Entry: e, Remaining: account.Remaining(p.now)}
	return nil
}

func (o *chargeOp) replay(p *page, earlier Entry, account *Account) error {
	if earlier.Digest != o.tag {
		return ErrKeyReused
	}
	o.receipt = Receipt{Entry: earlier, Remaining: account.Remaining(p.now), Replayed: true}
	var err error
	o.sealed, err = p.answer(earlier)
	o.receipt.Answered = o.sealed != nil
	return err
}

type answerOp struct {
	account string
	key     Hash
	sealed  []byte
	expires bool   // as Keeping says
	earlier []byte // what was kept before, if anything
}

func (o *answerOp) needs() (string, []Hash) { return o.account, []Hash{o.key} }

func (o *answerOp) apply(p *page) error {
	charge, ok := p.charges[o.key]
	if !ok {
		return ErrNotCharged
	}
	var err error
	if o.earlier, err = p.answer(charge); err != nil || o.earlier != nil {
		return err
	}
	e := p.append(Entry{Kind: Answered, Account: o.account, Charge: charge.Seq, Digest: sha256.Sum256(o.sealed)})
	a := Answer{Entry: e, Sealed: o.sealed}
	if account := p.accounts[o.account]; o.expires && p.keeping.For > 0 && account != nil {
		a.Expires, a.Counted = p.now.Add(p.keeping.For), int64(len(o.sealed)+answerOverhead)
		account.Kept += a.Counted
	}
	p.answers[charge.Seq] = a
	p.added.Answers = append(p.added.Answers, a)
	return nil
}

type grantOp struct {
	grant    Grant
	key, tag Hash // zero without a key
	receipt  Receipt
}

func (o *grantOp) needs() (string, []Hash) {
	if o.key == (Hash{}) {
		return o.grant.Account, nil
	}
	return o.grant.Account, []Hash{o.key}
}

func (o *grantOp) apply(p *page) error {
	g := o.grant
	account := p.accounts[g.Account]
	if earlier, ok := p.charges[o.key]; ok {
		if earlier.Digest != o.tag {
			return ErrKeyReused
		}
		o.receipt = Receipt{Entry: earlier, Remaining: account.Remaining(p.now), Replayed: true}
		return nil
	}
	if account == nil {
		if err := CheckNewAccount(g.Account); err != nil {
			return err
		}
		account = &Account{Name: g.Account, Basis: g.Basis}
	}
	if account.Basis != g.Basis {
		return &BasisError{Account: g.Account, Has: account.Basis, Asks: g.Basis}
	}
	if err := account.grant(g.Amount, g.Period, p.now); err != nil {
		return err
	}
	p.accounts[g.Account] = account
	p.changed[g.Account] = true
	e := p.append(Entry{Kind: Granted, Account: g.Account, Basis: g.Basis, Amount: g.Amount, Period: g.Period, Key: o.key, Digest: o.tag})
	if o.key != (Hash{}) {
		p.charges[o.key] = e
	}
	o.receipt = Receipt{Entry: e, Remaining: account.Remaining(p.now)}
	return nil
}
