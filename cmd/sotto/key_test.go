//go:build unix

package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
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
