package server

import (
	"log/slog"
	"math"
	"net/http"
	"time"

	"github.com/sotto-dp/sotto/privacy"
)

// noteClaim logs the unit of a claim, and its loss unless that is infinite: JSON has no
// infinity.
func (e *exchange) noteClaim(claim privacy.Claim) {
	e.note = append(e.note, slog.String("unit", string(claim.Unit)))
	if !math.IsInf(claim.Epsilon, 0) {
		e.note = append(e.note, slog.Float64("epsilon", claim.Epsilon), slog.Float64("delta", claim.Delta))
	}
}

// noteCharge records how long the ledger took for a charge, and logs the account of a
// request that charged it. Where the ledger failed, the charge may have been made, so its
// account is logged too. Where the ledger refused, it was not, and the name may be of no
// account.
func (s *Server) noteCharge(e *exchange, began time.Time, account string, err error) {
	s.metrics.charges.Observe(time.Since(began).Seconds())
	if err == nil || problemOf(err).Status >= http.StatusInternalServerError {
		e.note = append(e.note, slog.String("account", account))
	}
}
