//go:build unix

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/grammar"
	"github.com/sotto-dp/sotto/internal/stage"
)

// service is `sotto serve` as a separate process.
type service struct {
	t   *testing.T
	cmd *exec.Cmd
	url string
	log *bufio.Scanner
}

func serve(t *testing.T, program string, args ...string) *service {
	t.Helper()
	s := &service{t: t, cmd: exec.Command(program, append([]string{"serve", "--listen", "127.0.0.1:0"}, args...)...)}
	s.cmd.Env = append(os.Environ(), "XDG_CACHE_HOME="+t.TempDir())
	pipe, err := s.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.cmd.Process.Kill() })
	s.log = bufio.NewScanner(pipe)
	var line struct{ Msg, Address string }
	if !s.log.Scan() || json.Unmarshal(s.log.Bytes(), &line) != nil || line.Msg != "serving" {
		t.Fatalf("the log begins with %s", s.log.Bytes())
	}
	s.url = "http://" + line.Address
	return s
}

// stop sends SIGTERM, and returns the last line of the log and the error of the program.
func (s *service) stop() (last string, err error) {
	s.t.Helper()
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		s.t.Fatal(err)
	}
	late := time.AfterFunc(20*time.Second, func() { _ = s.cmd.Process.Kill() })
	defer late.Stop()
	for s.log.Scan() {
		last = s.log.Text()
	}
	return last, s.cmd.Wait()
}

func (s *service) rewrite(key, body string) (int, string) {
	s.t.Helper()
	q, err := http.NewRequest("POST", s.url+"/v1/rewrite", strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	q.Header.Set("Content-Type", "application/json")
	q.Header.Set("Idempotency-Key", "2f1c6a52-8b5e-4b1e-9a57-3f1b7c9d0e11")
	if key != "" {
		q.Header.Set("Authorization", "Bearer "+key)
	}
	a, err := http.DefaultTransport.RoundTrip(q)
	if err != nil {
		s.t.Fatal(err)
	}
	defer a.Body.Close()
	got, err := io.ReadAll(a.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return a.StatusCode, string(got)
}

func TestServeStopsCleanlyAndRetriesSurviveAKill(t *testing.T) {
	stage.Needs(t, stage.Kills) // kills a service
	dir := t.TempDir()
	program, budgets, keys := filepath.Join(dir, "sotto"), filepath.Join(dir, "budgets.db"), filepath.Join(dir, "keys")
	run := func(args ...string) string {
		t.Helper()
		var stderr bytes.Buffer
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%v: %v: %s", args, err, stderr.Bytes())
		}
		return strings.TrimSpace(string(out))
	}
	run("go", "build", "-o", program, ".")
	run(program, "ledger", "grant", "--ledger", budgets, "alice", "--epsilon", "40")
	key := run(program, "key", "app", "--account", "alice", "--keys", keys)

	const asked = `{"texts":["my doctor agreed"],"epsilon":8,"account":"alice"}`
	s := serve(t, program, "--ledger", budgets, "--keys", keys)
	status, first := s.rewrite(key, asked)
	if status != 200 || !strings.Contains(first, `"remaining":{"epsilon":16,"delta":0}`) {
		t.Fatalf("%d %s", status, first)
	}
	if status, _ := s.rewrite("", asked); status != 401 {
		t.Errorf("without a key: %d", status)
	}
	_ = s.cmd.Process.Kill()
	_ = s.cmd.Wait()

	s = serve(t, program, "--ledger", budgets, "--keys", keys)
	if status, again := s.rewrite(key, asked); status != 200 || again != first {
		t.Errorf("after a kill the retry got %d %s", status, again)
	}
	s.rereads(t, run, program, keys, key)
	if last, err := s.stop(); err != nil || !strings.Contains(last, `"stopped"`) {
		t.Errorf("stopped with %v: %s", err, last)
	}
	if got := run(program, "ledger", "verify", "--ledger", budgets); !strings.Contains(got, "1 charge, 1 answer") {
		t.Error(got)
	}
}

// rereads changes the key file: a revoked key stops working and an added key works,
// without a restart; a broken file changes nothing.
func (s *service) rereads(t *testing.T, run func(...string) string, program, keys, old string) {
	t.Helper()
	hup := func() string {
		t.Helper()
		late := time.AfterFunc(20*time.Second, func() { _ = s.cmd.Process.Kill() })
		defer late.Stop()
		if err := s.cmd.Process.Signal(syscall.SIGHUP); err != nil {
			t.Fatal(err)
		}
		for s.log.Scan() {
			if strings.Contains(s.log.Text(), `"what":"keys"`) {
				return s.log.Text()
			}
		}
		t.Fatal("the log ended")
		return ""
	}
	if err := os.WriteFile(keys, []byte("broken"), 0o600); err != nil {
		t.Fatal(err)
	}
	if said := hup(); !strings.Contains(said, "the old one stays") {
		t.Error(said)
	}
	const asked = `{"texts":["my doctor agreed"],"epsilon":8,"account":"alice"}`
	if status, _ := s.rewrite(old, asked); status != 200 {
		t.Errorf("after a broken file the key gives %d", status)
	}
	if err := os.Rename(keys, keys+".old"); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(keys, 0o600); err != nil {
		t.Fatal(err)
	}
	if said := hup(); !strings.Contains(said, "not a regular file") {
		t.Error(said)
	}
	if err := os.Remove(keys); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(keys, []byte("# none\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if said := hup(); !strings.Contains(said, "read again") {
		t.Error(said)
	}
	if !s.log.Scan() || !strings.Contains(s.log.Text(), "no key") {
		t.Errorf("an empty file of keys is followed by %s", s.log.Text())
	}
	for _, key := range []string{old, ""} {
		if status, _ := s.rewrite(key, asked); status != 401 {
			t.Errorf("with an empty file of keys somebody got %d", status)
		}
	}
	fresh := run(program, "key", "app", "--account", "alice", "--keys", keys)
	if said := hup(); !strings.Contains(said, "read again") {
		t.Error(said)
	}
	if status, _ := s.rewrite(old, asked); status != 401 {
		t.Errorf("the revoked key gives %d", status)
	}
	status, answer := s.rewrite(fresh, asked)
	if status != 200 {
		t.Errorf("the new key gives %d", status)
	}
	// A key that the command revokes is refused, also for an answer that it was given. The
	// answer belongs to the account: another key of the account gets it again.
	next := run(program, "key", "add", "app2", "--account", "alice", "--keys", keys)
	run(program, "key", "revoke", "app", "--keys", keys)
	if said := hup(); !strings.Contains(said, "read again") {
		t.Error(said)
	}
	if status, _ := s.rewrite(fresh, asked); status != 401 {
		t.Errorf("the key that was revoked gives %d", status)
	}
	if status, again := s.rewrite(next, asked); status != 200 || again != answer {
		t.Errorf("another key of the account gets %d %s", status, again)
	}
}

func TestServeDoesNotStartWithAFileWithoutAKey(t *testing.T) {
	name := filepath.Join(t.TempDir(), "keys")
	if err := os.WriteFile(name, []byte("# none\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := grammar.Invoke(t.Context(), &cli.Terminal{Out: io.Discard, Err: os.Stderr}, []string{"serve", "--listen", "127.0.0.1:0", "--keys", name}); err == nil || !strings.Contains(err.Error(), "no key") {
		t.Errorf("a file without a key gives %v", err)
	}
}
