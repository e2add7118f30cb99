//go:build unix

// Package postgrestest starts a PostgreSQL server for a test, on a socket in a
// temporary folder.
package postgrestest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// Server is a PostgreSQL server for one test.
type Server struct {
	dir, bin string
	as       *syscall.Credential // the server refuses to run as root
	running  *exec.Cmd
	made     atomic.Int64
}

// Start starts a server and stops it when the test ends. Without PostgreSQL the
// test is skipped, with a message.
func Start(t testing.TB) *Server {
	t.Helper()
	bin := binaries()
	if bin == "" {
		t.Skip("SKIPPED, NOT CHECKED: PostgreSQL is not installed (Debian: apt-get install postgresql)")
	}
	// The path of a socket must be short, so not t.TempDir.
	dir, err := os.MkdirTemp("", "sotto-pg")
	if err != nil {
		t.Fatal(err)
	}
	s := &Server{dir: dir, bin: bin}
	t.Cleanup(func() {
		s.Stop(t)
		_ = os.RemoveAll(dir)
	})
	if os.Geteuid() == 0 {
		s.becomeSomeone(t)
	}
	s.run(t, "initdb", "-D", s.data(), "-U", "sotto", "-A", "trust", "-E", "UTF8", "--no-sync")
	s.Restart(t)
	return s
}

// binaries returns the folder of the newest installed server.
func binaries() string {
	if path, err := exec.LookPath("postgres"); err == nil {
		if path, err = filepath.EvalSymlinks(path); err == nil {
			return filepath.Dir(path)
		}
	}
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/postgres")
	version := func(path string) int {
		n, _ := strconv.Atoi(filepath.Base(filepath.Dir(filepath.Dir(path))))
		return n
	}
	slices.SortFunc(found, func(a, b string) int { return version(a) - version(b) })
	if len(found) == 0 {
		return ""
	}
	return filepath.Dir(found[len(found)-1])
}

// becomeSomeone gives the folder to an unprivileged user.
func (s *Server) becomeSomeone(t testing.TB) {
	t.Helper()
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, _ := strconv.Atoi(u.Uid)
		gid, _ := strconv.Atoi(u.Gid)
		if err := os.Chown(s.dir, uid, gid); err != nil {
			t.Fatal(err)
		}
		s.as = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
		return
	}
	t.Skip("SKIPPED, NOT CHECKED: PostgreSQL does not run as root, and there is no user postgres or nobody")
}

func (s *Server) data() string { return filepath.Join(s.dir, "data") }

func (s *Server) command(name string, args ...string) *exec.Cmd {
	c := exec.Command(filepath.Join(s.bin, name), args...)
	c.Dir = s.dir
	c.Env = append(os.Environ(), "LC_ALL=C")
	c.SysProcAttr = &syscall.SysProcAttr{Credential: s.as, Setpgid: true}
	return c
}

func (s *Server) run(t testing.TB, name string, args ...string) {
	t.Helper()
	if out, err := s.command(name, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", name, err, out)
	}
}

// Restart starts the server after a Stop or a Crash.
func (s *Server) Restart(t testing.TB) {
	t.Helper()
	log, err := os.OpenFile(filepath.Join(s.dir, "log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	s.running = s.command("postgres", "-D", s.data(), "-k", s.dir, "-c", "listen_addresses=", "-c", "max_connections=100")
	s.running.Stdout, s.running.Stderr = log, log
	if err := s.running.Start(); err != nil {
		t.Fatal(err)
	}
	deadline := time.Now().Add(5 * time.Minute)
	for s.command("pg_isready", "-q", "-h", s.dir, "-U", "sotto", "-d", "postgres").Run() != nil {
		if time.Now().After(deadline) {
			out, _ := os.ReadFile(filepath.Join(s.dir, "log"))
			t.Fatalf("the server does not answer:\n%s", out)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// Stop stops the server at once, with its connections.
func (s *Server) Stop(t testing.TB) {
	t.Helper()
	if s.running == nil {
		return
	}
	s.end(syscall.SIGINT) // fast shutdown
}

// Crash ends the server without a checkpoint: commits must survive in its log.
func (s *Server) Crash(t testing.TB) {
	t.Helper()
	s.end(syscall.SIGQUIT)
}

// Hang stops the processes of the server, which keep their connections and answer nothing,
// until resume is called.
func (s *Server) Hang(t testing.TB) (resume func()) {
	t.Helper()
	pids := []int{s.running.Process.Pid}
	for _, line := range strings.Fields(s.Query(t, s.address("postgres"), "SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid()")) {
		pid, err := strconv.Atoi(line)
		if err != nil {
			t.Fatal(err)
		}
		pids = append(pids, pid)
	}
	each := func(how syscall.Signal) {
		for _, pid := range pids {
			_ = syscall.Kill(pid, how)
		}
	}
	each(syscall.SIGSTOP)
	resume = sync.OnceFunc(func() { each(syscall.SIGCONT) })
	t.Cleanup(resume)
	return resume
}

func (s *Server) end(how syscall.Signal) {
	_ = s.running.Process.Signal(how)
	_ = s.running.Wait()
	s.running = nil
}

// Database makes an empty database and returns its address.
func (s *Server) Database(t testing.TB) string {
	t.Helper()
	name := fmt.Sprintf("test%d", s.made.Add(1))
	s.Query(t, s.address("postgres"), "CREATE DATABASE "+name)
	return s.address(name)
}

func (s *Server) address(database string) string {
	return fmt.Sprintf("postgres://sotto@/%s?host=%s", database, s.dir)
}

// Environment makes PostgreSQL's own programs clients of the server, as its superuser.
func (s *Server) Environment() []string { return []string{"PGHOST=" + s.dir, "PGUSER=sotto"} }

// Programs returns the folder of PostgreSQL's own programs.
func (s *Server) Programs() string { return s.bin }

// Query runs one statement with psql and returns its output.
func (s *Server) Query(t testing.TB, address, statement string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	c := exec.CommandContext(ctx, filepath.Join(s.bin, "psql"), "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-c", statement, address)
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", statement, err, out)
	}
	return strings.TrimSpace(string(out))
}
