//go:build unix

package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A stop that cuts a request off reports that and exits with 1, by whichever signal it began; one
// that cuts nothing off exits with 0.
func TestServeThatCutsRequestsOffSaysSo(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(t.TempDir(), "sotto") // the tests run the command under its name
	if err := os.Symlink(self, program); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		held bool
		code int
	}{{"a request in progress", true, 1}, {"no request", false, 0}} {
		t.Run(c.name, func(t *testing.T) {
			s := serve(t, program, "--stop-timeout", "50ms")
			if c.held {
				begin(t, strings.TrimPrefix(s.url, "http://"))
			}
			last, err := s.stop()
			code := 0
			var exit *exec.ExitError
			if errors.As(err, &exit) {
				code = exit.ExitCode()
			} else if err != nil {
				t.Fatal(err)
			}
			if code != c.code {
				t.Errorf("exit code %d, want %d", code, c.code)
			}
			if want := "sotto: serve: requests were still in progress 50ms after the stop"; c.held && last != want {
				t.Errorf("the last line is %s, want %s", last, want)
			}
		})
	}
}

// begin sends the headers of a request, and returns when the service waits for its body.
func begin(t *testing.T, address string) {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	fmt.Fprintf(conn, "POST /v1/rewrite HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: 100\r\nExpect: 100-continue\r\n\r\n", address)
	line, err := bufio.NewReader(conn).ReadBytes('\n')
	if err != nil || !bytes.HasPrefix(line, []byte("HTTP/1.1 100 ")) {
		t.Fatalf("%v: %s", err, line)
	}
}
