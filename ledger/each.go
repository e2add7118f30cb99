package ledger

import (
	"context"
	"fmt"
	"slices"

	"github.com/sotto-dp/sotto/privacy"
)

// MaxEach is the largest number of keys of one ChargeEach, which is one transaction.
const MaxEach = 4096

// Each is the result of ChargeEach.
type Each struct {
	// Replayed and Answered are about the request's own key: whether it was used before,
	// and whether an answer is stored for it. If it was used before, nothing new was
	// charged, and an answer of a key may be nil.
	Replayed, Answered bool
	Answer             []byte

	New       int      // keys that were charged now
	Spent     Amount   // by them
	Last      Entry    // the latest charge under any of the keys; zero where there are none
	Remaining Amount   // of the account, after this
	Answers   [][]byte // of each key, what is kept; nil where nothing was released
}

// ChargeEach spends c.Cost once for each key under which nothing was charged,
// in one transaction: for all of them or, on an error, for none. Errors are those
// of [Ledger.Charge]; *ExhaustedError holds the cost of all that would have been
// charged.
//
// c.Key is the idempotency key of the request as a whole, empty for none;
// c.Request belongs to it alone, because each of keys means the same in all
// requests. c.Key must not be one of keys. It is recorded in the same transaction
// with a charge of 0, to which [Ledger.Answer] stores an answer. After that a
// retry charges nothing.
func (l *Ledger) ChargeEach(ctx context.Context, c Charge, keys []string) (Each, error) {
	if err := CheckAccount(c.Account); err != nil {
		return Each{}, err
	}
	if c.Cost.negative() {
		return Each{}, privacy.Bad("ledger", "cost", c.Cost, "0 or more")
	}
	secrets, err := l.deriveEach(c.Account, keys)
	if err != nil {
		return Each{}, err
	}
	op := &eachOp{charge: c, secrets: secrets}
	if c.Key != "" {
		if slices.Contains(keys, c.Key) { // one key on record twice would end the transaction
			return Each{}, ErrKeyReused
		}
		own, err := l.deriveEach(c.Account, []string{c.Key})
		if err != nil {
			return Each{}, err
		}
		op.own = &own[0]
	}
	if err := l.submit(ctx, op); err != nil {
		return Each{}, err
	}
	if op.done.Answered {
		if op.done.Answer, err = op.own.decrypt(op.answer); err != nil {
			return Each{}, err
		}
	}
	op.done.Answers = make([][]byte, len(keys))
	for i, sealed := range op.sealed {
		if sealed == nil {
			continue
		}
		if op.done.Answers[i], err = secrets[i].decrypt(sealed); err != nil {
			return Each{}, err
		}
	}
	return op.done, nil
}

// AnswerEach stores the answers to charges of ChargeEach, in one transaction,
// and returns those that may be released: for each key the first one stored.
func (l *Ledger) AnswerEach(ctx context.Context, account string, keys []string, answers [][]byte) ([][]byte, error) {
	if err := CheckAccount(account); err != nil {
		return nil, err
	}
	if len(answers) != len(keys) {
		return nil, privacy.Bad("ledger", "number of answers", len(answers), fmt.Sprintf("%d, one per key", len(keys)))
	}
	secrets, err := l.deriveEach(account, keys)
	if err != nil {
		return nil, err
	}
	op := &answerEachOp{account: account, answers: make([]*answerOp, len(keys))}
	for i, s := range secrets {
		one := &answerOp{account: account, key: s.id}
		if one.sealed, err = s.encrypt(answers[i]); err != nil {
			return nil, err
		}
		op.answers[i] = one
	}
	if err := l.submit(ctx, op); err != nil {
		return nil, err
	}
	out := make([][]byte, len(keys))
	for i, one := range op.answers {
		if out[i] = answers[i]; one.earlier != nil {
			if out[i], err = secrets[i].decrypt(one.earlier); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

func (l *Ledger) deriveEach(account string, keys []string) ([]secret, error) {
	if len(keys) > MaxEach {
		return nil, privacy.Bad("ledger", "number of keys", len(keys), fmt.Sprintf("at most %d", MaxEach))
	}
	secrets := make([]secret, len(keys))
	for i, key := range keys {
		err := CheckKey(key)
		if err == nil {
			secrets[i], err = derive(l.id, account, key)
		}
		if err != nil {
			return nil, err
		}
	}
	return secrets, nil
}

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
	if err := o.replay(p, account); err != nil {
		return err
	}
	o.sealed = make([][]byte, len(o.secrets))
	var fresh []secret
	asked := map[Hash]bool{}
	for i, s := range o.secrets {
		earlier, ok := p.charges[s.id]
		switch {
		case !ok && !asked[s.id]:
			asked[s.id] = true
			fresh = append(fresh, s)
			continue
		case !ok:
			continue
		case earlier.Digest != s.tag(Hash{}):
			return ErrKeyReused
		}
		var err error
		if o.sealed[i], err = p.answer(earlier); err != nil {
			return err
		}
		if earlier.Seq > o.done.Last.Seq {
			o.done.Last = earlier
		}
	}
	if o.done.Answered {
		fresh = nil
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
	o.done.New, o.done.Remaining = len(fresh), account.Remaining(p.now)
	return nil
}

// replay reads the record under the request's own key.
func (o *eachOp) replay(p *page, account *Account) error {
	if o.own == nil {
		return nil
	}
	earlier, ok := p.charges[o.own.id]
	if !ok {
		return p.keeping.room(account)
	}
	if earlier.Digest != o.own.tag(o.charge.Request) {
		return ErrKeyReused
	}
	var err error
	o.answer, err = p.answer(earlier)
	o.done.Replayed, o.done.Answered = true, o.answer != nil
	return err
}

// spend charges n times the cost, as Verify will add it up, or nothing.
func (o *eachOp) spend(p *page, account *Account, n int) error {
	before := *account
	for range n {
		total, fits := o.done.Spent.plus(o.charge.Cost)
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
