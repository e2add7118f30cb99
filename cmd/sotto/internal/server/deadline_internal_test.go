package server

import (
	"context"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/gate"
	"github.com/sotto-dp/sotto/ledger"
	"github.com/sotto-dp/sotto/ledger/sqlite"
)

// hanging is a store that at some time stops to answer.
type hanging struct {
	ledger.Store
	hangs atomic.Bool
	ended chan struct{} // the test does not wait
}

func (h *hanging) hang(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-h.ended:
		return context.Canceled
	}
}

func (h *hanging) Update(ctx context.Context, f func(ledger.Tx) error) error {
	if h.hangs.Load() {
		return h.hang(ctx)
	}
	return h.Store.Update(ctx, f)
}

func (h *hanging) View(ctx context.Context, f func(ledger.View) error) error {
	if h.hangs.Load() {
		return h.hang(ctx)
	}
	return h.Store.View(ctx, f)
}

// Every route answers before its connection is closed, whatever it waits for, and only
// where a charge may have been made does the answer mention charges.
func TestEveryRequestIsAnsweredInTime(t *testing.T) {
	store, err := sqlite.Open(t.Context(), sqlite.Config{Path: filepath.Join(t.TempDir(), "budgets.db"), Create: true})
	if err != nil {
		t.Fatal(err)
	}
	h := &hanging{Store: store, ended: make(chan struct{})}
	end := sync.OnceFunc(func() { close(h.ended) })
	time.AfterFunc(time.Minute, end)
	l, err := ledger.Open(t.Context(), ledger.Config{Store: h})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	defer end() // a charge would wait for it
	for _, account := range []string{"alice", "records"} {
		if _, err := l.Grant(t.Context(), ledger.Grant{Account: account, Amount: ledger.Amount{Epsilon: 1000e9}}); err != nil {
			t.Fatal(err)
		}
	}
	s, err := New(Config{Ledger: l, Playground: true, Limits: gate.Limits{OpenWait: 50 * time.Second}})
	if err != nil {
		t.Fatal(err)
	}
	const words, texts = `"epsilon":8`, `"texts":["my doctor"],"epsilon":8`
	corpus := `"records":[{"text":"late","labels":["a"]}],"by":[{"name":"n","values":["a","b"]}],"epsilon":8,"expect":1`
	// What each route reads of the ledger: charges something, reads it, or neither.
	asks := map[string][]struct{ path, body, uses string }{
		"POST /v1/rewrite": {
			{"/v1/rewrite", `{` + texts + `}`, ""}, {"/v1/rewrite", `{` + texts + `,"account":"alice"}`, "charges"},
			{"/v1/rewrite", `{` + texts + `,"account":"alice","scope":"0123456789abcdef0123456789"}`, "charges"},
		},
		"POST /v1/cost":            {{"/v1/cost", `{"fast":true,` + texts + `}`, ""}, {"/v1/cost", `{"fast":true,` + texts + `,"account":"alice"}`, "reads"}},
		"POST /v1/synthesize":      {{"/v1/synthesize", `{` + corpus + `}`, ""}, {"/v1/synthesize", `{` + corpus + `,"account":"records"}`, "charges"}},
		"POST /v1/explain":         {{"/v1/explain", `{"words":["river"],` + words + `}`, ""}},
		"GET /v1/mechanisms":       {{"/v1/mechanisms", "", ""}},
		"GET /v1/accounts/{id...}": {{"/v1/accounts/alice", "", "reads"}},
		"GET /openapi.json":        {{"/openapi.json", "", ""}},
		"GET /healthz":             {{"/healthz", "", ""}},
		"GET /readyz":              {{"/readyz", "", "itself"}},
		"GET /metrics":             {{"/metrics", "", ""}},
		"GET /v1/playground":       {{"/v1/playground", "", ""}},
		"POST /v1/read":            {{"/v1/read", `{` + texts + `}`, ""}},
		"POST /v1/figures":         {{"/v1/figures", `{` + words + `}`, ""}},
		"GET /{$}":                 {{"/", "", ""}},
	}
	ask := func(method, path, body string) *httptest.ResponseRecorder {
		q := httptest.NewRequest(method, "http://localhost"+path, strings.NewReader(body))
		q.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		s.Handler().ServeHTTP(w, q)
		return w
	}
	var routes []gate.Route
	for _, r := range s.routes() {
		if r.Summary == "" {
			continue
		}
		routes = append(routes, r)
		name := r.Method + " " + r.Pattern
		if len(asks[name]) == 0 {
			t.Errorf("%s: add what it is asked for", name)
		}
		for _, c := range asks[name] {
			if w := ask(r.Method, c.path, c.body); w.Code != 200 {
				t.Errorf("%s %s: %d %.300s", name, c.body, w.Code, w.Body)
			}
		}
	}
	h.hangs.Store(true)
	s.gate.Limits.WriteTime = 1500 * time.Millisecond
	var waiting sync.WaitGroup
	for _, r := range routes {
		for _, c := range asks[r.Method+" "+r.Pattern] {
			waiting.Go(func() {
				began := time.Now()
				w := ask(r.Method, c.path, c.body)
				took, said := time.Since(began), w.Body.String()
				switch {
				case c.uses == "" && w.Code != 200, c.uses != "" && w.Code != 503,
					strings.Contains(said, "charge") != (c.uses == "charges") && w.Code == 503,
					(c.uses == "charges" || c.uses == "reads") && (!strings.Contains(said, `"ledger-unavailable"`) || w.Header().Get("Retry-After") == ""):
					t.Errorf("%s %s: %d %.400s", r.Pattern, c.body, w.Code, said)
				case c.uses != "" && took > s.gate.Limits.WriteTime:
					t.Errorf("%s takes %v", r.Pattern, took)
				}
			})
		}
	}
	waiting.Wait()
}
