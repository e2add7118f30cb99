package server_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/server"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/gate"
)

func newKeys(t *testing.T) (keys *gate.Keys, rewriting, admin string) {
	t.Helper()
	rewriting, one, err := gate.NewKey("app", gate.Rewrite, []string{"alice"})
	if err != nil {
		t.Fatal(err)
	}
	admin, two, err := gate.NewKey("ops", gate.Admin, nil)
	if err != nil {
		t.Fatal(err)
	}
	file := "# keys\n\n" + one + "\n" + two + "\n"
	if strings.Contains(file, rewriting) || strings.Contains(file, admin) {
		t.Error("the file holds a key")
	}
	if keys, err = gate.ReadKeys(strings.NewReader(file)); err != nil {
		t.Fatal(err)
	}
	return keys, rewriting, admin
}

func TestKeysHaveTheRightsOfTheirRole(t *testing.T) {
	keys, rewriting, admin := newKeys(t)
	r := start(t, server.Config{Keys: keys, Ledger: newBudgets(t, map[string]string{"alice": "100", "bob": "100"})})
	const alice, bob, nobody = `{"texts":["a"],"epsilon":1,"account":"alice"}`, `{"texts":["a"],"epsilon":1,"account":"bob"}`, `{"texts":["a"],"epsilon":1}`
	for _, wrong := range []string{"", "Bearer", "Bearer sotto_", "Basic " + rewriting, "Bearer " + rewriting + "x", "Bearer " + strings.ToUpper(rewriting), "Bearer a",
		"Bearer " + rewriting[:len(rewriting)-1] + "!"} {
		if a := r.rewrite(alice, "Authorization", wrong).want(t, 401, "unauthorized"); a.header.Get("WWW-Authenticate") == "" {
			t.Error("no challenge")
		}
	}
	as := func(key string) []string {
		return []string{"Authorization", "Bearer " + key, "Host", "service.example"}
	}
	r.rewrite(alice, as(rewriting)...).want(t, 200, "")
	r.rewrite(bob, as(rewriting)...).want(t, 403, "not-permitted")
	r.rewrite(nobody, as(rewriting)...).want(t, 403, "not-permitted")
	r.ask("GET", "/v1/accounts/alice", "", as(rewriting)...).want(t, 200, "")
	r.ask("GET", "/v1/accounts/bob", "", as(rewriting)...).want(t, 403, "not-permitted")
	r.ask("GET", "/v1/accounts/nosuch", "", as(rewriting)...).want(t, 403, "not-permitted")
	r.ask("GET", "/metrics", "", as(rewriting)...).want(t, 403, "not-permitted")
	r.rewrite(bob, as(admin)...).want(t, 200, "")
	r.rewrite(nobody, as(admin)...).want(t, 200, "")
	r.ask("GET", "/metrics", "", as(admin)...).want(t, 200, "")
	r.ask("GET", "/metrics", "").want(t, 401, "unauthorized")
	r.ask("GET", "/healthz", "").want(t, 200, "")
	if log := r.log.String(); strings.Contains(log, "sotto_") || !strings.Contains(log, `"key":"app"`) {
		t.Errorf("the log holds a key, or not its name: %s", log)
	}
}

func TestSetKeysRevokesAtTheNextRequest(t *testing.T) {
	keys, old, _ := newKeys(t)
	s, err := server.New(server.Config{Keys: keys})
	if err != nil {
		t.Fatal(err)
	}
	ask := func(key string) int {
		q := httptest.NewRequest("GET", "/v1/mechanisms", nil)
		q.Header.Set("Authorization", "Bearer "+key)
		w := httptest.NewRecorder()
		s.Handler().ServeHTTP(w, q)
		return w.Code
	}
	others, fresh, _ := newKeys(t)
	if a, b := ask(old), ask(fresh); a != 200 || b != 401 {
		t.Fatalf("before: %d and %d", a, b)
	}
	if err := s.SetKeys(others); err != nil {
		t.Fatal(err)
	}
	if a, b := ask(old), ask(fresh); a != 401 || b != 200 {
		t.Errorf("after: %d and %d", a, b)
	}
	// The last key can be revoked. Then nobody is accepted, and nobody is an
	// administrator.
	none, err := gate.ReadKeys(strings.NewReader(""))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.SetKeys(none); err != nil || ask(old) != 401 || ask(fresh) != 401 || ask("") != 401 {
		t.Errorf("without a key somebody is let in (%v)", err)
	}
	// Authentication is never switched off, nor on for callers of a server on loopback.
	if err := s.SetKeys(nil); err == nil || ask(old) != 401 {
		t.Error("the keys were taken away")
	}
	open, err := server.New(server.Config{})
	if err != nil {
		t.Fatal(err)
	}
	if open.SetKeys(others) == nil {
		t.Error("a server without keys took some")
	}
}

func TestRevokedKeyIsRefusedWhereverItIsListed(t *testing.T) {
	var file string
	secrets := map[string]string{}
	for _, name := range []string{"app", "ops", "web"} {
		secret, line, err := gate.NewKey(name, gate.Admin, nil)
		if err != nil {
			t.Fatal(err)
		}
		secrets[name], file = secret, file+line+"\n"
	}
	// The same key again under another name, before and after its own line.
	again := func(as string) string {
		return strings.Replace(file[:strings.Index(file, "\n")+1], "app ", as+" ", 1)
	}
	file = again("first") + file + again("last")
	file, err := gate.RevokeKey(file, "app")
	if err != nil || strings.Count(file, "revoked=") != 1 {
		t.Fatalf("%v: %s", err, file)
	}
	keys, err := gate.ReadKeys(strings.NewReader(file))
	if err != nil || keys.Len() != 4 {
		t.Fatalf("%v, %d keys", err, keys.Len())
	}
	r := start(t, server.Config{Keys: keys})
	unknown := r.ask("GET", "/metrics", "", "Authorization", "Bearer sotto_"+strings.Repeat("x", 43)).want(t, 401, "unauthorized")
	revoked := r.ask("GET", "/metrics", "", "Authorization", "Bearer "+secrets["app"]).want(t, 401, "unauthorized")
	id := regexp.MustCompile(`"instance":"[^"]*"`)
	if id.ReplaceAllString(unknown.body, "") != id.ReplaceAllString(revoked.body, "") {
		t.Errorf("an unknown key gets %s, a revoked one %s", unknown.body, revoked.body)
	}
	r.ask("GET", "/metrics", "", "Authorization", "Bearer "+secrets["ops"]).want(t, 200, "")
	r.shut()
	if log := r.log.String(); strings.Count(log, `"revoked_key":"app"`) != 1 || strings.Contains(log, "sotto_") {
		t.Errorf("the log is %s", log)
	}
}

func TestSetKeysLogsWhoIsNoLongerAccepted(t *testing.T) {
	_, app, err := gate.NewKey("app", gate.Rewrite, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, ops, err := gate.NewKey("ops", gate.Admin, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, other, err := gate.NewKey("ops", gate.Admin, nil)
	if err != nil {
		t.Fatal(err)
	}
	read := func(file string) *gate.Keys {
		keys, err := gate.ReadKeys(strings.NewReader(file))
		if err != nil {
			t.Fatal(err)
		}
		return keys
	}
	var log bytes.Buffer
	s, err := server.New(server.Config{Keys: read(app + "\n" + ops), Log: slog.New(slog.NewTextHandler(&log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	revoked, err := gate.RevokeKey(app+"\n"+other, "app")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.SetKeys(read(revoked)); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`msg="key no longer accepted" key=app`, `msg="key no longer accepted" key=ops`, `msg="key accepted" key=ops`} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log lacks %s:\n%s", want, log.String())
		}
	}
	if n := strings.Count(log.String(), "\n"); n != 3 {
		t.Errorf("%d lines: %s", n, log.String())
	}
}

func TestReadKeysIsStrict(t *testing.T) {
	_, line, err := gate.NewKey("app", gate.Rewrite, []string{"alice"})
	if err != nil {
		t.Fatal(err)
	}
	for name, file := range map[string]string{
		"a field too few": "app rewrite *", "an unknown role": strings.Replace(line, "rewrite", "root", 1),
		"a short hash": line[:len(line)-2], "one name twice": line + "\n" + line, "no account": strings.Replace(line, "alice", "-", 1),
		"an unknown field": line + " expires=2026-01-31T12:00:00Z", "a wrong time": line + " revoked=yesterday", "no time": line + " revoked=", "two times": line + " " + line[strings.Index(line, "made="):],
	} {
		if _, err := gate.ReadKeys(strings.NewReader(file)); err == nil || strings.Contains(err.Error(), line) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if none, err := gate.ReadKeys(strings.NewReader("# none\n")); err != nil || none.Len() != 0 {
		t.Errorf("an empty file gives %v", err)
	}
	if _, _, err := gate.NewKey("two words", gate.Rewrite, nil); err == nil {
		t.Error("a name with a space was taken")
	}
}

func TestServeWithoutKeysNeedsLoopback(t *testing.T) {
	s, err := server.New(server.Config{})
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "0.0.0.0:0")
	if err != nil {
		t.Skipf("SKIPPED: cannot listen on every address: %v", err)
	}
	if err := s.Serve(t.Context(), listener, nil); err == nil || !strings.Contains(err.Error(), "loopback") {
		t.Errorf("served with %v", err)
	}
}

func TestTLS(t *testing.T) {
	keys, rewriting, _ := newKeys(t)
	s, err := server.New(server.Config{Keys: keys, Ledger: newBudgets(t, map[string]string{"alice": "10"})})
	if err != nil {
		t.Fatal(err)
	}
	// The standard library's test server provides the certificate and a client that
	// trusts it.
	lender := httptest.NewTLSServer(http.NotFoundHandler())
	defer lender.Close()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		done <- s.Serve(ctx, listener, &tls.Config{Certificates: lender.TLS.Certificates, MinVersion: tls.VersionTLS12})
	}()
	client := lender.Client()
	client.Transport.(*http.Transport).ForceAttemptHTTP2 = true
	q, _ := http.NewRequest("POST", "https://"+listener.Addr().String()+"/v1/rewrite", strings.NewReader(`{"texts":["a"],"epsilon":1,"account":"alice"}`))
	q.Header.Set("Authorization", "Bearer "+rewriting)
	q.Header.Set("Content-Type", "application/json")
	a, err := client.Do(q)
	if err != nil {
		t.Fatal(err)
	}
	_ = a.Body.Close()
	if a.StatusCode != 200 || a.ProtoMajor != 2 {
		t.Errorf("%s over %s", a.Status, a.Proto)
	}
	client.CloseIdleConnections()
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
}
