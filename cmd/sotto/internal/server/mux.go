package server

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"path"
	"runtime/debug"
	"strconv"
	"time"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/till"
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

	stay *stay  // what the request holds
	body []byte // as it arrived, until it is decoded

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

// mux is the only one that opens payments.
func (s *Server) mux(payments *till.Till) http.Handler {
	mux := http.NewServeMux()
	var crossOrigin http.CrossOriginProtection
	for _, r := range s.routes() {
		mux.HandleFunc(r.name(), func(w http.ResponseWriter, q *http.Request) {
			s.serve(w, q, r.name(), func(e *exchange, q *http.Request) error {
				e.sized = r.request == nil
				if r.access != public {
					if err := crossOrigin.Check(q); err != nil {
						return problem(http.StatusForbidden, "cross-origin", "requests from pages of another origin are refused")
					}
					k, err := s.authenticate(q, e)
					if err != nil {
						return err
					}
					e.key = k
					q = q.WithContext(withKey(q.Context(), k.name))
					if r.access == admins && k.role != Admin {
						return problem(http.StatusForbidden, "not-permitted", "this needs a key with the role admin")
					}
				}
				if r.place {
					release, err := s.admit(e, q, r.request != nil)
					if err != nil {
						return err
					}
					defer release()
				}
				if !r.charges() {
					return r.handle(e, q, e)
				}
				key, err := idempotencyKey(q.Header)
				if err != nil {
					return err
				}
				return r.charge(e, q, e, payments.Open(key))
			})
		})
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// The mux would redirect an unclean path, and so repeat it in a header.
		if _, pattern := mux.Handler(r); pattern == "" || path.Clean(r.URL.Path) != r.URL.Path {
			s.serve(w, r, "none", func(e *exchange, r *http.Request) error { return s.noRoute(e, r) })
			return
		}
		mux.ServeHTTP(w, r)
	})
}

// noRoute distinguishes a wrong path from a wrong method.
func (s *Server) noRoute(w http.ResponseWriter, r *http.Request) error {
	for _, known := range s.routes() {
		if known.matches(r.URL.Path) && path.Clean(r.URL.Path) == r.URL.Path {
			w.Header().Set("Allow", known.method)
			return problem(http.StatusMethodNotAllowed, "wrong-method", "this path accepts "+known.method)
		}
	}
	return problem(http.StatusNotFound, "not-found", "no such path: see /openapi.json")
}

// serve runs one exchange: identity, headers, errors, panics, logs and metrics.
func (s *Server) serve(w http.ResponseWriter, r *http.Request, name string, handle func(*exchange, *http.Request) error) {
	start := time.Now()
	// The one deadline of every request. The rest of the time is for the answer.
	ctx, cancel := context.WithDeadline(r.Context(), start.Add(s.limits.workTime()))
	defer cancel()
	r = r.WithContext(ctx)
	e := &exchange{id: newID(), route: name, ResponseWriter: w}
	h := w.Header()
	requestHeader.set(w, e.id)
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
	s.metrics.inFlight.Inc()
	defer s.metrics.inFlight.Dec()
	err := protect(func() error { return handle(e, r) })
	kind := ""
	if err != nil {
		p := problemOf(err)
		kind = p.Type
		if p.Status >= 500 && e.cause == nil {
			e.cause = err
		}
		if e.status == 0 {
			p.write(e, e.id)
		}
	}
	begun := err != nil && e.status < 400
	took := new(time.Duration)
	if *took = time.Since(start); !e.sized {
		took = nil
	}
	s.metrics.observe(name, e.status, kind, took)
	s.record(r, e, kind, took)
	if begun { // the client must not take a partial answer for a whole one
		panic(http.ErrAbortHandler)
	}
}

// panicError is a panic of a handler. The panic's value may hold text and is dropped.
type panicError struct{ stack []byte }

func (e *panicError) Error() string { return "panic" }

func protect(handle func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &panicError{stack: debug.Stack()}
		}
	}()
	return handle()
}

// record writes one log line. It holds the route, never the path. Of an unexpected error
// it holds the type only, since the message might quote a text.
func (s *Server) record(r *http.Request, e *exchange, kind string, took *time.Duration) {
	attrs := []slog.Attr{slog.String("request", e.id), slog.String("route", e.route), slog.Int("status", e.status)}
	if took != nil {
		attrs = append(attrs, slog.Float64("duration_ms", float64(took.Microseconds())/1000), slog.Int64("bytes_in", max(r.ContentLength, 0)))
	}
	if !e.private {
		attrs = append(attrs, slog.Int64("bytes_out", e.written))
	}
	if e.key != nil {
		attrs = append(attrs, slog.String("key", e.key.name))
	}
	if kind != "" {
		attrs = append(attrs, slog.String("problem", kind))
	}
	attrs = append(attrs, e.note...)
	level := slog.LevelInfo
	if e.status >= 500 {
		level = slog.LevelError
		if e.cause != nil {
			attrs = append(attrs, slog.String("cause", fmt.Sprintf("%T", e.cause)))
		}
		if p, ok := e.cause.(*panicError); ok {
			attrs = append(attrs, slog.String("stack", string(p.stack)))
		}
	}
	s.log.LogAttrs(r.Context(), level, "request", attrs...)
}

// newID returns a random UUID, version 4.
func newID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// answer sends JSON that is encoded whole before its first byte is sent.
func answer(w http.ResponseWriter, status int, v any) error {
	body, err := encode(v)
	if err != nil {
		return err
	}
	send(w, status, body)
	return nil
}

func encode(v any) ([]byte, error) {
	body, err := json.Marshal(v)
	return append(body, '\n'), err
}

func send(w http.ResponseWriter, status int, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body) // a client that went away is not an error
}
