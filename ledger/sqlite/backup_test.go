package sqlite

import (
	"fmt"
	"path/filepath"
	"sync"
	"testing"

	"github.com/sotto-dp/sotto/ledger"
)

// A copy that is made while others charge the ledger is one consistent state of it: it
// verifies, and has every entry up to its head.
func TestBackupOfALedgerInUseIsWhole(t *testing.T) {
	dir := t.TempDir()
	place := filepath.Join(dir, "budgets.db")
	l, err := ledger.Open(t.Context(), ledger.Config{Store: open(t, Config{Path: place, Create: true})})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if _, err := l.Grant(t.Context(), ledger.Grant{Account: "alice", Amount: ledger.Amount{Epsilon: 1e15}}); err != nil {
		t.Fatal(err)
	}
	stop := make(chan struct{})
	var charging sync.WaitGroup
	for range 3 {
		charging.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				if _, err := l.Charge(t.Context(), ledger.Charge{Account: "alice", Cost: ledger.Amount{Epsilon: 1}}); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	var heads []ledger.Hash
	for i := range 5 {
		before, err := l.Head(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		to := filepath.Join(dir, fmt.Sprintf("copy%d.db", i))
		if err := Backup(t.Context(), place, to); err != nil {
			t.Fatal(err)
		}
		copied, err := ledger.Open(t.Context(), ledger.Config{Store: open(t, Config{Path: to, ReadOnly: true})})
		if err != nil {
			t.Fatal(err)
		}
		v, err := copied.Verify(t.Context(), before.Hash)
		if err != nil || v.After < 0 || v.Charges != v.Head.Seq-1 {
			t.Errorf("the copy has %+v: %v", v, err)
		}
		heads = append(heads, v.Head.Hash)
		if err := copied.Close(); err != nil {
			t.Error(err)
		}
	}
	close(stop)
	charging.Wait()
	for _, head := range heads {
		if _, err := l.Verify(t.Context(), head); err != nil {
			t.Errorf("the ledger lacks an entry of a copy: %v", err)
		}
	}
}
