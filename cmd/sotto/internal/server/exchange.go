package server

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net/http"

	"github.com/sotto-dp/sotto/privacy"
)

// exchange is the state of one request. All of it may be logged.
type exchange struct {
	id    string
	route string
	key   *key
	note  []slog.Attr
	cause error // of an internal error
	http.ResponseWriter
	status  int
	written int64
	// sized is true once it is known that the request's length and duration may be
	// logged, since it holds no whole text whose length is protected.
	sized   bool
	private bool // the answer is as private as the request: its length shows which words are unknown

	stay   *stay  // what the request holds
	body   []byte // as it arrived, until it is decoded
	values int    // the most values that it may have

	charging bool // its charge may have been made
}

func (e *exchange) WriteHeader(status int) {
	if e.status == 0 {
		e.status = status
		e.ResponseWriter.WriteHeader(status)
	}
}

func (e *exchange) Write(b []byte) (int, error) {
	if e.status == 0 {
		e.status = http.StatusOK
	}
	n, err := e.ResponseWriter.Write(b)
	e.written += int64(n)
	return n, err
}

// Unwrap lets http.ResponseController reach the underlying writer.
func (e *exchange) Unwrap() http.ResponseWriter { return e.ResponseWriter }

// reserve reserves n more bytes for the request, until it ends.
func (e *exchange) reserve(n int64) error {
	if n <= 0 {
		return nil
	}
	return e.stay.take(0, n)
}

// log adds to the line that the log has of the request.
func (e *exchange) log(attrs ...slog.Attr) { e.note = append(e.note, attrs...) }

// noteClaim logs the unit of a claim, and its loss unless that is infinite: JSON has no
// infinity.
func (e *exchange) noteClaim(claim privacy.Claim) {
	e.log(slog.String("unit", string(claim.Unit)))
	if !math.IsInf(claim.Epsilon, 0) {
		e.log(slog.Float64("epsilon", claim.Epsilon), slog.Float64("delta", claim.Delta))
	}
}

// committed returns the context of a charge and what it pays for. A client that leaves no
// longer ends it; the request's deadline does.
func (e *exchange) committed(ctx context.Context) (context.Context, context.CancelFunc) {
	e.charging = true
	deadline, _ := ctx.Deadline()
	return context.WithDeadline(context.WithoutCancel(ctx), deadline)
}

// ledgerFailed distinguishes refusals of the ledger from failures of its store, after
// which nothing may be released.
func (e *exchange) ledgerFailed(err error) error {
	if p := problemOf(err); p.Type != "internal" && !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	e.cause = err
	p := problem(http.StatusServiceUnavailable, "ledger-unavailable", "the ledger could not be read: try again")
	if e.charging {
		p.Detail = "the ledger could not be written: nothing was released; a retry under the same idempotency key is charged once"
	}
	return p.after(1)
}

// newID returns a random UUID, version 4.
func newID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
