package server_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/server"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/gate"
	"github.com/sotto-dp/sotto/ledger"
	"github.com/sotto-dp/sotto/ledger/sqlite"
)

// The server's own timeouts for idle connections must not help these tests.
func crowded(t *testing.T, most int, more func(*server.Config)) *running {
	cfg := server.Config{Limits: gate.Limits{Connections: most, HeaderTime: time.Hour, BodyTime: time.Hour, IdleTime: time.Hour, WriteTime: time.Hour, StopTime: 15 * time.Second}}
	if more != nil {
		more(&cfg)
	}
	return start(t, cfg)
}

// answered sends a request on a connection and reads the answer.
func (d *dialled) answered(request string) string {
	d.t.Helper()
	d.send("%s", request)
	a, err := http.ReadResponse(bufio.NewReader(d.c), nil)
	if err != nil {
		return fmt.Sprint(err)
	}
	defer a.Body.Close()
	_, _ = io.Copy(io.Discard, a.Body)
	return a.Status
}

const health = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"

// A page of the server that is many times larger than what the system buffers for a
// client that does not read.
func asset(t *testing.T, r *running) string {
	t.Helper()
	page := r.ask("GET", "/", "").body
	at := strings.Index(page, "/assets/")
	if at < 0 {
		t.Fatal("the page names no file")
	}
	return page[at : at+strings.IndexByte(page[at:], '"')]
}

func TestIdleConnectionsBlockNobody(t *testing.T) {
	const most = 8
	for name, occupy := range map[string]func(d *dialled, asset string){
		"nothing sent":     func(*dialled, string) {},
		"half a header":    func(d *dialled, _ string) { d.send("GET /healthz HTTP/1.1\r\nHost: local") },
		"kept after a use": func(d *dialled, _ string) { d.answered(health) },
		"answers not taken": func(d *dialled, asset string) {
			go d.send("%s", strings.Repeat("GET "+asset+" HTTP/1.1\r\nHost: localhost\r\n\r\n", 1000))
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := crowded(t, most, func(cfg *server.Config) { cfg.Playground = true })
			large := asset(t, r)
			for range 3 * most {
				occupy(r.dial(), large)
			}
			for range most {
				if got := r.dial().answered(health); got != "200 OK" {
					t.Fatalf("beside them a client gets %s", got)
				}
			}
			http.DefaultTransport.(*http.Transport).CloseIdleConnections()
		})
	}
}

// gated is a store whose readers wait until they are let in, once it is shut.
type gated struct {
	ledger.Store
	read  atomic.Int64
	shut  atomic.Bool
	waits chan struct{} // a reader waits
	enter chan struct{} // closed: readers are let in
}

func (g *gated) View(ctx context.Context, f func(ledger.View) error) error {
	defer g.read.Add(1)
	if !g.shut.Load() {
		return g.Store.View(ctx, f)
	}
	g.waits <- struct{}{}
	select {
	case <-g.enter:
		return g.Store.View(ctx, f)
	case <-ctx.Done():
		return ctx.Err()
	}
}

func TestConnectionsInUseAreNotClosedForAnother(t *testing.T) {
	store, err := sqlite.Open(t.Context(), sqlite.Config{Path: filepath.Join(t.TempDir(), "budgets.db"), Create: true})
	if err != nil {
		t.Fatal(err)
	}
	g := &gated{Store: store, waits: make(chan struct{}, 100), enter: make(chan struct{})}
	l := budgetsOver(t, g, map[string]string{"alice": "1"})
	before := g.read.Load()
	r := crowded(t, 4, func(cfg *server.Config) { cfg.Ledger = l })
	r.eventually("the service has looked for accounts", func() bool { return g.read.Load() > before })
	g.shut.Store(true)
	busy := r.dial()
	busy.send("GET /v1/accounts/alice HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
	<-g.waits
	for range 20 {
		if got := r.dial().answered(health); got != "200 OK" {
			t.Fatalf("a client gets %s", got)
		}
	}
	close(g.enter)
	if got := busy.rest(); !strings.HasPrefix(got, "HTTP/1.1 200 ") {
		t.Errorf("the request at work got %.100q", got)
	}
}
