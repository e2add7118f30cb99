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
	// and whether an answer is stored for it. If it was used before, nothing is charged now.
	Replayed, Answered bool
	Answer             []byte

	New       int      // keys that the request charged: now, or when its own key was first used
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
// with a charge of 0, to which [Ledger.Answer] stores an answer. A retry charges
// nothing: before an answer is stored, ErrChargeChanged refuses one that would.
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
