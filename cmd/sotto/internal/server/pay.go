package server

import (
	"context"
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

// charged makes a charge and then the answer that it pays for, which is kept if the
// charge has a key. If the charge was answered before, it returns that answer and calls
// nothing.
func (s *Server) charged(ctx context.Context, p *till.Payment, charge ledger.Charge, req any, e *exchange, answer func(*Receipt) ([]byte, error)) (body []byte, replayed bool, err error) {
	began := time.Now()
	receipt, err := p.Charge(ctx, charge, req)
	s.noteCharge(e, began, charge.Account, err)
	if err != nil {
		return nil, false, e.ledgerFailed(err)
	}
	e.log(slog.Int64("charge", receipt.Entry.Seq), slog.Bool("replayed", receipt.Replayed))
	if receipt.Answered {
		return receipt.Answer, true, nil
	}
	if receipt.Replayed {
		if err := s.sameUnits(ctx, charge, receipt); err != nil {
			return nil, false, e.ledgerFailed(err)
		}
	}
	if body, err = answer(receiptOf(receipt)); err != nil {
		return nil, false, err
	}
	if body, err = p.Answer(ctx, charge.Account, body); err != nil {
		return nil, false, e.ledgerFailed(err)
	}
	return body, false, nil
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

// noteCharge records how long the ledger took for a charge, and logs the account of a
// request that charged it. Where the ledger failed, the charge may have been made, so its
// account is logged too. Where the ledger refused, it was not, and the name may be of no
// account.
func (s *Server) noteCharge(e *exchange, began time.Time, account string, err error) {
	s.metrics.charges.Observe(time.Since(began).Seconds())
	if err == nil || problemOf(err).Status >= http.StatusInternalServerError {
		e.log(slog.String("account", account))
	}
}
