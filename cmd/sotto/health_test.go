package main

import (
	"bytes"
	"encoding/pem"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestHealthSaysWhetherTheServiceIsReady(t *testing.T) {
	ready, live := http.StatusOK, http.StatusOK
	service := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		status := map[string]int{"/readyz": ready, "/healthz": live}[r.URL.Path]
		if status == 0 {
			t.Errorf("asked for %s", r.URL.Path)
			status = http.StatusNotFound
		}
		w.WriteHeader(status)
	})
	plain, secure := httptest.NewServer(service), httptest.NewTLSServer(service)
	defer plain.Close()
	defer secure.Close()
	ca := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(ca, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: secure.Certificate().Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	health := func(c healthCmd) int {
		if c.Timeout == 0 {
			c.Timeout = time.Minute
		}
		var said bytes.Buffer
		code := report(&said, c.Run(t.Context(), nil))
		if (code == 0) != (said.Len() == 0) || bytes.Count(said.Bytes(), []byte("\n")) > 2 {
			t.Errorf("exit code %d with %q", code, said.Bytes())
		}
		return code
	}
	check := func(what string, c healthCmd, want int) {
		t.Helper()
		if got := health(c); got != want {
			t.Errorf("%s: exit code %d, want %d", what, got, want)
		}
	}
	check("a ready service", healthCmd{URL: plain.URL}, 0)
	check("over TLS", healthCmd{URL: secure.URL, CA: ca}, 0)
	check("over TLS from nobody known", healthCmd{URL: secure.URL}, exitFailed)
	check("a file without a certificate", healthCmd{URL: secure.URL, CA: os.Args[0]}, exitFailed)
	check("no address", healthCmd{URL: "localhost:8080"}, exitUsage)
	check("a password in the address", healthCmd{URL: "http://a:b@127.0.0.1"}, exitUsage)
	check("no time", healthCmd{URL: plain.URL, Timeout: -1}, exitUsage)
	ready = http.StatusTooManyRequests
	check("a service at its limit", healthCmd{URL: plain.URL}, 0)
	ready = http.StatusServiceUnavailable
	check("a service without its ledger", healthCmd{URL: plain.URL}, exitFailed)
	check("its process", healthCmd{URL: plain.URL, Live: true}, 0)
	ready = http.StatusFound
	check("something else", healthCmd{URL: plain.URL}, exitFailed)
	plain.Close()
	check("nothing there", healthCmd{URL: plain.URL}, exitFailed)
}
