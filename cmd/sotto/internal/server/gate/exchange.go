package gate

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"mime"
	"net"
	"net/http"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/wire"
	"github.com/sotto-dp/sotto/ledger"
	"github.com/sotto-dp/sotto/privacy"
)

// Exchange is the state of one request. All of it may be logged.
type Exchange struct {
	id    string
	route string
	Key   *Key
	note  []slog.Attr
	Cause error // of an internal error
	http.ResponseWriter
	status  int
	written int64
	// Sized is true once it is known that the request's length and duration may be
	// logged, since it holds no whole text or mark whose length is protected.
	Sized   bool
	Private bool // the answer is as private as the request: its length shows which words are unknown

	stay   *stay  // what the request holds
	body   []byte // as it arrived, until it is decoded
	values int    // the most values that it may have

	charging bool // its charge may have been made
}

func (e *Exchange) WriteHeader(status int) {
	if e.status == 0 {
		e.status = status
		e.ResponseWriter.WriteHeader(status)
	}
}

func (e *Exchange) Write(b []byte) (int, error) {
	if e.status == 0 {
		e.status = http.StatusOK
	}
	n, err := e.ResponseWriter.Write(b)
	e.written += int64(n)
	return n, err
}

// Unwrap lets http.ResponseController reach the underlying writer.
func (e *Exchange) Unwrap() http.ResponseWriter { return e.ResponseWriter }

// Reserve reserves n more bytes for the request, until it ends.
func (e *Exchange) Reserve(n int64) error {
	if n <= 0 {
		return nil
	}
	return e.stay.take(0, n)
}

// Log adds to the line that the log has of the request.
func (e *Exchange) Log(attrs ...slog.Attr) { e.note = append(e.note, attrs...) }

// NoteClaim logs the unit of a claim, and its loss unless that is infinite: JSON has no
// infinity.
func (e *Exchange) NoteClaim(claim privacy.Claim) {
	e.Log(slog.String("unit", string(claim.Unit)))
	if !math.IsInf(claim.Epsilon, 0) {
		e.Log(slog.Float64("epsilon", claim.Epsilon), slog.Float64("delta", claim.Delta))
	}
}

// Opened notes what the claim of a request protects, once it is opened: before that a mistake may
// hide a request for whole texts. The length of a word is not protected, and that of a text or a
// mark is.
func (e *Exchange) Opened(unit privacy.Unit) {
	e.Sized = unit == privacy.Token || unit == privacy.Word || unit == privacy.MarkedToken
}

// Committed returns the context of a charge and what it pays for. A client that leaves no
// longer ends it; the request's deadline does.
func (e *Exchange) Committed(ctx context.Context) (context.Context, context.CancelFunc) {
	e.charging = true
	deadline, _ := ctx.Deadline()
	return context.WithDeadline(context.WithoutCancel(ctx), deadline)
}

// LedgerFailed distinguishes refusals of the ledger from failures of its store, after
// which nothing may be released.
func (e *Exchange) LedgerFailed(err error) error {
	if p := wire.ProblemOf(err); p.Type != "internal" && !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	e.Cause = err
	p := wire.NewProblem(http.StatusServiceUnavailable, "ledger-unavailable", "the ledger could not be read: try again")
	switch {
	case errors.As(err, new(*ledger.ReplacedError)):
		p.Detail = "the ledger was replaced or set back while it was open: nothing is charged or released until the service is restarted"
		return p
	case errors.As(err, new(*ledger.BrokenError)):
		p.Detail = "the ledger is damaged, and nothing is released: sotto ledger verify finds where"
		return p
	case e.charging:
		p.Detail = "the ledger could not be written: nothing was released; a retry under the same idempotency key is charged once"
	}
	return p.After(1)
}

// cause returns what the log says of an internal error: its type, since its message might
// quote a text. The two that no retry mends quote none.
func (e *Exchange) cause() string {
	if replaced := new(ledger.ReplacedError); errors.As(e.Cause, &replaced) {
		return replaced.Error()
	}
	if broken := new(ledger.BrokenError); errors.As(e.Cause, &broken) {
		return broken.Error()
	}
	return fmt.Sprintf("%T", e.Cause)
}

// newID returns a random UUID, version 4.
func newID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// Upper bounds, in bytes, of the memory that parts of a request take. The sum over all
// requests in progress stays below Limits.Memory: a request reserves its share before it
// allocates, or gets 429.
const (
	// requestMemory covers a request whose body has at most firstBody bytes.
	requestMemory = 64 << 10
	firstBody     = 4 << 10
	// bodyMemory is per byte of a body: the body, the decoder's copy, the strings, their
	// bytes, and 4 bytes per token, since one byte can be a token. All but the body can
	// be held twice while a slice grows.
	bodyMemory = 12
)

// Decode decodes the request's JSON body.
func (e *Exchange) Decode(into any) error {
	body := e.body
	e.body = nil // what is decoded is held in its place
	return wire.Decode(body, e.values, into)
}

// receive waits for a request's body.
func (g *Gate) receive(e *Exchange, r *http.Request) error {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != "application/json" {
		return wire.NewProblem(http.StatusUnsupportedMediaType, "not-json", "Content-Type must be application/json")
	}
	if encodings := r.Header["Content-Encoding"]; len(encodings) > 1 || len(encodings) == 1 && encodings[0] != "" && encodings[0] != "identity" {
		return wire.NewProblem(http.StatusUnsupportedMediaType, "encoded", "there is a Content-Encoding: send the body as it is")
	}
	e.body, err = e.readBody(http.MaxBytesReader(e, r.Body, g.Limits.Body), min(r.ContentLength, g.Limits.Body))
	var large *http.MaxBytesError
	var network net.Error
	var own *wire.Problem
	switch {
	case errors.As(err, &own):
		return own
	case errors.As(err, &large):
		return wire.NewProblem(http.StatusRequestEntityTooLarge, "too-large", fmt.Sprintf("the body must have at most %d bytes", g.Limits.Body))
	case errors.As(err, &network) && network.Timeout():
		return wire.NewProblem(http.StatusRequestTimeout, "too-slow", "the body did not arrive in time")
	case err != nil:
		return wire.NewProblem(http.StatusBadRequest, "malformed", "the body ended early")
	}
	return nil
}

// otherValues bounds the values of a body that are not texts, such as parameters.
const otherValues = 1024

// readBody reads the whole body. It reserves memory as bytes arrive, so that an announced
// length alone reserves nothing.
func (e *Exchange) readBody(r io.Reader, announced int64) ([]byte, error) {
	size := firstBody
	if announced >= 0 {
		size = min(size, int(announced)+1) // one more byte, to see the end
	}
	body := make([]byte, 0, size)
	for {
		if len(body) == cap(body) {
			size = 2 * cap(body)
			if int(announced) >= len(body) {
				size = min(size, int(announced)+1)
			}
			if err := e.Reserve(int64(size-cap(body)) * bodyMemory); err != nil {
				return nil, err
			}
			body = append(make([]byte, 0, size), body...)
		}
		n, err := r.Read(body[len(body):cap(body)])
		body = body[:len(body)+n]
		if err == io.EOF {
			return body, nil
		}
		if err != nil {
			return nil, err
		}
	}
}
