package server

import (
	"net/http"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/ledger"
)

func (s *Server) mechanisms(e *exchange, _ *http.Request) error {
	return answer(e, http.StatusOK, MechanismsResponse{sotto.Catalogue()})
}

// accountResponse gives ledger.Description its name in OpenAPI.
type accountResponse struct{ ledger.Description }

func (s *Server) account(e *exchange, r *http.Request) error {
	name := r.PathValue("id")
	if !e.key.permits(name) {
		return problem(http.StatusForbidden, "not-permitted", "this key may not read that account")
	}
	if s.accounts == nil {
		return problem(http.StatusNotFound, "no-ledger", "this server has no accounts: it was started without a ledger")
	}
	a, err := s.accounts.Account(r.Context(), name)
	if err != nil {
		return e.ledgerFailed(err)
	}
	return answer(e, http.StatusOK, a.Describe(s.accounts.Now()))
}

func (s *Server) describeSelf(e *exchange, _ *http.Request) error {
	send(e, http.StatusOK, s.openAPI)
	return nil
}

func (s *Server) healthz(e *exchange, _ *http.Request) error {
	return answer(e, http.StatusOK, Health{"ok"})
}

func (s *Server) readyz(e *exchange, r *http.Request) error {
	if s.stopping.Load() {
		return answer(e, http.StatusServiceUnavailable, Health{"stopping"})
	}
	if s.accounts != nil {
		if err := s.ready.answer(r.Context()); err != nil {
			e.cause = err
			return answer(e, http.StatusServiceUnavailable, Health{"ledger-unavailable"})
		}
	}
	return answer(e, http.StatusOK, Health{"ok"})
}

func (s *Server) showMetrics(e *exchange, r *http.Request) error {
	s.metrics.opened.Set(float64(s.openings.len()))
	s.metrics.handler.ServeHTTP(e, r)
	return nil
}
