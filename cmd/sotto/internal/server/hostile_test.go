package server_test

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/server"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/gate"
)

// A tenant that sends as many requests as it likes, none of which ends, changes no answer
// of another tenant, nor that of a probe.
func TestHostileTenantBlocksNobody(t *testing.T) {
	const body = 64 << 10
	head := func(path, key string, length int) string {
		return fmt.Sprintf("POST %s HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n", path, key, length)
	}
	const explained = `{"words":["river"],"epsilon":8,"top":0}`
	for name, c := range map[string]struct {
		connections int
		request     func(key string) string
	}{
		"headers without bodies": {300, func(key string) string { return head("/v1/rewrite", key, 100) }},
		"bodies without their last byte": {300, func(key string) string {
			return head("/v1/rewrite", key, body) + `{"texts":["` + strings.Repeat("a", body-12)
		}},
		"answers that nobody reads": {12, func(key string) string {
			return strings.Repeat(head("/v1/explain", key, len(explained))+explained, 20)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			keys, hostile, other := newKeys(t)
			r := start(t, server.Config{Keys: keys, Ledger: newBudgets(t, map[string]string{"alice": "1000"}), Limits: gate.Limits{
				Requests: 8, Memory: 32 << 20, Body: body, BodyTime: time.Hour, WriteTime: time.Hour, StopTime: time.Millisecond,
			}})
			rewrite := func(key string) reply {
				return r.rewrite(`{"texts":["my doctor"],"epsilon":1,"account":"alice"}`, "Authorization", "Bearer "+key)
			}
			rewrite(other).want(t, 200, "") // opens the mechanism
			for range c.connections {
				d := r.dial()
				if tcp, ok := d.c.(*net.TCPConn); ok {
					_ = tcp.SetReadBuffer(4096)
				}
				go d.send("%s", c.request(hostile))
			}
			r.eventually("the tenant is at its limit", func() bool {
				return strings.Contains(r.ask("GET", "/metrics", "", "Authorization", "Bearer "+other).body, `sotto_problems_total{type="too-many-requests"}`)
			})
			for range 20 {
				rewrite(other).want(t, 200, "")
				r.ask("GET", "/v1/accounts/alice", "", "Authorization", "Bearer "+other).want(t, 200, "")
				r.ask("GET", "/readyz", "").want(t, 200, "")
			}
			http.DefaultTransport.(*http.Transport).CloseIdleConnections()
			r.abandon()
		})
	}
}

// A request whose body has not arrived holds no connection that another needs.
func TestConnectionsThatWaitForABodyBlockNobody(t *testing.T) {
	keys, hostile, _ := newKeys(t)
	r := crowded(t, 8, func(cfg *server.Config) { cfg.Keys, cfg.Limits.StopTime = keys, time.Millisecond })
	for range 24 {
		d := r.dial()
		d.send("POST /v1/rewrite HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{", hostile)
	}
	for range 8 {
		d := r.dial()
		d.send("%s", health)
		a, err := http.ReadResponse(bufio.NewReader(d.c), nil)
		if err != nil || a.StatusCode != 200 {
			t.Fatalf("a client gets %v (%v)", a, err)
		}
		_ = a.Body.Close()
	}
	r.abandon()
}

// abandon stops a server whose requests would last.
func (r *running) abandon() {
	r.stop()
	<-r.done
	r.done <- nil
}
