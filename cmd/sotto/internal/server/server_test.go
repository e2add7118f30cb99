package server_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/server"
	"github.com/sotto-dp/sotto/ledger"
	"github.com/sotto-dp/sotto/ledger/sqlite"
)

// running is a server on loopback.
type running struct {
	t    *testing.T
	addr string
	log  *lockedBuffer
	stop context.CancelFunc
	done chan error

	describes func() document
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func start(t *testing.T, cfg server.Config) *running {
	t.Helper()
	r := &running{t: t, log: &lockedBuffer{}, done: make(chan error, 1)}
	cfg.Log = slog.New(slog.NewJSONHandler(r.log, nil))
	if cfg.Limits.OpenWait == 0 { // a busy machine may take longer than the default
		cfg.Limits.OpenWait = 50 * time.Second
	}
	s, err := server.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r.addr, r.describes = listener.Addr().String(), sync.OnceValue(func() document { return parseDocument(t, server.Document(s)) })
	ctx, cancel := context.WithCancel(context.Background())
	r.stop = cancel
	go func() { r.done <- s.Serve(ctx, listener, nil) }()
	t.Cleanup(func() { r.shut() })
	return r
}

// shut stops the server and waits for it.
func (r *running) shut() {
	r.t.Helper()
	r.stop()
	select {
	case err := <-r.done:
		r.done <- err
		if err != nil {
			r.t.Errorf("the server ended with %v", err)
		}
	case <-time.After(20 * time.Second):
		r.t.Fatal("the server did not stop")
	}
}

// openBudgets opens a ledger in a file, with an account per name.
func openBudgets(t *testing.T, path string, grants map[string]string) *ledger.Ledger {
	t.Helper()
	store, err := sqlite.Open(t.Context(), sqlite.Config{Path: path, Create: true})
	if err != nil {
		t.Fatal(err)
	}
	return budgetsOver(t, store, grants)
}

// budgetsOver opens a ledger over a store, with an account per name.
func budgetsOver(t *testing.T, store ledger.Store, grants map[string]string) *ledger.Ledger {
	t.Helper()
	l, err := ledger.Open(t.Context(), ledger.Config{Store: store})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	for account, epsilon := range grants {
		grant(t, l, account, epsilon)
	}
	return l
}

func grant(t *testing.T, l *ledger.Ledger, account, epsilon string) {
	t.Helper()
	amount, err := ledger.ParseLimit(epsilon, "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.Grant(t.Context(), ledger.Grant{Account: account, Amount: amount}); err != nil {
		t.Fatal(err)
	}
}

func newBudgets(t *testing.T, grants map[string]string) *ledger.Ledger {
	return openBudgets(t, filepath.Join(t.TempDir(), "budgets.db"), grants)
}

type reply struct {
	status int
	header http.Header
	body   string
}

// kind returns the type of a problem document, "" for other replies.
func (a reply) kind() string {
	var p struct{ Type string }
	if a.header.Get("Content-Type") == "application/problem+json" {
		_ = json.Unmarshal([]byte(a.body), &p)
	}
	return p.Type
}

// ask sends one request; header lists names and values alternately.
func (r *running) ask(method, path, body string, header ...string) reply {
	r.t.Helper()
	q, err := http.NewRequest(method, "http://"+r.addr+path, strings.NewReader(body))
	if err != nil {
		r.t.Fatal(err)
	}
	if body != "" {
		q.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(header); i += 2 {
		q.Header.Set(header[i], header[i+1])
		if header[i] == "Host" {
			q.Host = header[i+1]
		}
	}
	a, err := http.DefaultTransport.RoundTrip(q)
	if err != nil {
		r.t.Fatal(err)
	}
	defer a.Body.Close()
	data, err := io.ReadAll(a.Body)
	if err != nil {
		r.t.Fatal(err)
	}
	got := reply{a.StatusCode, a.Header, string(data)}
	if err := r.describes().admits(method, path, got); err != nil {
		r.t.Errorf("%s %s: %v", method, path, err)
	}
	return got
}

func (r *running) rewrite(body string, header ...string) reply {
	r.t.Helper()
	return r.ask("POST", "/v1/rewrite", body, header...)
}

// want checks a reply's status and kind of problem.
func (a reply) want(t *testing.T, status int, kind string) reply {
	t.Helper()
	if a.status != status || a.kind() != kind {
		t.Errorf("got %d %q, want %d %q: %.300s", a.status, a.kind(), status, kind, a.body)
	}
	return a
}

type rewritten struct {
	Results []struct{ Text, Error *string }
	Claim   struct {
		Unit    string
		Notion  string
		Epsilon float64
	}
	Tokens  int
	Draws   int
	Receipt *struct {
		Account         string
		Charge          int64
		Cost, Remaining struct{ Epsilon float64 }
	}
	Statement *struct{ Randomness string }
}

func (a reply) rewritten(t *testing.T) (r rewritten) {
	t.Helper()
	a.want(t, 200, "")
	if err := json.Unmarshal([]byte(a.body), &r); err != nil {
		t.Fatal(err)
	}
	return r
}
