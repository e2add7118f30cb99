package server

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/gate"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/till"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/wire"
	"github.com/sotto-dp/sotto/ledger"
	"github.com/sotto-dp/sotto/privacy"
)

// checkPayment refuses requests that cannot or may not be charged.
func (s *Server) checkPayment(account wire.Name, p *till.Payment, k *gate.Key) error {
	if !k.Permits(string(account)) {
		if account == "" {
			return wire.NewProblem(http.StatusForbidden, "not-permitted", "this key needs an account to charge: give one as account")
		}
		return wire.NewProblem(http.StatusForbidden, "not-permitted", "this key may not charge that account")
	}
	if account == "" {
		if s.cfg.RequireAccount {
			return privacy.Missing("serve", "an account", "this server releases nothing without one to charge")
		}
		if p.Keyed() {
			return wire.NewProblem(http.StatusBadRequest, "account-needed", "an idempotency key needs an account: the answer is stored with the charge")
		}
		return nil
	}
	if s.accounts == nil {
		return wire.NewProblem(http.StatusBadRequest, "no-ledger", "this server has no accounts: it was started without a ledger")
	}
	return ledger.CheckAccount(string(account))
}

// charged makes a charge and then the answer that it pays for, which is kept if the
// charge has a key. If the charge was answered before, it returns that answer and calls
// nothing.
func (s *Server) charged(ctx context.Context, p *till.Payment, charge ledger.Charge, req any, e *gate.Exchange, answer func(*wire.Receipt) ([]byte, error)) (body []byte, replayed bool, err error) {
	began := time.Now()
	receipt, err := p.Charge(ctx, charge, req)
	s.noteCharge(e, began, charge.Account, err)
	if err != nil {
		return nil, false, e.LedgerFailed(err)
	}
	e.Log(slog.Int64("charge", receipt.Entry.Seq), slog.Bool("replayed", receipt.Replayed))
	if receipt.Answered {
		return receipt.Answer, true, nil
	}
	if receipt.Replayed {
		if err := s.sameUnits(ctx, charge, receipt); err != nil {
			return nil, false, e.LedgerFailed(err)
		}
	}
	if body, err = answer(wire.ReceiptOf(receipt)); err != nil {
		return nil, false, err
	}
	if body, err = p.Answer(ctx, charge.Account, body); err != nil {
		return nil, false, e.LedgerFailed(err)
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
		return wire.NewProblem(http.StatusConflict, "cost-changed", "the charge under this idempotency key had another cost: use a new key")
	}
	return nil
}

// noteCharge records how long the ledger took for a charge, and logs the account of a
// request that charged it. Where the ledger failed, the charge may have been made, so its
// account is logged too. Where the ledger refused, it was not, and the name may be of no
// account.
func (s *Server) noteCharge(e *gate.Exchange, began time.Time, account string, err error) {
	s.metrics.Charges.Observe(time.Since(began).Seconds())
	if err == nil || wire.ProblemOf(err).Status >= http.StatusInternalServerError {
		e.Log(slog.String("account", account))
	}
}
