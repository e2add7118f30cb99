package server

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/gate"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/till"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/wire"
	"github.com/sotto-dp/sotto/privacy"
)

func (s *Server) rewrite(e *gate.Exchange, r *http.Request, p *till.Payment) error {
	var req wire.RewriteRequest
	if err := e.Decode(&req); err != nil {
		return err
	}
	if err := s.admitTexts(e, len(req.Texts)); err != nil {
		return err
	}
	if err := s.checkPayment(req.Account, p, e.Key); err != nil {
		return err
	}
	if err := checkScope(&req); err != nil {
		return err
	}
	if err := s.checkSpans(e, &req); err != nil {
		return err
	}
	rewriter, err := s.open(r.Context(), &req.Opening, reading{req.Consistent, req.Scope != "", req.Spans != nil, req.Typed, req.Strict, req.Cap})
	if err != nil {
		return err
	}
	claim := rewriter.Claim()
	e.Opened(claim.Unit)
	d, err := s.newDraft(e, &req, rewriter)
	if err != nil {
		return err
	}
	if err := s.admitTokens(e, d.pending.Size(), d.memory(&req)); err != nil {
		return err
	}
	counts := d.pending.Counts()
	if req.Typed { // of the types that occur, as in the answer
		claim = rewriter.Statement(counts).Claim
	}
	e.Log(slog.String("mechanism", rewriter.Entry().Name))
	e.NoteClaim(claim)
	e.Log(slog.Int("texts", counts.Documents))
	if e.Sized {
		e.Log(slog.Int("tokens", counts.Tokens))
	}
	if err := r.Context().Err(); err != nil {
		return err
	}
	// From here on the request is finished even if its client leaves: it may be charged,
	// and a retry under its key finds the answer.
	ctx, cancel := e.Committed(r.Context())
	defer cancel()
	pay := s.pay
	if req.Scope != "" {
		pay = s.payScoped
	}
	body, replayed, err := pay(ctx, d, &req, p, e)
	if err != nil {
		return err
	}
	if replayed {
		wire.ReplayedHeader.Set(e, "true")
	}
	s.metrics.Draws(rewriter.Entry().Name, claim.Unit, counts, replayed)
	wire.Send(e, http.StatusOK, body)
	return nil
}

// pay charges for a draft and draws it. If an earlier request with the same key was
// answered, it returns that answer and draws nothing.
func (s *Server) pay(ctx context.Context, d *draft, req *wire.RewriteRequest, p *till.Payment, e *gate.Exchange) (body []byte, replayed bool, err error) {
	if req.Account == "" {
		body, err = d.draw(ctx, req, nil)
		return body, false, err
	}
	charge, err := d.charge(req)
	if err != nil {
		return nil, false, err
	}
	return s.charged(ctx, p, charge, req, e, func(r *wire.Receipt) ([]byte, error) { return d.draw(ctx, req, r) })
}

// checkSpans refuses spans that the server does not allow, and fields of its own that cannot be
// combined with spans. It reserves memory per span.
func (s *Server) checkSpans(e *gate.Exchange, req *wire.RewriteRequest) error {
	switch {
	case req.Spans == nil:
		return nil
	case !s.cfg.Spans:
		return wire.NewProblem(http.StatusForbidden, "spans-refused", "spans leave the rest of a text as it is, and the guarantee depends on them: the server must be started with spans allowed")
	case len(req.Spans) != len(req.Texts):
		return privacy.Wrong("serve", "spans", fmt.Sprintf("there are %d lists for %d texts", len(req.Spans), len(req.Texts)), "give one list per text")
	case req.Account != "":
		return privacy.Unwanted("serve", "account", "with spans: an account bounds the loss of texts, and a text with copied parts has no bound")
	case req.Typed && req.Scope != "":
		return privacy.Unwanted("serve", "scope", "with typed: a scope is of words")
	case req.Pieces && !req.Typed:
		return privacy.Unwanted("serve", "pieces", "with spans that are not typed: copied parts have no pieces")
	}
	spans := 0
	for _, of := range req.Spans {
		spans += len(of)
	}
	return e.Reserve(int64(spans) * spanMemory)
}

func checkScope(req *wire.RewriteRequest) error {
	if req.Scope == "" {
		return nil
	}
	if err := wire.CheckSecret("scope", string(req.Scope)); err != nil {
		return err
	}
	if req.Account == "" {
		return wire.NewProblem(http.StatusBadRequest, "account-needed", "a scope needs an account: replacements are stored with their charges")
	}
	return nil
}
