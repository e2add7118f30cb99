package main

import (
	"bytes"
	"encoding/pem"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
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
	var said bytes.Buffer
	health := func(c healthCmd) int {
		if c.Timeout == 0 {
			c.Timeout = time.Minute
		}
		said.Reset()
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
	hints := func(what string, c healthCmd, want string) {
		t.Helper()
		check(what, c, exitFailed)
		if !strings.Contains(said.String(), want) {
			t.Errorf("%s: the error is %q, want it to contain %q", what, said.String(), want)
		}
	}
	check("a ready service", healthCmd{URL: plain.URL}, 0)
	check("over TLS", healthCmd{URL: secure.URL, CA: ca}, 0)
	hints("over TLS from nobody known", healthCmd{URL: secure.URL}, "with --ca FILE")
	hints("TLS to a service without it", healthCmd{URL: strings.Replace(plain.URL, "http:", "https:", 1)}, "use http://")
	hints("no TLS to a service with it", healthCmd{URL: strings.Replace(secure.URL, "https:", "http:", 1)}, "use https://")
	_, port, err := net.SplitHostPort(secure.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	hints("a name that is not in the certificate", healthCmd{URL: "https://localhost:" + port, CA: ca}, "use a name of the certificate")
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
