package ledger

import "github.com/sotto-dp/sotto/privacy"

type eachOp struct {
	charge  Charge
	own     *secret // of the request's key; nil for none
	secrets []secret
	answer  []byte // to the request
	sealed  [][]byte
	done    Each
}

func (o *eachOp) needs() (string, []Hash) {
	keys := make([]Hash, len(o.secrets), len(o.secrets)+1)
	for i, s := range o.secrets {
		keys[i] = s.id
	}
	if o.own != nil {
		keys = append(keys, o.own.id)
	}
	return o.charge.Account, keys
}

func (o *eachOp) apply(p *page) error {
	c := o.charge
	account := p.accounts[c.Account]
	if account == nil {
		return &UnknownAccountError{Account: c.Account}
	}
	if account.Basis != c.Basis {
		return &BasisError{Account: c.Account, Has: account.Basis, Asks: c.Basis}
	}
	first, err := o.replay(p, account)
	if err != nil {
		return err
	}
	fresh, err := o.find(p, first)
	switch {
	case err != nil:
		return err
	case o.done.Answered:
		fresh = nil
	case first > 0 && (len(fresh) > 0 || o.done.New > 0 && o.done.Last.Seq != first+int64(o.done.New)):
		return ErrChargeChanged // the first call charged for other keys
	}
	if err := o.spend(p, account, len(fresh)); err != nil {
		return err
	}
	if o.own != nil && !o.done.Replayed {
		// Last to fail, if it does: charges of 0 do not.
		if err := account.charge(Amount{}, c.Party, p.now); err != nil {
			return err
		}
		p.changed[c.Account] = true
		p.charges[o.own.id] = p.append(Entry{Kind: Charged, Account: c.Account, Party: c.Party, Key: o.own.id, Digest: o.own.tag(c.Request)})
	}
	for _, s := range fresh {
		o.done.Last = p.append(Entry{Kind: Charged, Account: c.Account, Amount: c.Cost, Party: c.Party, Key: s.id, Digest: s.tag(Hash{})})
		p.charges[s.id] = o.done.Last
	}
	o.done.New, o.done.Remaining = o.done.New+len(fresh), account.Remaining(p.now)
	return nil
}

// replay reads the record under the request's own key and returns its number, 0 for none.
func (o *eachOp) replay(p *page, account *Account) (first int64, err error) {
	if o.own == nil {
		return 0, nil
	}
	earlier, ok := p.charges[o.own.id]
	if !ok {
		return 0, p.keeping.room(account)
	}
	if earlier.Digest != o.own.tag(o.charge.Request) {
		return 0, ErrKeyReused
	}
	o.answer, err = p.answer(earlier)
	o.done.Replayed, o.done.Answered = true, o.answer != nil
	return earlier.Seq, err
}

// find reads what was charged under the keys and returns those without a charge. Where the
// request's own key was first used by entry first, that call charged what follows the entry:
// after it every key of the request has a charge.
func (o *eachOp) find(p *page, first int64) (fresh []secret, err error) {
	o.sealed = make([][]byte, len(o.secrets))
	seen := map[Hash]bool{}
	for i, s := range o.secrets {
		again := seen[s.id]
		seen[s.id] = true
		earlier, ok := p.charges[s.id]
		if !ok {
			if !again {
				fresh = append(fresh, s)
			}
			continue
		}
		if earlier.Digest != s.tag(Hash{}) {
			return nil, ErrKeyReused
		}
		if o.sealed[i], err = p.answer(earlier); err != nil {
			return nil, err
		}
		if earlier.Seq > o.done.Last.Seq {
			o.done.Last = earlier
		}
		if first > 0 && earlier.Seq > first && !again {
			o.done.New++
			o.done.Spent, _ = o.done.Spent.Plus(earlier.Amount) // fits: the account's sum does
		}
	}
	return fresh, nil
}

// spend charges n times the cost, as Verify will add it up, or nothing.
func (o *eachOp) spend(p *page, account *Account, n int) error {
	before := *account
	for range n {
		total, fits := o.done.Spent.Plus(o.charge.Cost)
		if !fits {
			*account = before
			return privacy.Bad("ledger", "sum of all charges", nil, "below 2^63 units")
		}
		o.done.Spent = total
	}
	for range n {
		if err := account.charge(o.charge.Cost, o.charge.Party, p.now); err != nil {
			*account = before
			if exhausted, ok := err.(*ExhaustedError); ok {
				exhausted.Cost, exhausted.Remaining = o.done.Spent, account.Remaining(p.now)
				exhausted.judge(account.Limits)
			}
			return err
		}
	}
	p.changed[o.charge.Account] = p.changed[o.charge.Account] || n > 0
	return nil
}

type answerEachOp struct {
	account string
	answers []*answerOp
}

func (o *answerEachOp) needs() (string, []Hash) {
	keys := make([]Hash, len(o.answers))
	for i, one := range o.answers {
		keys[i] = one.key
	}
	return o.account, keys
}

func (o *answerEachOp) apply(p *page) error {
	for _, one := range o.answers { // first what may fail: all or none
		charge, ok := p.charges[one.key]
		if !ok {
			return ErrNotCharged
		}
		if _, err := p.answer(charge); err != nil {
			return err
		}
	}
	for _, one := range o.answers {
		if err := one.apply(p); err != nil {
			return err
		}
	}
	return nil
}
