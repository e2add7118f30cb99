package server

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/till"
	"github.com/sotto-dp/sotto/ledger"
	"github.com/sotto-dp/sotto/privacy"
)

// checkPayment refuses requests that cannot or may not be charged.
func (s *Server) checkPayment(account Name, p *till.Payment, k *key) error {
	if !k.permits(string(account)) {
		if account == "" {
			return problem(http.StatusForbidden, "not-permitted", "this key needs an account to charge: give one as account")
		}
		return problem(http.StatusForbidden, "not-permitted", "this key may not charge that account")
	}
	if account == "" {
		if s.cfg.RequireAccount {
			return privacy.Bad("serve", "account", nil, "given: this server releases nothing without an account to charge")
		}
		if p.Keyed() {
			return problem(http.StatusBadRequest, "account-needed", "an idempotency key needs an account: the answer is stored with the charge")
		}
		return nil
	}
	if s.accounts == nil {
		return problem(http.StatusBadRequest, "no-ledger", "this server has no accounts: it was started without a ledger")
	}
	return ledger.CheckAccount(string(account))
}

// pay charges for a draft and draws it. If an earlier request with the same key was
// answered, it returns that answer and draws nothing.
func (s *Server) pay(ctx context.Context, d *draft, req *RewriteRequest, p *till.Payment, e *exchange) (body []byte, replayed bool, err error) {
	if req.Account == "" {
		body, err = d.draw(ctx, req, nil)
		return body, false, err
	}
	charge, err := d.charge(req)
	if err != nil {
		return nil, false, err
	}
	return s.charged(ctx, p, charge, req, e, func(r *Receipt) ([]byte, error) { return d.draw(ctx, req, r) })
}

// charged makes a charge and then the answer that it pays for, which is kept if the
// charge has a key. If the charge was answered before, it returns that answer and calls
// nothing.
func (s *Server) charged(ctx context.Context, p *till.Payment, charge ledger.Charge, req any, e *exchange, answer func(*Receipt) ([]byte, error)) (body []byte, replayed bool, err error) {
	began := time.Now()
	receipt, err := p.Charge(ctx, charge, req)
	s.noteCharge(e, began, charge.Account, err)
	if err != nil {
		return nil, false, ledgerFailure(err, e)
	}
	e.note = append(e.note, slog.Int64("charge", receipt.Entry.Seq), slog.Bool("replayed", receipt.Replayed))
	if receipt.Answered {
		return receipt.Answer, true, nil
	}
	if receipt.Replayed {
		if err := s.sameUnits(ctx, charge, receipt); err != nil {
			return nil, false, ledgerFailure(err, e)
		}
	}
	if body, err = answer(receiptOf(receipt)); err != nil {
		return nil, false, err
	}
	if body, err = p.Answer(ctx, charge.Account, body); err != nil {
		return nil, false, ledgerFailure(err, e)
	}
	return body, false, nil
}

// charge returns the cost of the draft.
func (d *draft) charge(req *RewriteRequest) (ledger.Charge, error) {
	return d.price(req, d.pending.Draws())
}

// price returns the charge for a number of draws of the draft.
func (d *draft) price(req *RewriteRequest, draws int64) (ledger.Charge, error) {
	claim := d.rewriter.Claim()
	if claim.Notion == privacy.None {
		return ledger.Charge{}, problem(http.StatusUnprocessableEntity, "no-price", "the mechanism has no finite loss: no account can pay for it")
	}
	c, err := ledger.Price(claim, d.rewriter.TableDigest(), draws)
	c.Account = string(req.Account)
	return c, err
}

// sameUnits checks that an earlier charge, perhaps from before a restart, pays for what
// would be drawn now: the table or the mechanism may have changed.
func (s *Server) sameUnits(ctx context.Context, now ledger.Charge, earlier ledger.Receipt) error {
	account, err := s.accounts.Account(ctx, now.Account)
	if err != nil {
		return err
	}
	if err := account.Takes(now.Basis, now.Party); err != nil {
		return err
	}
	if recorded := earlier.Entry.Party; recorded.Unit != "" && recorded != now.Party || earlier.Entry.Amount != now.Cost {
		return problem(http.StatusConflict, "cost-changed", "the charge under this idempotency key had another cost: use a new key")
	}
	return nil
}

// committed returns the context of a charge and what it pays for. A client that leaves no
// longer ends it; the request's deadline does.
func (e *exchange) committed(ctx context.Context) (context.Context, context.CancelFunc) {
	e.charging = true
	deadline, _ := ctx.Deadline()
	return context.WithDeadline(context.WithoutCancel(ctx), deadline)
}

// ledgerFailure distinguishes refusals of the ledger from failures of its store, after
// which nothing may be released.
func ledgerFailure(err error, e *exchange) error {
	if p := problemOf(err); p.Type != "internal" && !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	e.cause = err
	p := problem(http.StatusServiceUnavailable, "ledger-unavailable", "the ledger could not be read: try again")
	if e.charging {
		p.Detail = "the ledger could not be written: nothing was released; a retry under the same idempotency key is charged once"
	}
	p.retry = 1
	return p
}
