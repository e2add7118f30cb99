package gate

import (
	"context"
	"log/slog"
	"net/http"
	"path"
	"runtime/debug"
	"slices"
	"time"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/till"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/wire"
)

// Handler answers requests for routes. It is the only one that opens payments.
func (g *Gate) Handler(routes []Route, payments *till.Till) http.Handler {
	mux := http.NewServeMux()
	var crossOrigin http.CrossOriginProtection
	for _, r := range routes {
		mux.HandleFunc(r.Name(), func(w http.ResponseWriter, q *http.Request) {
			g.serve(w, q, r.Name(), func(e *Exchange, q *http.Request) error {
				e.Sized, e.values = r.Request == nil, max(1, r.Values)*g.Limits.Texts+otherValues
				if r.Access != Public {
					if err := crossOrigin.Check(q); err != nil {
						return wire.NewProblem(http.StatusForbidden, "cross-origin", "requests from pages of another origin are refused")
					}
					k, err := g.authenticate(q, e)
					if err != nil {
						return err
					}
					e.Key = k
					q = q.WithContext(withKey(q.Context(), k.name))
					if r.Access == Admins && k.role != Admin {
						return wire.NewProblem(http.StatusForbidden, "not-permitted", "this needs a key with the role admin")
					}
				}
				if r.Place {
					release, err := g.admit(e, q, r.Request != nil)
					if err != nil {
						return err
					}
					defer release()
				}
				if !r.Charges() {
					return r.Handle(e, q)
				}
				key, err := wire.IdempotencyKey(q.Header)
				if err != nil {
					return err
				}
				return r.Charge(e, q, payments.Open(key))
			})
		})
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// The mux would redirect an unclean path and one that lacks its last slash, and so repeat
		// it in a header.
		unknown := !slices.ContainsFunc(routes, func(known Route) bool { return known.matches(r.URL.Path) })
		if _, pattern := mux.Handler(r); pattern == "" || unknown || path.Clean(r.URL.Path) != r.URL.Path {
			g.serve(w, r, "none", func(e *Exchange, r *http.Request) error { return noRoute(routes, e, r) })
			return
		}
		mux.ServeHTTP(w, r)
	})
}

// noRoute distinguishes a wrong path from a wrong method.
func noRoute(routes []Route, w http.ResponseWriter, r *http.Request) error {
	for _, known := range routes {
		if known.matches(r.URL.Path) && path.Clean(r.URL.Path) == r.URL.Path {
			w.Header().Set("Allow", known.Method)
			return wire.NewProblem(http.StatusMethodNotAllowed, "wrong-method", "this path accepts "+known.Method)
		}
	}
	return wire.NewProblem(http.StatusNotFound, "not-found", "no such path: see /openapi.json")
}

// serve runs one exchange: identity, headers, errors, panics, logs and metrics.
func (g *Gate) serve(w http.ResponseWriter, r *http.Request, name string, handle func(*Exchange, *http.Request) error) {
	start := time.Now()
	// The one deadline of every request. The rest of the time is for the answer.
	ctx, cancel := context.WithDeadline(r.Context(), start.Add(g.Limits.WorkTime()))
	defer cancel()
	r = r.WithContext(ctx)
	e := &Exchange{id: newID(), route: name, ResponseWriter: w}
	h := w.Header()
	wire.RequestHeader.Set(w, e.id)
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cross-Origin-Resource-Policy", "same-origin") // a page elsewhere cannot embed a GET
	h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
	g.metrics.inFlight.Inc()
	defer g.metrics.inFlight.Dec()
	err := protect(func() error { return handle(e, r) })
	kind := ""
	if err != nil {
		p := wire.ProblemOf(err)
		kind = p.Type
		if p.Status >= 500 && e.Cause == nil {
			e.Cause = err
		}
		if e.status == 0 {
			p.Write(e, e.id)
		}
	}
	begun := err != nil && e.status < 400
	took := new(time.Duration)
	if *took = time.Since(start); !e.Sized {
		took = nil
	}
	g.metrics.observe(name, e.status, kind, took)
	g.record(r, e, kind, took)
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
func (g *Gate) record(r *http.Request, e *Exchange, kind string, took *time.Duration) {
	attrs := []slog.Attr{slog.String("request", e.id), slog.String("route", e.route), slog.Int("status", e.status)}
	if took != nil {
		attrs = append(attrs, slog.Float64("duration_ms", float64(took.Microseconds())/1000), slog.Int64("bytes_in", max(r.ContentLength, 0)))
	}
	if !e.Private {
		attrs = append(attrs, slog.Int64("bytes_out", e.written))
	}
	if e.Key != nil {
		attrs = append(attrs, slog.String("key", e.Key.name))
	}
	if kind != "" {
		attrs = append(attrs, slog.String("problem", kind))
	}
	attrs = append(attrs, e.note...)
	level := slog.LevelInfo
	if e.status >= 500 {
		level = slog.LevelError
		if e.Cause != nil {
			attrs = append(attrs, slog.String("cause", e.cause()))
		}
		if p, ok := e.Cause.(*panicError); ok {
			attrs = append(attrs, slog.String("stack", string(p.stack)))
		}
	}
	g.log.LogAttrs(r.Context(), level, "request", attrs...)
}
