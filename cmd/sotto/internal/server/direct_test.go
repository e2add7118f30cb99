package server_test

import (
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/server"
)

// Without keys every client is an administrator, so whoever reaches a proxy in front
// would be one.
func TestDirectRefusesProxiesWithoutKeys(t *testing.T) {
	r := start(t, server.Config{Playground: true})
	asks := map[string]func(header ...string) reply{
		"/v1/rewrite":    func(h ...string) reply { return r.rewrite(`{"texts":["a"],"epsilon":8}`, h...) },
		"/v1/explain":    func(h ...string) reply { return r.ask("POST", "/v1/explain", `{"words":["a"],"epsilon":8}`, h...) },
		"/v1/read":       func(h ...string) reply { return r.ask("POST", "/v1/read", `{"texts":["a"],"epsilon":8}`, h...) },
		"/v1/figures":    func(h ...string) reply { return r.ask("POST", "/v1/figures", `{"epsilon":8}`, h...) },
		"/v1/mechanisms": func(h ...string) reply { return r.ask("GET", "/v1/mechanisms", "", h...) },
		"/v1/playground": func(h ...string) reply { return r.ask("GET", "/v1/playground", "", h...) },
		"/metrics":       func(h ...string) reply { return r.ask("GET", "/metrics", "", h...) },
	}
	for path, ask := range asks {
		ask().want(t, 200, "")
		for _, name := range []string{"Forwarded", "Via", "X-Real-IP", "X-Forwarded-For", "x-forwarded-proto", "X-Forwarded-Anything", "CF-Connecting-IP", "True-Client-IP",
			"CF-Ray", "X-Azure-ClientIP", "X-Amzn-Trace-Id", "X-Envoy-External-Address", "X-Original-Host", "Fastly-Client-IP", "CloudFront-Viewer-Address", "CDN-Loop"} {
			if a := ask(name, "1.1 proxy").want(t, 403, "forwarded"); !strings.Contains(a.body, "keys") {
				t.Errorf("%s: %s says not what to do: %s", path, name, a.body)
			}
			ask(name, "").want(t, 403, "forwarded")
		}
	}
	// nginx by default adds no header, speaks HTTP/1.0 and sends its upstream's address
	// as Host.
	c := r.dial()
	c.send("GET /metrics HTTP/1.0\r\nHost: %s\r\n\r\n", r.addr)
	if got := c.rest(); !strings.HasPrefix(got, "HTTP/1.0 403 ") || !strings.Contains(got, `"forwarded"`) {
		t.Errorf("HTTP/1.0 got %.200q", got)
	}
	r.ask("GET", "/healthz", "", "Via", "1.1 proxy").want(t, 200, "")
}

func TestDirectAcceptsProxiesWithKeys(t *testing.T) {
	keys, _, admin := newKeys(t)
	r := start(t, server.Config{Keys: keys})
	r.ask("GET", "/v1/mechanisms", "", "Authorization", "Bearer "+admin, "X-Forwarded-For", "192.0.2.1", "Via", "1.1 proxy").want(t, 200, "")
}

func TestDecodeRefusesEmptyNames(t *testing.T) {
	r := start(t, server.Config{Ledger: newBudgets(t, map[string]string{"alice": "100"})})
	const paid = `{"texts":["a"],"epsilon":1,"account":"alice"}`
	for _, key := range []string{"", " ", "0b9f6a2e", strings.Repeat("k", 21), strings.Repeat("k", 256), strings.Repeat("k", 21) + "é"} {
		a := r.rewrite(paid, "Idempotency-Key", key).want(t, 400, "invalid-parameter")
		if !strings.Contains(a.body, `"idempotency key"`) || !strings.Contains(a.body, "22 to 255") {
			t.Errorf("%d characters: %s", len(key), a.body)
		}
		if key == "" {
			continue
		}
		scoped := strings.Replace(paid, `"account"`, `"scope":"`+key+`","account"`, 1)
		if a := r.rewrite(scoped).want(t, 400, "invalid-parameter"); !strings.Contains(a.body, "22 to 255") {
			t.Errorf("a scope of %d characters: %s", len(key), a.body)
		}
	}
	c := r.dial()
	c.send("POST /v1/rewrite HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: %d\r\nIdempotency-Key: %s\r\nIdempotency-Key: %s\r\n\r\n%s",
		len(paid), uuid, uuid, paid)
	if got := c.rest(); !strings.HasPrefix(got, "HTTP/1.1 400 ") {
		t.Errorf("two keys got %.200q", got)
	}
	// An empty account would be an uncharged draw.
	r.rewrite(`{"texts":["a"],"epsilon":1,"account":""}`).want(t, 400, "malformed")
	r.rewrite(`{"texts":["a"],"epsilon":1,"account":"alice","scope":""}`).want(t, 400, "malformed")
	if a := accountOf(t, r, "alice"); a.Charges != 0 {
		t.Errorf("refused requests left %+v", a)
	}
	r.rewrite(paid, "Idempotency-Key", strings.Repeat("k", 22)).want(t, 200, "")
}
