//go:build unix

package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/grammar"
)

func TestBackupIsPrivateAndReplacesNothing(t *testing.T) {
	dir := t.TempDir()
	budgets, backup := filepath.Join(dir, "budgets.db"), filepath.Join(dir, "copy.db")
	succeeds(t, "ledger", "grant", "--ledger", budgets, "alice", "--epsilon", "40")
	run := func(args ...string) (string, error) {
		var out bytes.Buffer
		_, err := grammar.Invoke(t.Context(), &cli.Terminal{In: os.Stdin, Out: &out, Err: io.Discard}, args)
		return out.String(), err
	}
	made, err := run("ledger", "backup", "--ledger", budgets, backup)
	if err != nil || !strings.HasPrefix(made, "verified: 1 entry, 1 account, 1 grant") {
		t.Fatalf("%v: %s", err, made)
	}
	if info, err := os.Stat(backup); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v: a backup has stored answers, and may be read by its owner only", err, info.Mode())
	}
	if again, err := run("ledger", "verify", "--ledger", backup); err != nil || again != made {
		t.Errorf("%v: the copy is %s, the ledger %s", err, again, made)
	}
	before, err := os.ReadFile(backup)
	if err != nil {
		t.Fatal(err)
	}
	succeeds(t, "ledger", "grant", "--ledger", budgets, "alice", "--epsilon", "2")
	if _, err := run("ledger", "backup", "--ledger", budgets, backup); err == nil {
		t.Error("a backup is replaced")
	}
	if after, err := os.ReadFile(backup); err != nil || !bytes.Equal(before, after) {
		t.Errorf("%v: the earlier backup is changed", err)
	}
	// A ledger that does not verify leaves no copy, and neither does one that is not there.
	if err := os.WriteFile(filepath.Join(dir, "other.db"), bytes.Repeat([]byte("other"), 1000), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"other.db", "missing.db"} {
		if _, err := run("ledger", "backup", "--ledger", filepath.Join(dir, name), filepath.Join(dir, "none.db")); err == nil {
			t.Errorf("%s is copied", name)
		}
	}
	left, err := filepath.Glob(filepath.Join(dir, ".*"))
	none, _ := filepath.Glob(filepath.Join(dir, "none*"))
	if err != nil || len(left)+len(none) > 0 {
		t.Errorf("%v: %q and %q are left", err, left, none)
	}
}

// A script that takes a grant for failed makes it twice.
func TestGrantAndBackupThatCannotBePrintedAreMade(t *testing.T) {
	dir := t.TempDir()
	budgets, backup := filepath.Join(dir, "budgets.db"), filepath.Join(dir, "copy.db")
	for _, c := range []struct {
		made string
		args []string
	}{
		{"the grant is made: ", []string{"grant", "alice", "--epsilon", "1"}},
		{"the grant is made: ", []string{"grant", "alice", "--epsilon", "1", "--json"}},
		{"the copy is made: ", []string{"backup", backup}},
	} {
		for i, out := range []io.Writer{full{}, closed{}} {
			if c.args[0] == "backup" && i > 0 {
				_ = os.Remove(backup)
			}
			code, said := fails(t, out, append([]string{"ledger"}, append(c.args, "--ledger", budgets)...)...)
			if code != cli.ExitFailed || !strings.HasPrefix(said, "sotto: "+c.made) {
				t.Errorf("%v: exit code %d, %s", c.args, code, said)
			}
		}
	}
	for _, name := range []string{budgets, backup} {
		var out bytes.Buffer
		if _, err := grammar.Invoke(t.Context(), &cli.Terminal{In: os.Stdin, Out: &out, Err: io.Discard}, []string{"ledger", "show", "--ledger", name}); err != nil || !strings.Contains(out.String(), "forever  4") {
			t.Errorf("%s has %v: %s", name, err, out.String())
		}
	}
}

// A killed backup leaves a copy of the ledger and SQLite's journal of it under hidden names.
func TestBackupRemovesWhatAKilledOneLeft(t *testing.T) {
	dir := t.TempDir()
	budgets, backup := filepath.Join(dir, "budgets.db"), filepath.Join(dir, "copy.db")
	succeeds(t, "ledger", "grant", "--ledger", budgets, "alice", "--epsilon", "40")
	left := []string{".copy.db.sotto-123", ".copy.db.sotto-123-journal", ".copy.db.sotto-456-journal"}
	others := []string{".other.db.sotto-123-journal", ".copy.db.sotto-x-journal", "copy.db-journal"}
	for _, name := range append(left, others...) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("left"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	succeeds(t, "ledger", "backup", "--ledger", budgets, backup)
	for i, name := range append(left, others...) {
		if _, err := os.Stat(filepath.Join(dir, name)); (err == nil) != (i >= len(left)) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
