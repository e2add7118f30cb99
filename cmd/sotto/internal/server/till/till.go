// Package till is the only way of a request to a charge. The mux opens a payment for
// each request of a route that charges, with the request's idempotency key, and hands it
// to the route's handler. Nothing else has the till, so a handler that charges has the
// key, and a route that reads no key cannot charge.
package till

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"time"

	"github.com/sotto-dp/sotto/ledger"
)

// Till makes the charges of a ledger.
type Till struct{ ledger *ledger.Ledger }

// New returns the till of a ledger, which may be nil.
func New(l *ledger.Ledger) *Till { return &Till{l} }

// Open returns the payment of one request. Its key is empty if the request has none.
func (t *Till) Open(key string) *Payment { return &Payment{t.ledger, key} }

// Payment charges for one request, under its idempotency key.
type Payment struct {
	ledger *ledger.Ledger
	key    string
}

// Keyed reports whether the request has an idempotency key, so that a retry gets the same
// answer.
func (p *Payment) Keyed() bool { return p.key != "" }

// Charge makes a charge for a request. A retry of the same request is charged once.
func (p *Payment) Charge(ctx context.Context, c ledger.Charge, request any) (ledger.Receipt, error) {
	c, err := p.of(c, request)
	if err != nil {
		return ledger.Receipt{}, err
	}
	return p.ledger.Charge(ctx, c)
}

// ChargeEach makes a charge for each of the keys that has none, as Charge does for one.
func (p *Payment) ChargeEach(ctx context.Context, c ledger.Charge, keys []string, request any) (ledger.Each, error) {
	c, err := p.of(c, request)
	if err != nil {
		return ledger.Each{}, err
	}
	return p.ledger.ChargeEach(ctx, c, keys)
}

// of adds the key and the digest that identifies a retry of the same request.
func (p *Payment) of(c ledger.Charge, request any) (ledger.Charge, error) {
	if p.key == "" {
		return c, nil
	}
	whole, err := json.Marshal(request)
	c.Key, c.Request = p.key, sha256.Sum256(whole)
	return c, err
}

// Answer stores the answer to the request, and returns the one that was stored first. It
// stores nothing if the request has no key.
func (p *Payment) Answer(ctx context.Context, account string, answer []byte) ([]byte, error) {
	if p.key == "" {
		return answer, nil
	}
	return p.ledger.Answer(ctx, account, p.key, answer)
}

// AnswerEach stores an answer for each of the keys of ChargeEach, and returns those that
// were stored first.
func (p *Payment) AnswerEach(ctx context.Context, account string, keys []string, answers [][]byte) ([][]byte, error) {
	return p.ledger.AnswerEach(ctx, account, keys, answers)
}

// Accounts is what every handler may do with a ledger: read it.
type Accounts interface {
	Account(context.Context, string) (ledger.Account, error)
	Accounts(context.Context) ([]ledger.Account, error)
	Head(context.Context) (ledger.Head, error)
	Now() time.Time
}

// Read returns the accounts of a ledger, nil for none.
func Read(l *ledger.Ledger) Accounts {
	if l == nil {
		return nil
	}
	return reader{l}
}

// reader hides the charges of its ledger also from type assertions.
type reader struct{ ledger *ledger.Ledger }

func (r reader) Account(ctx context.Context, name string) (ledger.Account, error) {
	return r.ledger.Account(ctx, name)
}

func (r reader) Accounts(ctx context.Context) ([]ledger.Account, error) {
	return r.ledger.Accounts(ctx)
}

func (r reader) Head(ctx context.Context) (ledger.Head, error) { return r.ledger.Head(ctx) }

func (r reader) Now() time.Time { return r.ledger.Now() }
