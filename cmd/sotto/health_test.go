package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"encoding/pem"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/grammar"
	"github.com/sotto-dp/sotto/internal/stage"
)

func TestHealthSaysWhetherTheServiceIsReady(t *testing.T) {
	stage.Unraced(t)
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
	health := func(args []string) int {
		said.Reset()
		_, err := grammar.Invoke(t.Context(), &cli.Terminal{In: os.Stdin, Out: &said, Err: &said}, append([]string{"health", "--timeout=1m"}, args...))
		code := grammar.Report(&said, err)
		if (code == 0) != (said.Len() == 0) || bytes.Count(said.Bytes(), []byte("\n")) > 2 {
			t.Errorf("exit code %d with %q", code, said.Bytes())
		}
		return code
	}
	check := func(what string, args []string, want int) {
		t.Helper()
		if got := health(args); got != want {
			t.Errorf("%s: exit code %d, want %d", what, got, want)
		}
	}
	hints := func(what string, args []string, want string) {
		t.Helper()
		check(what, args, cli.ExitFailed)
		if !strings.Contains(said.String(), want) {
			t.Errorf("%s: the error is %q, want it to contain %q", what, said.String(), want)
		}
	}
	check("a ready service", []string{plain.URL}, 0)
	check("over TLS", []string{secure.URL, "--ca=" + ca}, 0)
	hints("over TLS from nobody known", []string{secure.URL}, "with --ca FILE")
	hints("TLS to a service without it", []string{strings.Replace(plain.URL, "http:", "https:", 1)}, "use http://")
	hints("no TLS to a service with it", []string{strings.Replace(secure.URL, "https:", "http:", 1)}, "use https://")
	_, port, err := net.SplitHostPort(secure.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	hints("a name that is not in the certificate", []string{"https://localhost:" + port, "--ca=" + ca}, "use a name of the certificate")
	check("a file without a certificate", []string{secure.URL, "--ca=" + os.Args[0]}, cli.ExitFailed)
	check("no address", []string{"localhost:8080"}, cli.ExitUsage)
	check("a password in the address", []string{"http://a:b@127.0.0.1"}, cli.ExitUsage)
	check("no time", []string{plain.URL, "--timeout=-1s"}, cli.ExitUsage)
	ready = http.StatusTooManyRequests
	check("a limit of something else", []string{plain.URL}, cli.ExitFailed)
	ready = http.StatusServiceUnavailable
	check("a service without its ledger", []string{plain.URL}, cli.ExitFailed)
	check("its process", []string{plain.URL, "--live"}, 0)
	ready = http.StatusFound
	check("something else", []string{plain.URL}, cli.ExitFailed)
	plain.Close()
	check("nothing there", []string{plain.URL}, cli.ExitFailed)
}

// A container has one environment for its service and its probe.
func TestHealthRunsInTheEnvironmentOfTheService(t *testing.T) {
	stage.Unraced(t)
	for name, value := range map[string]string{
		"SOTTO_SERVE_LISTEN": "127.0.0.1:0", "SOTTO_SERVE_MAX_TEXTS": "7", "SOTTO_SERVE_PLAYGROUND": "false", "SOTTO_SERVE_LOG_FORMAT": "json",
	} {
		t.Setenv(name, value)
	}
	url, log := started(t, "serve")
	if !strings.Contains(log, `"SOTTO_SERVE_MAX_TEXTS"`) {
		t.Errorf("the variables do not configure the service: %s", log)
	}
	t.Setenv("SOTTO_HEALTH_URL", url)
	for _, args := range [][]string{{"health"}, {"health", "--live"}, {"health", url}} {
		var said bytes.Buffer
		if _, err := grammar.Invoke(t.Context(), &cli.Terminal{In: os.Stdin, Out: &said, Err: &said}, args); err != nil {
			t.Errorf("%q: %v", args, err)
		}
	}
	started(t, "serve") // beside the variable of the probe
}

// started runs a service in this process, and returns its address and what it logged.
func started(t *testing.T, args ...string) (url, log string) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		_, err := grammar.Invoke(ctx, &cli.Terminal{In: os.Stdin, Out: w, Err: w}, args)
		_ = w.Close()
		ended <- err
	}()
	lines := bufio.NewScanner(r)
	for url == "" && lines.Scan() {
		log += lines.Text() + "\n"
		var one struct{ Msg, Address string }
		if json.Unmarshal(lines.Bytes(), &one) == nil && one.Msg == "serving" {
			url = "http://" + one.Address
		}
	}
	go func() { _, _ = io.Copy(io.Discard, r) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil && url != "" && !errors.Is(err, context.Canceled) && !strings.Contains(err.Error(), "interrupt") {
			t.Errorf("the service ended with %v", err)
		}
		_ = r.Close()
	})
	if url == "" {
		t.Fatalf("the service does not start: %s", log)
	}
	return url, log
}
