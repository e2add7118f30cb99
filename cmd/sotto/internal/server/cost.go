package server

import (
	"context"
	"errors"
	"net/http"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/gate"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/wire"
	"github.com/sotto-dp/sotto/ledger"
	"github.com/sotto-dp/sotto/privacy"
)

// cost returns the cost of a rewrite. It counts with the same code as rewrite, and has no
// access to the draw.
func (s *Server) cost(e *gate.Exchange, r *http.Request) error {
	e.Private = true // which words stay depends on the words
	var asked wire.CostRequest
	if err := e.Decode(&asked); err != nil {
		return err
	}
	req := wire.RewriteRequest{Texts: asked.Texts, Opening: asked.Opening, Cap: asked.Cap, Distinct: asked.Distinct, Account: asked.Account}
	if err := s.admitTexts(e, len(req.Texts)); err != nil {
		return err
	}
	if err := s.checkAsked(req.Account, e.Key); err != nil {
		return err
	}
	rewriter, err := s.open(r.Context(), &req.Opening, reading{consistent: req.Consistent, cap: req.Cap})
	if err != nil {
		return err
	}
	e.Opened(rewriter.Claim().Unit)
	d, err := s.newDraft(e, &req, rewriter)
	if err != nil {
		return err
	}
	if err := s.admitTokens(e, d.pending.Size(), d.memory(&req)); err != nil {
		return err
	}
	a, err := s.priced(r, e, &req, d, asked.Fast)
	if err != nil {
		return err
	}
	return wire.Answer(e, http.StatusOK, a)
}

// checkAsked refuses to reveal the balance of an account that the key may not charge.
func (s *Server) checkAsked(account wire.Name, k *gate.Key) error {
	switch {
	case account == "":
		return nil
	case !k.Permits(string(account)):
		return wire.NewProblem(http.StatusForbidden, "not-permitted", "this key may not read that account")
	case s.accounts == nil:
		return wire.NewProblem(http.StatusBadRequest, "no-ledger", "this server has no accounts: it was started without a ledger")
	}
	return ledger.CheckAccount(string(account))
}

// priced computes the answer of a draft.
func (s *Server) priced(r *http.Request, e *gate.Exchange, req *wire.RewriteRequest, d *draft, fast bool) (a wire.CostResponse, err error) {
	c := d.rewriter.Statement(d.pending.Counts()).Cost()
	a = wire.CostResponse{Claim: c.Claim, Texts: c.Texts, Units: c.Units, EpsilonEach: c.EpsilonEach, EpsilonLongest: c.EpsilonLongest,
		EpsilonTotal: c.EpsilonTotal, DeltaTotal: c.DeltaTotal}
	for _, result := range d.results {
		if result.Error != "" {
			a.Refused++
		}
	}
	// The account first: it may refuse the unit, and the guesses take seconds.
	if req.Account != "" {
		if a.AccountLeft, a.Suffices, err = s.balance(r.Context(), e, req, d); err != nil {
			return a, err
		}
	}
	a.Unknown = d.pending.Content().Unknown()
	if table := d.rewriter.Table(); table != nil && c.Claim.Unit != privacy.Text {
		if err := e.Reserve(int64(table.Len()) * countMemory); err != nil {
			return a, err
		}
		var words sotto.WordCounts
		words.Add(d.pending)
		a.Unknown = d.rewriter.Unknown(&words)
		if a.Unchanged, a.Sampled, err = d.rewriter.Unchanged(r.Context(), &words); err != nil {
			return a, err
		}
		if !fast && !a.Sampled && (table.Len() <= figuresWords || s.cfg.Slow) {
			if err := e.Reserve(int64(table.Len()) * guessMemory); err != nil {
				return a, err
			}
			if a.Recovered, err = s.recovered(r.Context(), d.rewriter, &words); err != nil {
				return a, err
			}
		}
	}
	return a, nil
}

// balance returns what the account of a request has left, and whether that suffices.
func (s *Server) balance(ctx context.Context, e *gate.Exchange, req *wire.RewriteRequest, d *draft) (*ledger.Amount, *bool, error) {
	charge, err := d.charge(req)
	if err != nil {
		return nil, nil, err
	}
	account, err := s.accounts.Account(ctx, charge.Account)
	if err == nil {
		err = account.Takes(charge.Basis, charge.Party)
	}
	if err != nil {
		return nil, nil, e.LedgerFailed(err)
	}
	left, err := account.Affords(charge.Cost, charge.Party, s.accounts.Now())
	suffices := err == nil
	if err != nil && !errors.As(err, new(*ledger.ExhaustedError)) {
		return nil, nil, e.LedgerFailed(err)
	}
	return &left, &suffices, nil
}

// recovered computes the share of words that a best guess names, one setting at a time.
func (s *Server) recovered(ctx context.Context, r *sotto.Rewriter, words *sotto.WordCounts) (share *float64, err error) {
	err = s.alone(ctx, func(ctx context.Context) error {
		share, err = r.Recovered(ctx, words, nil)
		return err
	})
	return share, err
}
