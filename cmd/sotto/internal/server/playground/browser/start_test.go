// Package browser tests the playground as a user meets it: the real service in a real
// headless Chromium.
package browser

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/server"
	"github.com/sotto-dp/sotto/ledger"
	"github.com/sotto-dp/sotto/ledger/sqlite"
)

// chromium finds the browser, or skips the test.
func chromium(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("NO CHROMIUM: the playground was not tested in a browser (Debian's package is chromium)")
	return ""
}

// visit is one tab on one service, with a record of its events.
type visit struct {
	t      *testing.T
	ctx    context.Context
	origin string
	log    *safeBuffer // of the service

	mu       sync.Mutex
	requests []string // method and URL
	bodies   []string
	noise    []string // console errors, exceptions, policy violations
	refused  bool     // some answers are expected to be errors
}

type safeBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *safeBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *safeBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// open is openAt for words, with the options unfolded.
func open(t *testing.T, cfg server.Config, width, height int64, before ...chromedp.Action[chromedp.Void]) *visit {
	t.Helper()
	v := openAt(t, cfg, "/#word", width, height, before...)
	v.do(chromedp.Evaluate[chromedp.Void](`document.getElementById('options').open = true`))
	return v
}

// openAt starts a service and opens its page in a tab of this size in pixels. At the end no
// request may have left the service, and the console must be empty.
func openAt(t *testing.T, cfg server.Config, path string, width, height int64, before ...chromedp.Action[chromedp.Void]) *visit {
	t.Helper()
	program := chromium(t)
	v := &visit{t: t, log: &safeBuffer{}}
	cfg.Playground, cfg.Log = true, slog.New(slog.NewJSONHandler(v.log, nil))
	s, err := server.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	v.origin = "http://" + listener.Addr().String()
	serving, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Serve(serving, listener, nil) }()

	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(program), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-dev-shm-usage", true), chromedp.WSURLReadTimeout(time.Minute))
	allocator, endAllocator := chromedp.NewExecAllocator(context.Background(), options...)
	tab, endTab := chromedp.NewContext(allocator)
	limited, endTime := context.WithTimeout(tab, 4*time.Minute) // a guard: no test measures time
	v.ctx = limited
	t.Cleanup(func() {
		v.check()
		endTime()
		endTab()
		endAllocator()
		stop()
		if err := <-done; err != nil {
			t.Errorf("the service ended with %v", err)
		}
	})
	if err := chromedp.Listen(tab, v.listen); err != nil {
		t.Fatal(err)
	}
	for _, enable := range []cdp.Command[cdp.Empty, cdp.Empty]{log.Enable, runtime.Enable} {
		if _, err := chromedp.Call(limited, enable, cdp.Empty{}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := chromedp.Call(limited, network.Enable, network.EnableParams{}); err != nil {
		t.Fatal(err)
	}
	v.do(append([]chromedp.Action[chromedp.Void]{chromedp.EmulateViewport(width, height)}, before...)...)
	v.do(chromedp.Navigate(v.origin + path))
	return v
}

func (v *visit) listen(event any) {
	v.mu.Lock()
	defer v.mu.Unlock()
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		v.requests = append(v.requests, e.Request.Method+" "+e.Request.URL)
		if body, err := json.Marshal(e.Request.PostDataEntries); err == nil {
			v.bodies = append(v.bodies, string(body))
		}
	case *runtime.EventConsoleAPICalled:
		v.noise = append(v.noise, fmt.Sprintf("console %s: %v", e.Type, e.Args))
	case *runtime.EventExceptionThrown:
		v.noise = append(v.noise, "exception: "+e.ExceptionDetails.Text)
	case *log.EventEntryAdded:
		v.noise = append(v.noise, fmt.Sprintf("%s: %s", e.Entry.Source, e.Entry.Text))
	}
}

func (v *visit) check() {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, r := range v.requests {
		if _, url, _ := strings.Cut(r, " "); !strings.HasPrefix(url, v.origin+"/") {
			v.t.Errorf("a request left the service: %s", r)
		}
		if strings.Contains(r, "?") {
			v.t.Errorf("a request carries a query: %s", r)
		}
	}
	if len(v.requests) < 4 {
		v.t.Errorf("only %d requests were seen", len(v.requests))
	}
	for _, n := range v.noise {
		if v.refused && strings.HasPrefix(n, string(log.EntrySourceNetwork)+": ") {
			continue
		}
		v.t.Errorf("the console says %s", n)
	}
}

func (v *visit) do(actions ...chromedp.Action[chromedp.Void]) {
	v.t.Helper()
	if err := chromedp.Do(v.ctx, actions...); err != nil {
		v.t.Fatal(err)
	}
}

// value evaluates JavaScript in the page.
func value[T any](v *visit, js string) T {
	v.t.Helper()
	answer, err := chromedp.Run(v.ctx, chromedp.Evaluate[T](js))
	if err != nil {
		v.t.Fatal(err)
	}
	return answer
}

// until waits for JavaScript to be true.
func (v *visit) until(what, js string) {
	v.t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(40 * time.Millisecond) {
		if value[bool](v, "Boolean("+js+")") {
			return
		}
	}
	v.shoot("failed")
	v.t.Fatalf("waited in vain for %s; the page says %.900s", what, value[string](v, `document.body.innerText`))
}

// drawn waits until a private copy and its figures are shown.
func (v *visit) drawn() {
	v.t.Helper()
	v.until("a private copy with figures", `document.querySelectorAll('.word').length > 0 && !document.querySelector('.word.undrawn') && !document.getElementById('main').hasAttribute('aria-busy')`)
}

// budgets opens a ledger with granted epsilons.
func budgets(t *testing.T, grants map[string]string) *ledger.Ledger {
	t.Helper()
	store, err := sqlite.Open(t.Context(), sqlite.Config{Path: filepath.Join(t.TempDir(), "budgets.db"), Create: true})
	if err != nil {
		t.Fatal(err)
	}
	l, err := ledger.Open(t.Context(), ledger.Config{Store: store})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	for account, epsilon := range grants {
		amount, err := ledger.ParseLimit(epsilon, "")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := l.Grant(t.Context(), ledger.Grant{Account: account, Amount: amount}); err != nil {
			t.Fatal(err)
		}
	}
	return l
}
