package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sotto-dp/sotto/ledger"
)

// opened returns a ledger over a store, with 1,000,000 units for alice.
func opened(t testing.TB, s *Store) *ledger.Ledger {
	t.Helper()
	l, err := ledger.Open(t.Context(), ledger.Config{Store: s})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	if _, err := l.Grant(t.Context(), ledger.Grant{Account: "alice", Amount: ledger.Amount{Epsilon: 1e6}}); err != nil {
		t.Fatal(err)
	}
	return l
}

func one(l *ledger.Ledger, key string) error {
	_, err := l.Charge(context.Background(), ledger.Charge{Account: "alice", Cost: ledger.Amount{Epsilon: 1}, Key: key})
	return err
}

// fill charges until the store fails, and returns how many charges were acknowledged.
func fill(t *testing.T, l *ledger.Ledger) int {
	t.Helper()
	for n := range 1_000_000 {
		if err := one(l, fmt.Sprint("key-", n)); err != nil {
			var exhausted *ledger.ExhaustedError
			if errors.As(err, &exhausted) {
				t.Fatalf("a full disk is reported as %v", err)
			}
			if !strings.Contains(err.Error(), "no space left on device") && !strings.Contains(err.Error(), "is the disk full?") {
				t.Errorf("a full disk is reported as %v", err)
			}
			return n
		}
	}
	t.Fatal("the disk is never full")
	return 0
}

// afterFull checks that nothing was lost or invented while the disk was full.
func afterFull(t *testing.T, l *ledger.Ledger, acknowledged int) {
	t.Helper()
	if err := one(l, "after"); err != nil {
		t.Fatalf("with space again a charge fails: %v", err)
	}
	v, err := l.Verify(t.Context(), ledger.Hash{})
	if err != nil || v.Charges != int64(acknowledged+1) {
		t.Errorf("the ledger holds %+v (%v), want %d charges", v, err, acknowledged+1)
	}
}

func TestFullFileRefusesAndRecovers(t *testing.T) {
	s := open(t, Config{Path: filepath.Join(t.TempDir(), "ledger.db"), Create: true})
	l := opened(t, s)
	limit := func(pages int) {
		if _, err := s.writer.ExecContext(t.Context(), fmt.Sprintf("PRAGMA max_page_count = %d", pages)); err != nil {
			t.Fatal(err)
		}
	}
	limit(30)
	n := fill(t, l)
	for range 3 { // and it stays full: the same rows need the same pages, others may need none
		if one(l, fmt.Sprint("key-", n)) == nil {
			t.Fatal("a charge is accepted on a full disk")
		}
	}
	limit(1 << 30)
	afterFull(t, l, n)
}

func TestFullDiskRefusesAndRecovers(t *testing.T) {
	dir := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=512k", "sotto", dir).CombinedOutput(); err != nil {
		t.Skipf("SKIPPED, NOT CHECKED: a small file system cannot be mounted here: %s", strings.TrimSpace(string(out)))
	}
	t.Cleanup(func() { _ = exec.Command("umount", "-l", dir).Run() })
	ballast := filepath.Join(dir, "ballast")
	if err := os.WriteFile(ballast, make([]byte, 128<<10), 0o600); err != nil {
		t.Fatal(err)
	}
	l := opened(t, open(t, Config{Path: filepath.Join(dir, "ledger.db"), Create: true}))
	n := fill(t, l)
	if one(l, fmt.Sprint("key-", n)) == nil {
		t.Fatal("a charge is accepted on a full disk")
	}
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	afterFull(t, l, n)
}

func TestReadOnlyLedgerShowsAndRefuses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.db")
	l := opened(t, open(t, Config{Path: path, Create: true}))
	if err := one(l, "first"); err != nil {
		t.Fatal(err)
	}
	s := open(t, Config{Path: path, ReadOnly: true})
	reader, err := ledger.Open(t.Context(), ledger.Config{Store: s})
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	if err := one(reader, "second"); !errors.Is(err, errReadOnly) {
		t.Errorf("a charge on a ledger opened for reading gives %v", err)
	}
	// The system refuses writes to a ledger that was opened for them.
	writer := open(t, Config{Path: path})
	if _, err := writer.writer.ExecContext(t.Context(), "PRAGMA query_only = 1"); err != nil {
		t.Fatal(err)
	}
	stuck, err := ledger.Open(t.Context(), ledger.Config{Store: writer})
	if err != nil {
		t.Fatal(err)
	}
	defer stuck.Close()
	if err := one(stuck, "third"); err == nil || !strings.Contains(err.Error(), "this user cannot write the file or its folder") {
		t.Errorf("a charge on a read-only database gives %v", err)
	}
	if v, err := reader.Verify(t.Context(), ledger.Hash{}); err != nil || v.Charges != 1 {
		t.Errorf("the ledger holds %+v (%v), want the one charge", v, err)
	}
}

// An empty file becomes a ledger only for a caller that makes ledgers.
func TestEmptyFileIsNoLedger(t *testing.T) {
	empty := filepath.Join(t.TempDir(), "empty.db")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, readOnly := range []bool{true, false} {
		if _, err := Open(t.Context(), Config{Path: empty, ReadOnly: readOnly}); !errors.Is(err, errNoLedger) {
			t.Errorf("an empty file gives %v", err)
		}
	}
	if after, err := os.ReadFile(empty); err != nil || len(after) > 0 {
		t.Errorf("the file was changed: %d bytes, %v", len(after), err)
	}
	_ = open(t, Config{Path: empty, Create: true}).Close()
}

func TestOpenLeavesOtherFilesAlone(t *testing.T) {
	dir := t.TempDir()
	if _, err := Open(t.Context(), Config{Path: filepath.Join(dir, "missing")}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file gives %v, want fs.ErrNotExist", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "missing")); err == nil {
		t.Error("a missing file was made")
	}
	foreign := filepath.Join(dir, "foreign.db")
	if err := os.WriteFile(foreign, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	intrude(t, foreign, "CREATE TABLE notes (text)")
	before, _ := os.ReadFile(foreign)
	if _, err := Open(t.Context(), Config{Path: foreign, Create: true}); !errors.Is(err, errNoLedger) {
		t.Errorf("another program's file gives %v", err)
	}
	if after, _ := os.ReadFile(foreign); string(after) != string(before) {
		t.Error("another program's file was changed")
	}
	later := filepath.Join(dir, "later.db")
	_ = open(t, Config{Path: later, Create: true}).Close()
	intrude(t, later, fmt.Sprintf("PRAGMA user_version = %d", version+1))
	if _, err := Open(t.Context(), Config{Path: later, Create: true}); err == nil || !strings.Contains(err.Error(), "version 3") {
		t.Errorf("a later version gives %v", err)
	}
}

func TestManyMayOpenANewLedgerAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.db")
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			s, err := Open(t.Context(), Config{Path: path, Create: true})
			if err != nil {
				t.Error(err)
				return
			}
			_ = s.Close()
		})
	}
	wg.Wait()
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file is %v (%v), want one that only its owner reads", info, err)
	}
}

// A new file changes to a write-ahead log. Open waits for another program that does the same,
// which has a lock to write.
func TestOpenWaitsForAnotherThatMakesTheLedger(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.db")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", path+"?_txlock=immediate")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close() //nolint:errcheck // it writes nothing
	other, err := db.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	brief, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := Open(brief, Config{Path: path, Create: true}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("while another writes, it opens with %v", err)
	}
	time.AfterFunc(50*time.Millisecond, func() { _ = other.Rollback() })
	_ = open(t, Config{Path: path, Create: true}).Close()
}
