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
	"strings"
	"time"
)

// access lists the keys that may use a route.
type access int

const (
	public access = iota
	keyed
	admins
)

// route declares one endpoint. Requests, OpenAPI, metrics and logs all use this
// declaration.
type route struct {
	method, pattern string
	access          access
	bounded         bool // takes one of the places for requests in progress; needs a key
	summary         string
	request, answer any // zero values of the JSON types; nil for none
	problems        []int
	handle          func(http.ResponseWriter, *http.Request, *exchange) error
}

func (s *Server) routes() []route {
	return append([]route{
		{"POST", "/v1/rewrite", keyed, true, "Make private copies of texts.", RewriteRequest{}, RewriteResponse{},
			[]int{400, 401, 403, 404, 408, 409, 410, 413, 415, 421, 422, 429, 500, 503}, s.rewrite},
		{"POST", "/v1/cost", keyed, true, "Count what a rewrite of texts would spend; nothing is drawn or charged.", CostRequest{}, CostResponse{},
			[]int{400, 401, 403, 404, 408, 413, 415, 421, 422, 429, 500, 503}, s.cost},
		{"POST", "/v1/synthesize", keyed, true, "Make a private copy of a small corpus of records.", SynthesizeRequest{}, SynthesizeResponse{},
			[]int{400, 401, 403, 404, 408, 409, 410, 413, 415, 421, 422, 429, 500, 503}, s.synthesize},
		{"POST", "/v1/explain", keyed, true, "Give the exact output distributions of words.", ExplainRequest{}, ExplainResponse{},
			[]int{400, 401, 403, 408, 413, 415, 421, 422, 429, 500, 503}, s.explain},
		{"GET", "/v1/mechanisms", keyed, false, "List the catalogue: guarantee, standing, paper.", nil, MechanismsResponse{},
			[]int{401, 403, 421}, s.mechanisms},
		{"GET", "/v1/accounts/{id...}", keyed, true, "Show an account: granted, spent, left.", nil, accountResponse{},
			[]int{400, 401, 403, 404, 421, 429, 503}, s.account},
		{"GET", "/openapi.json", public, false, "Describe this interface.", nil, nil, nil, s.describeSelf},
		{"GET", "/healthz", public, false, "Report that the process runs.", nil, Health{}, nil, s.healthz},
		{"GET", "/readyz", public, false, "Report whether requests can be answered.", nil, Health{}, []int{503}, s.readyz},
		{"GET", "/metrics", admins, false, "Counters for Prometheus; they hold no text.", nil, nil, []int{401, 403, 421}, s.showMetrics},
	}, s.page...)
}

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

func (s *Server) mux() http.Handler {
	mux := http.NewServeMux()
	var crossOrigin http.CrossOriginProtection
	for _, r := range s.routes() {
		mux.HandleFunc(r.method+" "+r.pattern, func(w http.ResponseWriter, q *http.Request) {
			s.serve(w, q, r.method+" "+r.pattern, func(e *exchange, q *http.Request) error {
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
					if r.access == admins && k.role != Admin {
						return problem(http.StatusForbidden, "not-permitted", "this needs a key with the role admin")
					}
				}
				if r.bounded {
					release, err := s.admit(e, q, r.request != nil)
					if err != nil {
						return err
					}
					defer release()
				}
				return r.handle(e, q, e)
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
		if prefix, open := strings.CutSuffix(known.pattern, "{id...}"); strings.TrimSuffix(known.pattern, "{$}") == r.URL.Path || open && strings.HasPrefix(r.URL.Path, prefix) && path.Clean(r.URL.Path) == r.URL.Path {
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
	h.Set("X-Request-Id", e.id)
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
