package server

import (
	"context"
	"net/http"
	"time"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/gate"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/wire"
	"github.com/sotto-dp/sotto/ledger"
)

func (s *Server) mechanisms(e *gate.Exchange, _ *http.Request) error {
	return wire.Answer(e, http.StatusOK, wire.MechanismsResponse{Mechanisms: sotto.Catalogue()})
}

// accountResponse gives ledger.Description its name in OpenAPI.
type accountResponse struct{ ledger.Description }

func (s *Server) account(e *gate.Exchange, r *http.Request) error {
	name := r.PathValue("id")
	if !e.Key.Permits(name) {
		return wire.NewProblem(http.StatusForbidden, "not-permitted", "this key may not read that account")
	}
	if s.accounts == nil {
		return wire.NewProblem(http.StatusNotFound, "no-ledger", "this server has no accounts: it was started without a ledger")
	}
	a, err := s.accounts.Account(r.Context(), name)
	if err != nil {
		return e.LedgerFailed(err)
	}
	return wire.Answer(e, http.StatusOK, a.Describe(s.accounts.Now()))
}

func (s *Server) describeSelf(e *gate.Exchange, _ *http.Request) error {
	wire.Send(e, http.StatusOK, s.openAPI)
	return nil
}

func (s *Server) healthz(e *gate.Exchange, _ *http.Request) error {
	return wire.Answer(e, http.StatusOK, wire.Health{Status: "ok"})
}

func (s *Server) readyz(e *gate.Exchange, r *http.Request) error {
	if s.stopping.Load() {
		return wire.Answer(e, http.StatusServiceUnavailable, wire.Health{Status: "stopping"})
	}
	if s.accounts != nil {
		if err := s.ledgerAnswers(r.Context()); err != nil {
			e.Cause = err
			return wire.Answer(e, http.StatusServiceUnavailable, wire.Health{Status: "ledger-unavailable"})
		}
	}
	return wire.Answer(e, http.StatusOK, wire.Health{Status: "ok"})
}

// readyTime bounds how long the ledger may take to answer a readiness probe.
const readyTime = 2 * time.Second

// ledgerAnswers asks whether the ledger can be read. Anybody may ask, and takes no place of a
// request, so the ledger is asked once at a time, for all who wait.
func (s *Server) ledgerAnswers(ctx context.Context) error {
	asked := s.ready.DoChan("", func() (any, error) {
		ctx, cancel := context.WithTimeout(context.Background(), readyTime)
		defer cancel()
		return s.accounts.Head(ctx)
	})
	select {
	case answer := <-asked:
		return answer.Err
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s *Server) showMetrics(e *gate.Exchange, r *http.Request) error {
	s.metrics.Opened.Set(float64(s.openings.Len()))
	s.metrics.Handler.ServeHTTP(e, r)
	return nil
}
