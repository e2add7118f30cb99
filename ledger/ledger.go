// Package ledger records how much privacy loss each account may spend and has spent.
//
// Open a [Ledger] over a store (ledger/sqlite, one file; ledger/postgres, a
// server that several instances share; ledger/memory, for tests), and call [Ledger.Charge] before
// anything is drawn: when it returns without an error the loss is on stable
// storage, and only then may the mechanism run. A crash in between wastes
// budget, never privacy.
//
// An account has limits (grants), in total or per period, in epsilon and delta by basic
// composition, or in a metric epsilon of one table.
//
// An account protects one kind of party: texts, the records of a corpus, or its users. It
// adds up losses of one unit and one neighbouring relation. It converts other losses if
// that is sound (package accountant) and refuses the rest.
//
// All sums are integers, in units of 1e-9 of epsilon and 1e-18 of delta. Costs are rounded
// up and grants down, so that rounding never exceeds a budget.
//
// Grants, charges and answers are the entries of one chain of SHA-256 hashes.
// [Ledger.Verify] recomputes it and every sum. It finds any edit, gap or
// reordering. Anyone who can write the whole store can also cut the chain's end
// or make a new chain: against that, store the head's hash elsewhere and pass
// it to Verify as the anchor.
//
// A charge under an idempotency key is made once, also across restarts: a retry
// gets the same answer. No original text is stored. The ledger stores a digest of the
// request, keyed with the idempotency key, and the answer, which is private text, encrypted
// under that key. Both are secret only if the key is hard to guess: use 128 random bits,
// for example a random UUID.
package ledger

import (
	"context"
	"crypto/sha256"
	"fmt"
	"sync"
	"time"

	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/privacy/accountant"
)

// Config configures Open.
type Config struct {
	Store Store            // required; the ledger closes it
	Now   func() time.Time // the clock; nil is time.Now
	// Answers limits what is stored for retries; the zero value stores everything forever.
	Answers Keeping
}

// Ledger is safe for concurrent use. Several ledgers, in one process or many,
// may share what their stores share.
type Ledger struct {
	store Store
	now   func() time.Time
	id    Hash

	answers    Keeping
	nextForget time.Time // of run alone

	seen  continuity
	queue chan *job
	once  sync.Once     // closes
	stop  chan struct{} // closed by Close
	done  chan struct{} // closed when the last batch is written
}

// Open starts a ledger over a store.
func Open(ctx context.Context, cfg Config) (*Ledger, error) {
	if cfg.Store == nil {
		return nil, privacy.Missing("ledger", "a store", "")
	}
	if err := cfg.Answers.Check(); err != nil {
		return nil, err
	}
	l := &Ledger{store: cfg.Store, now: cfg.Now, answers: cfg.Answers, queue: make(chan *job), stop: make(chan struct{}), done: make(chan struct{})}
	if l.now == nil {
		l.now = time.Now
	}
	err := l.store.View(ctx, func(v View) error {
		head, err := v.Head(ctx)
		l.id = head.ID
		l.seen.head = head
		return err
	})
	if err != nil {
		return nil, err
	}
	go l.run()
	return l, nil
}

// Charge is a loss to be spent: [Price] makes it.
type Charge struct {
	Account string
	Basis   Basis // what Cost is counted in; must be the account's
	// Party is what Cost is the loss of. It must add up with the account's: see
	// [accountant.Party.With]. The zero value is for texts.
	Party accountant.Party
	Cost  Amount // under the relation of Party; see Cost
	// Key is the idempotency key; empty for none. Request is the SHA-256 of
	// everything that identifies the request; only a digest of it keyed with Key
	// is stored, and nothing without a Key.
	Key     string
	Request Hash
}

// Receipt is a charge or a grant on record.
type Receipt struct {
	Entry     Entry
	Remaining Amount // of the account, after this
	// Replayed: the charge was already recorded and nothing was spent now.
	// Answered: Answer holds the stored answer. A charge that was replayed but
	// not answered may be drawn again: nothing was released.
	Replayed, Answered bool
	Answer             []byte
}

// Charge spends a loss durably, before the draw. Its errors: *ExhaustedError,
// *UnknownAccountError, *BasisError, *UnitError, ErrKeyReused, ErrForgotten, *AnswersFullError, *ReplacedError,
// *privacy.ParameterError, or the store's. After the store's error, or ctx's,
// the loss may be spent or not: nothing may be drawn, and a retry under the same
// key spends once.
func (l *Ledger) Charge(ctx context.Context, c Charge) (Receipt, error) {
	if err := CheckAccount(c.Account); err != nil {
		return Receipt{}, err
	}
	if c.Cost.negative() {
		return Receipt{}, privacy.Bad("ledger", "cost", c.Cost, "0 or more")
	}
	op := &chargeOp{charge: c}
	if c.Key != "" {
		if err := CheckKey(c.Key); err != nil {
			return Receipt{}, err
		}
		s, err := derive(l.id, c.Account, c.Key)
		if err != nil {
			return Receipt{}, err
		}
		op.keyed, op.key, op.tag = true, s.id, s.tag(c.Request)
		if err := l.submit(ctx, op); err != nil {
			return Receipt{}, err
		}
		if op.receipt.Answered {
			op.receipt.Answer, err = s.decrypt(op.sealed)
			if err != nil {
				return Receipt{}, err
			}
		}
		return op.receipt, nil
	}
	if err := l.submit(ctx, op); err != nil {
		return Receipt{}, err
	}
	return op.receipt, nil
}

// Answer stores the answer to a charge made under a key, encrypted, for as long
// as Config.Answers says, and returns the answer that may be released: the first
// one stored. If two callers drew for the same charge, both get the same answer.
// The answer must be private text, never an original.
func (l *Ledger) Answer(ctx context.Context, account, key string, answer []byte) ([]byte, error) {
	if err := CheckAccount(account); err != nil {
		return nil, err
	}
	if err := CheckKey(key); err != nil {
		return nil, err
	}
	s, err := derive(l.id, account, key)
	if err != nil {
		return nil, err
	}
	op := &answerOp{account: account, key: s.id, expires: true}
	if op.sealed, err = s.encrypt(answer); err != nil {
		return nil, err
	}
	if err := l.submit(ctx, op); err != nil {
		return nil, err
	}
	if op.earlier == nil {
		return answer, nil
	}
	return s.decrypt(op.earlier)
}

// Grant is a limit to be raised, or lowered by a negative amount.
type Grant struct {
	Account string // opened by its first grant
	Basis   Basis
	Amount  Amount
	// Period is 0 for a limit forever, or the length of the windows that each
	// have the whole budget: 1 s to MaxPeriod. An account with several limits is
	// held to all of them; a limit counts from its first grant on.
	Period time.Duration
	// Key is the idempotency key, empty for none: the grant is made once under it. It needs not
	// be hard to guess, since entries have grants in clear.
	Key string
}

// MaxPeriod is the longest period of a limit, ten years of 365 days.
const MaxPeriod = 10 * 365 * 24 * time.Hour

// Grant raises or lowers a limit. Under a key that was used before it returns that grant, as
// Replayed, or ErrKeyReused if that was another grant to the account.
func (l *Ledger) Grant(ctx context.Context, g Grant) (Receipt, error) {
	if err := CheckAccount(g.Account); err != nil {
		return Receipt{}, err
	}
	if g.Amount == (Amount{}) {
		return Receipt{}, privacy.Wrong("ledger", "grant", "it is 0", "give an amount")
	}
	if g.Period != 0 && (g.Period < time.Second || g.Period > MaxPeriod) {
		return Receipt{}, privacy.Bad("ledger", "period", g.Period, fmt.Sprintf("1s to %s", MaxPeriod))
	}
	if err := g.Basis.check(); err != nil {
		return Receipt{}, err
	}
	op := &grantOp{grant: g}
	if g.Key != "" {
		if err := CheckKey(g.Key); err != nil {
			return Receipt{}, err
		}
		s, err := derive(l.id, grantsOf+g.Account, g.Key)
		if err != nil {
			return Receipt{}, err
		}
		op.key, op.tag = s.id, s.tag(g.digest())
	}
	if err := l.submit(ctx, op); err != nil {
		return Receipt{}, err
	}
	return op.receipt, nil
}

// digest identifies a retry of the same grant.
func (g Grant) digest() Hash {
	return sha256.Sum256(fmt.Appendf(nil, "sotto ledger grant 1\x00%q %q %d %d %d", g.Basis.Table, g.Basis.Distance, g.Amount.Epsilon, g.Amount.Delta, g.Period))
}

func (b Basis) check() error {
	if b == (Basis{}) {
		return nil
	}
	if _, err := ParseHash(b.Table); err != nil {
		return privacy.Bad("ledger", "table", shown(b.Table), "its SHA-256, 64 hexadecimal digits")
	}
	if b.Distance == "" || len(b.Distance) > 64 {
		return privacy.Bad("ledger", "distance", shown(b.Distance), "the name of a metric")
	}
	return nil
}

// Now returns the time by the ledger's clock.
func (l *Ledger) Now() time.Time { return l.now() }

// Accounts returns all accounts, by name.
func (l *Ledger) Accounts(ctx context.Context) ([]Account, error) { return l.accounts(ctx, nil) }

// Account returns one account, or an *UnknownAccountError.
func (l *Ledger) Account(ctx context.Context, name string) (Account, error) {
	if err := CheckAccount(name); err != nil {
		return Account{}, err
	}
	found, err := l.accounts(ctx, []string{name})
	if err == nil && len(found) == 0 {
		err = &UnknownAccountError{Account: name}
	}
	if err != nil {
		return Account{}, err
	}
	return found[0], nil
}

// Head returns the current end of the chain. Its hash, stored elsewhere, is an anchor for
// Verify. Head returns a *ReplacedError if the store is no longer the one that was opened,
// so it serves as a health check.
func (l *Ledger) Head(ctx context.Context) (head Head, err error) {
	err = l.view(ctx, func(v View, h Head) error {
		head = h
		return nil
	})
	return head, err
}
