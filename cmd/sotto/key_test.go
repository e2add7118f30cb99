//go:build unix

package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/grammar"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/gate"
)

// Commands that change one file at the same time lose none of the changes: neither a new
// key nor a revocation.
func TestKeyFileIsChangedByOneCommandAtATime(t *testing.T) {
	name := filepath.Join(t.TempDir(), "keys")
	const pairs = 12
	for i := range pairs {
		succeeds(t, "key", "add", fmt.Sprintf("old%d", i), "--keys", name)
	}
	var changes sync.WaitGroup
	for i := range pairs {
		changes.Go(func() { succeeds(t, "key", "add", fmt.Sprintf("new%d", i), "--keys", name) })
		changes.Go(func() { succeeds(t, "key", "revoke", fmt.Sprintf("old%d", i), "--keys", name) })
	}
	changes.Wait()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	keys, err := gate.ReadKeys(f)
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, k := range keys.List() {
		seen++
		if revoked := k.Revoked != nil; revoked != strings.HasPrefix(k.Name, "old") {
			t.Errorf("%s: revoked is %t", k.Name, revoked)
		}
	}
	if seen != 2*pairs {
		t.Errorf("the file has %d keys, want %d", seen, 2*pairs)
	}
}

// A verb of another program, or a misspelt command, makes no key that may charge all
// accounts. "key add" makes one of any name.
func TestKeyMakesNoneForAMisspeltCommand(t *testing.T) {
	name := filepath.Join(t.TempDir(), "keys")
	for verb, command := range map[string]string{
		"ls": "list", "show": "list", "lsit": "list", "lists": "list", "LS": "list", "List": "list",
		"rm": "revoke", "remove": "revoke", "delete": "revoke", "del": "revoke", "revok": "revoke", "Remove": "revoke",
	} {
		var messages bytes.Buffer
		_, err := grammar.Invoke(t.Context(), &cli.Terminal{In: os.Stdin, Out: io.Discard, Err: &messages}, []string{"key", verb, "--keys", name, "--account", "add"})
		if code := grammar.Report(&messages, err); code != cli.ExitUsage || !strings.Contains(messages.String(), "did you mean sotto key "+command+"?") || !strings.Contains(messages.String(), "use sotto key add") {
			t.Errorf("key %s: exit code %d, %s", verb, code, messages.String())
		}
		if _, err := os.Stat(name); err == nil {
			t.Fatalf("key %s made a key", verb)
		}
	}
	for _, args := range [][]string{{"app"}, {"add", "remove"}, {"add", "ls"}} {
		succeeds(t, append(append([]string{"key"}, args...), "--keys", name)...)
	}
}

// succeeds runs a command line that must succeed.
func succeeds(t *testing.T, args ...string) {
	t.Helper()
	if _, err := grammar.Invoke(t.Context(), &cli.Terminal{In: os.Stdin, Out: io.Discard, Err: io.Discard}, args); err != nil {
		t.Errorf("%v: %v", args, err)
	}
}

// full is an output that takes nothing.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

// closed is a pipe whose reader has gone.
type closed struct{}

func (closed) Write([]byte) (int, error) { return 0, syscall.EPIPE }

// A key whose secret nobody saw would take its name for good.
func TestKeyThatCannotBePrintedIsNotAdded(t *testing.T) {
	name := filepath.Join(t.TempDir(), "keys")
	for _, out := range []io.Writer{full{}, closed{}} {
		code, said := fails(t, out, "key", "add", "app", "--keys", name)
		if code != cli.ExitFailed || !strings.HasPrefix(said, "sotto: no key is added, because it cannot be printed: ") {
			t.Errorf("exit code %d, %s", code, said)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(name), "*")); len(left) > 0 {
		t.Errorf("%q is made", left)
	}
	succeeds(t, "key", "add", "app", "--keys", name)
}

// The other names of a file with hard links would keep the old keys.
func TestKeyFileWithHardLinksIsNotReplaced(t *testing.T) {
	name := filepath.Join(t.TempDir(), "keys")
	succeeds(t, "key", "add", "app", "--keys", name)
	if err := os.Link(name, name+".link"); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"add", "other"}, {"revoke", "app"}} {
		code, said := fails(t, io.Discard, append(append([]string{"key"}, args...), "--keys", name)...)
		if code != cli.ExitFailed || !strings.HasPrefix(said, "sotto: "+name+": it has another name (a hard link), under which it would not change\n") {
			t.Errorf("%v: exit code %d, %s", args, code, said)
		}
	}
	if after, err := os.ReadFile(name); err != nil || !bytes.Equal(before, after) {
		t.Errorf("%v: the file is changed", err)
	}
	if err := os.Remove(name + ".link"); err != nil {
		t.Fatal(err)
	}
	succeeds(t, "key", "revoke", "app", "--keys", name)
}

// A service under its own user still reads the file that root changed.
func TestKeyFileKeepsItsOwnerAndGroup(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("SKIPPED, NOT CHECKED: only root can give files away")
	}
	name := filepath.Join(t.TempDir(), "keys")
	succeeds(t, "key", "add", "app", "--keys", name)
	if err := errors.Join(os.Chown(name, 1234, 4321), os.Chmod(name, 0o640)); err != nil {
		t.Fatal(err)
	}
	succeeds(t, "key", "add", "other", "--keys", name)
	succeeds(t, "key", "revoke", "app", "--keys", name)
	info, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	if s := info.Sys().(*syscall.Stat_t); s.Uid != 1234 || s.Gid != 4321 || info.Mode().Perm() != 0o640 {
		t.Errorf("the file belongs to %d:%d, mode %v", s.Uid, s.Gid, info.Mode())
	}
}

// fails runs a command line that must fail, and returns the exit code and the message.
func fails(t *testing.T, out io.Writer, args ...string) (code int, said string) {
	t.Helper()
	var messages bytes.Buffer
	code, err := grammar.Invoke(t.Context(), &cli.Terminal{In: os.Stdin, Out: out, Err: &messages}, args)
	if code < 0 {
		code = grammar.Report(&messages, err)
	}
	if code == 0 {
		t.Errorf("%v: succeeds", args)
	}
	return code, messages.String()
}
