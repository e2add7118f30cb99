package server_test

import (
	"context"
	"fmt"
	"github.com/sotto-dp/sotto/internal/stage"
	"io"
	"net"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/server"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/gate"
)

// dialled is a connection on which the test writes HTTP itself.
type dialled struct {
	t *testing.T
	c net.Conn
}

func (r *running) dial() *dialled {
	r.t.Helper()
	c, err := net.Dial("tcp", r.addr)
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { _ = c.Close() })
	_ = c.SetDeadline(time.Now().Add(20 * time.Second))
	return &dialled{r.t, c}
}

// send ignores errors: the server may close while a client still sends.
func (d *dialled) send(format string, args ...any) { _, _ = fmt.Fprintf(d.c, format, args...) }

// rest reads until the server closes, because the request asked for it or was refused.
func (d *dialled) rest() string {
	got, _ := io.ReadAll(d.c)
	return string(got)
}

func (d *dialled) close() { _ = d.c.Close() }

// admitted waits until the server reads the body of a request that was sent with
// "Expect: 100-continue": by then the request has its place.
func (d *dialled) admitted() {
	d.t.Helper()
	const answer = "HTTP/1.1 100 Continue\r\n\r\n"
	got := make([]byte, len(answer))
	if n, err := io.ReadFull(d.c, got); string(got) != answer {
		d.t.Fatalf("got %q (%v), want %q", got[:n], err, answer)
	}
}

func (r *running) alive() {
	r.t.Helper()
	r.rewrite(`{"texts":["my doctor"],"epsilon":8}`).want(r.t, 200, "")
}

func TestHostileBodies(t *testing.T) {
	r := start(t, server.Config{Limits: gate.Limits{Body: 1 << 20, Text: 1 << 20}})
	long := strings.Repeat("a", 1<<20-100)
	for _, c := range []struct {
		name, body string
		status     int
		kind       string
	}{
		{"beyond the bound", `{"texts":["` + strings.Repeat("a", 1<<20) + `"],"epsilon":8}`, 413, "too-large"},
		{"one token of 1 MB", `{"texts":["` + long + `"],"epsilon":8}`, 200, ""},
		{"controls", `{"texts":["\u0000\u0001\u001b[2J\u007f a\u202e b"],"epsilon":8}`, 200, ""},
		{"a raw control", "{\"texts\":[\"\x00\"],\"epsilon\":8}", 400, "malformed"},
		{"half a surrogate", `{"texts":["\ud800"],"epsilon":8}`, 200, ""},
		{"deep arrays", `{"texts":` + strings.Repeat("[", 100000) + strings.Repeat("]", 100000) + `}`, 400, "malformed"},
		{"deep objects in an unknown field", `{"x":` + strings.Repeat(`{"x":`, 50000) + `1` + strings.Repeat("}", 50000) + `}`, 400, "malformed"},
		{"not UTF-8", "{\"texts\":[\"\xff\xfe\"],\"epsilon\":8}", 400, "malformed"},
		{"not JSON", `texts`, 400, "malformed"},
		{"cut JSON", `{"texts":["a"`, 400, "malformed"},
		{"two documents", `{"texts":["a"],"epsilon":8}{}`, 400, "malformed"},
		{"an unknown field", `{"texts":["a"],"epsilon":8,"nosuch":1}`, 400, "malformed"},
		{"a text that is a number", `{"texts":[1],"epsilon":8}`, 400, "malformed"},
		{"an epsilon that is a text", `{"texts":["a"],"epsilon":"8"}`, 400, "malformed"},
		{"an epsilon beyond numbers", `{"texts":["a"],"epsilon":1e999}`, 400, "malformed"},
		{"null", `null`, 400, "malformed"},
		{"too many texts", `{"texts":[` + strings.Repeat(`"",`, 10000) + `""],"epsilon":8}`, 400, "invalid-parameter"},
		{"a long parameter", `{"texts":["a"],"epsilon":8,"parameters":{"neighbours":"` + strings.Repeat("1", 1000) + `"}}`, 400, "invalid-parameter"},
	} {
		t.Run(c.name, func(t *testing.T) { r.rewrite(c.body).want(t, c.status, c.kind) })
	}
	r.alive()
}

func TestRewriteTakesATokenOf10MBAndRefusesALargerOne(t *testing.T) {
	stage.Unraced(t)
	token := strings.Repeat("a", 10<<20)
	r := start(t, server.Config{Limits: gate.Limits{Body: 12 << 20, Text: 11 << 20}})
	if a := r.rewrite(`{"texts":["` + token + `"],"epsilon":8}`).rewritten(t); a.Tokens != 1 || len(*a.Results[0].Text) > 100 {
		t.Errorf("%d tokens", a.Tokens)
	}
	r.rewrite(`{"texts":["`+token+token+`"],"epsilon":8}`).want(t, 413, "too-large")
	r.alive()
	r = start(t, server.Config{Limits: gate.Limits{Body: 12 << 20}})
	a := r.rewrite(`{"texts":["` + token + `","my doctor"],"epsilon":8}`).rewritten(t)
	if a.Results[0].Error == nil || a.Results[1].Text == nil || a.Tokens != 2 {
		t.Errorf("%+v", a)
	}
}

// Clients send a gigabyte each, announced or in chunks, deep JSON without end, or headers
// without end or one byte at a time. Together they make the server hold little more than
// its bounds.
func TestHostileClientsTogetherFindBoundedMemory(t *testing.T) {
	r := start(t, server.Config{Limits: gate.Limits{Body: 1 << 20, Memory: 64 << 20, BodyTime: time.Second, HeaderTime: 500 * time.Millisecond}})
	r.alive() // the table is loaded
	const head = "POST /v1/rewrite HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
	piece := strings.Repeat("[", 1<<16)
	kinds := []struct{ first, more string }{
		{head + "Content-Length: 1073741824\r\n\r\n", piece},
		{head + "Transfer-Encoding: chunked\r\n\r\n", "10000\r\n" + piece + "\r\n"},
		{head + "Content-Length: 1048000\r\n\r\n" + `{"texts":["`, strings.Repeat("a", 1<<12)},
		{head, "X-Flood: " + strings.Repeat("h", 1<<10) + "\r\n"},
		{head + "Content-Length: 1000000\r\n\r\n", "["},
	}
	base := heap()
	most := base
	var wait sync.WaitGroup
	for i := range 100 {
		wait.Go(func() {
			c, err := net.Dial("tcp", r.addr)
			if err != nil {
				t.Error(err)
				return
			}
			defer c.Close()
			_ = c.SetDeadline(time.Now().Add(20 * time.Second))
			k := kinds[i%len(kinds)]
			_, err = io.WriteString(c, k.first)
			for sent := 0; err == nil && sent < 1<<30; sent += len(k.more) {
				if _, err = io.WriteString(c, k.more); len(k.more) == 1 {
					time.Sleep(50 * time.Millisecond)
				}
			}
			if err == nil {
				t.Errorf("the server took a gigabyte of kind %d", i%len(kinds))
			}
		})
	}
	done := make(chan struct{})
	go func() {
		wait.Wait()
		close(done)
	}()
	for over := false; !over; {
		select {
		case <-done:
			over = true
		case <-time.After(20 * time.Millisecond):
		}
		most = max(most, heap())
	}
	// Requests may hold 64 MiB, and the collector lets garbage stay until the heap has
	// doubled. There are 100 connections with their buffers.
	if limit := 2*(base+64<<20) + 16<<20; most > limit {
		t.Errorf("the heap grew from %d to %d MiB, want at most %d", base>>20, most>>20, limit>>20)
	}
	r.alive()
}

func heap() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapInuse
}

func TestBodyWithoutEndIsCutAtTheBound(t *testing.T) {
	r := start(t, server.Config{Limits: gate.Limits{Body: 1 << 16}})
	c := r.dial()
	c.send("POST /v1/rewrite HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n")
	for range 20 {
		c.send("1000\r\n%s\r\n", strings.Repeat("[", 0x1000))
	}
	if got := c.answered(""); !strings.HasPrefix(got, "413 ") {
		t.Errorf("got %q", got)
	}
	c = r.dial()
	c.send("POST /v1/rewrite HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000000000\r\nConnection: close\r\n\r\n%s", strings.Repeat(" ", 1<<17))
	if got := c.answered(""); !strings.HasPrefix(got, "413 ") {
		t.Errorf("a gigabyte announced got %q", got)
	}
	r.alive()
}

func TestSlowClientsAreLeft(t *testing.T) {
	const post = "POST /v1/rewrite HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
	const body = `{"texts":["my doctor"],"epsilon":8}`
	for name, c := range map[string]struct {
		limits        gate.Limits
		sent, answers string
	}{
		"header": {gate.Limits{HeaderTime: 150 * time.Millisecond}, "POST /v1/rewrite HTTP/1.1\r\nHost: localhost\r\nX-Slow: ", ""},
		"body":   {gate.Limits{BodyTime: 300 * time.Millisecond}, post + "Content-Length: 100\r\n\r\n{", "HTTP/1.1 408 "},
	} {
		r := start(t, server.Config{Limits: c.limits})
		// On a busy machine a client may be slow by itself, so it tries again.
		r.eventually("a slow "+name+" is answered and left", func() bool {
			slow := r.dial()
			slow.send("%s", c.sent)
			got, err := io.ReadAll(slow.c) // ends when the server closes; the deadline is much later
			return err == nil && strings.HasPrefix(string(got), c.answers)
		})
		r.eventually("another client is answered", func() bool {
			return r.dial().answered(fmt.Sprintf("%sContent-Length: %d\r\n\r\n%s", post, len(body), body)) == "200 OK"
		})
	}
}

func TestHeaderFloodsAreRefused(t *testing.T) {
	r := start(t, server.Config{Limits: gate.Limits{Headers: 4 << 10}})
	c := r.dial()
	c.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\n")
	for i := range 5000 {
		c.send("X-%d: %s\r\n", i, strings.Repeat("h", 100))
	}
	c.send("\r\n")
	if got := c.rest(); got != "" && !strings.HasPrefix(got, "HTTP/1.1 431 ") { // or the connection was reset first
		t.Errorf("got %.100q", got)
	}
	r.alive()
}

func TestPathTricksFindNothingAndAreNotRepeated(t *testing.T) {
	r := start(t, server.Config{Ledger: newBudgets(t, map[string]string{"alice": "1"})})
	for _, path := range []string{
		"/marker", "//v1//rewrite/marker", "/v1/accounts/../../marker", "/v1/accounts/%2e%2e/%2e%2e/marker", "/v1/accounts/..%2f..%2fmarker",
		"/v1/accounts/marker%00", "/v1/accounts/marker%0d%0aX-Marker:%20marker", "/v1/accounts/" + strings.Repeat("marker", 500), "/v1/accounts/", "/v1/rewrite/marker",
		"/v1/accounts/marker?marker=1;marker", "/openapi.json/marker", "/%6darker",
	} {
		c := r.dial()
		c.send("GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", path)
		got := c.rest()
		if !strings.HasPrefix(got, "HTTP/1.1 4") || strings.Contains(strings.ToLower(got), "marker") {
			t.Errorf("%.60s: got %.300q", path, got)
		}
	}
	if log := r.log.String(); strings.Contains(log, "marker") {
		t.Errorf("the log repeats a path: %s", log)
	}
}

func TestConnectionsAreBounded(t *testing.T) {
	r := start(t, server.Config{Limits: gate.Limits{Connections: 2}})
	one, two, three := r.dial(), r.dial(), r.dial()
	for _, c := range []*dialled{two, three} {
		c.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
		if got := c.rest(); !strings.HasPrefix(got, "HTTP/1.1 200 ") {
			t.Errorf("a later connection got %.100q", got)
		}
	}
	if got := one.rest(); got != "" {
		t.Errorf("the first connection got %q", got)
	}
}

func TestServeEndsAtTheStopTimeout(t *testing.T) {
	s, err := server.New(server.Config{Limits: gate.Limits{BodyTime: time.Hour, StopTime: time.Millisecond}})
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx, listener, nil) }()
	r := &running{t: t, addr: listener.Addr().String()}
	c := r.dial()
	c.send("POST /v1/rewrite HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: 100\r\n\r\n{")
	c.admitted()
	stop()
	// The request would last an hour.
	if err := <-done; err == nil || !strings.Contains(err.Error(), "still in progress") {
		t.Errorf("the server ended with %v", err)
	}
	if got := c.rest(); strings.HasPrefix(got, "HTTP/1.1 200") {
		t.Errorf("the request got %.100q", got)
	}
}
