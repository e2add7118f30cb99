package budget

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"github.com/sotto-dp/sotto/ledger"
	"github.com/sotto-dp/sotto/ledger/open"
	"github.com/sotto-dp/sotto/ledger/sqlite"
)

// Another program has the ledger while a grant waits for it: an interrupt then may not end the
// command as if nothing had been granted.
func TestInterruptWaitsForAGrantUnderWay(t *testing.T) {
	path := filepath.Join(t.TempDir(), "budgets.db")
	l, err := open.Ledger(t.Context(), path, open.Create)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	store, err := sqlite.Open(t.Context(), sqlite.Config{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	ctx, interrupt := context.WithCancel(t.Context())
	done := make(chan error)
	err = store.Update(t.Context(), func(ledger.Tx) error {
		go func() {
			_, err := granted(ctx, l, ledger.Grant{Account: "alice", Amount: ledger.Amount{Epsilon: 5}})
			done <- err
		}()
		time.Sleep(200 * time.Millisecond) // it waits for the lock by then
		interrupt()
		select {
		case err := <-done:
			t.Fatalf("the grant ended with %v", err)
		case <-time.After(50 * time.Millisecond):
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if a, err := l.Account(t.Context(), "alice"); err != nil || a.Limits[0].Granted.Epsilon != 5 {
		t.Errorf("granted is %+v (%v)", a.Limits, err)
	}
	if _, err := granted(ctx, l, ledger.Grant{Account: "alice", Amount: ledger.Amount{Epsilon: 5}}); !errors.Is(err, context.Canceled) {
		t.Errorf("after an interrupt: %v", err)
	}
}
