//go:build unix

package postgres

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/sotto-dp/sotto/internal/postgrestest"
	"github.com/sotto-dp/sotto/ledger"
	"golang.org/x/sync/errgroup"
)

func opened(t *testing.T, address string) *ledger.Ledger {
	t.Helper()
	l, err := ledger.Open(t.Context(), ledger.Config{Store: open(t, Config{URL: address, Create: true})})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l
}

func one(l *ledger.Ledger, key string) (ledger.Receipt, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	return l.Charge(ctx, ledger.Charge{Account: "alice", Cost: ledger.Amount{Epsilon: 1}, Key: key})
}

// underLoad charges from several callers while disturb breaks connections, then
// retries every key: each must be charged once, and none that was acknowledged
// may be lost. disturb calls flow to wait until more charges are acknowledged.
func underLoad(t *testing.T, address string, disturb func(flow func())) {
	l := opened(t, address)
	if _, err := l.Grant(t.Context(), ledger.Grant{Account: "alice", Amount: ledger.Amount{Epsilon: 1e9}}); err != nil {
		t.Fatal(err)
	}
	var stop atomic.Bool
	var wg sync.WaitGroup
	var mu sync.Mutex
	acknowledged, failed := map[string]bool{}, map[string]bool{}
	for w := range 8 {
		wg.Go(func() {
			for i := 0; !stop.Load(); i++ {
				key := fmt.Sprintf("key-%d-%d", w, i)
				_, err := one(l, key)
				mu.Lock()
				if err == nil {
					acknowledged[key] = true
				} else {
					failed[key] = true
				}
				mu.Unlock()
				if err != nil {
					time.Sleep(5 * time.Millisecond)
				}
			}
		})
	}
	count := func() int {
		mu.Lock()
		defer mu.Unlock()
		return len(acknowledged)
	}
	disturb(func() {
		until := count() + 16 // more than are in progress
		for end := time.Now().Add(time.Minute); count() < until; time.Sleep(time.Millisecond) {
			if time.Now().After(end) {
				t.Error("no more charges are acknowledged")
				return
			}
		}
	})
	stop.Store(true)
	wg.Wait()
	if len(acknowledged) == 0 || len(failed) == 0 {
		t.Fatalf("%d charges acknowledged and %d failed: the test disturbs nothing", len(acknowledged), len(failed))
	}
	// A client tries again under its key until it is answered: the pool may still
	// hold connections that were ended last.
	again := func(key string) (r ledger.Receipt, err error) {
		for range 10 {
			if r, err = one(l, key); err == nil {
				return r, nil
			}
			time.Sleep(10 * time.Millisecond)
		}
		return r, err
	}
	var retries errgroup.Group
	retries.SetLimit(64)
	for key := range acknowledged {
		retries.Go(func() error {
			r, err := again(key)
			if err == nil && !r.Replayed {
				err = errors.New("an acknowledged charge is not on record")
			}
			return err
		})
	}
	for key := range failed {
		retries.Go(func() error {
			_, err := again(key)
			return err
		})
	}
	if err := retries.Wait(); err != nil {
		t.Fatalf("a retry fails: %v", err)
	}
	v, err := l.Verify(t.Context(), ledger.Hash{})
	if want := int64(len(acknowledged) + len(failed)); err != nil || v.Charges != want {
		t.Errorf("the ledger holds %+v (%v), want %d charges", v, err, want)
	}
}

func lostConnectionsLoseNoChargeAndMakeNone(t *testing.T, server *postgrestest.Server) {
	address := server.Database(t)
	underLoad(t, address, func(flow func()) {
		for range 10 {
			flow()
			server.Query(t, address, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'sotto'")
		}
	})
}

func aServerThatDiesLosesNoChargeAndMakesNone(t *testing.T, server *postgrestest.Server) {
	underLoad(t, server.Database(t), func(flow func()) {
		for range 2 {
			flow()
			server.Crash(t)
			time.Sleep(50 * time.Millisecond) // charges fail
			server.Restart(t)
		}
		flow()
	})
}

func manyMayOpenAnEmptyDatabaseAtOnce(t *testing.T, server *postgrestest.Server) {
	address := server.Database(t)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			s, err := Open(t.Context(), Config{URL: address, Create: true})
			if err != nil {
				t.Error(err)
				return
			}
			_ = s.Close()
		})
	}
	wg.Wait()
}

// aUserWithTheDocumentedRightsCanCharge checks that the rights in
// docs/howto/ledger.md suffice, and do not allow removing an entry.
func aUserWithTheDocumentedRightsCanCharge(t *testing.T, server *postgrestest.Server) {
	address := server.Database(t)
	owner := opened(t, address)
	if _, err := owner.Grant(t.Context(), ledger.Grant{Account: "alice", Amount: ledger.Amount{Epsilon: 2}}); err != nil {
		t.Fatal(err)
	}
	server.Query(t, address, "CREATE ROLE service LOGIN")
	service := strings.Replace(address, "sotto@", "service@", 1)
	for _, right := range []string{
		"SELECT ON ledger_head, ledger_entries, ledger_accounts, ledger_limits, ledger_answers, ledger_expiring, ledger_kept",
		"INSERT ON ledger_entries, ledger_accounts, ledger_limits, ledger_answers, ledger_expiring, ledger_kept",
		"UPDATE ON ledger_accounts, ledger_limits, ledger_kept",
		"UPDATE (seq, time, hash) ON ledger_head",
		"DELETE ON ledger_answers, ledger_expiring",
	} {
		if _, err := Open(t.Context(), Config{URL: service}); err == nil || strings.HasPrefix(right, "SELECT") == errors.Is(err, errRights) {
			t.Errorf("without %s: %v", right, err)
		}
		server.Query(t, address, "GRANT "+right+" TO service")
	}
	now := time.Now()
	l, err := ledger.Open(t.Context(), ledger.Config{Store: open(t, Config{URL: service}), Now: func() time.Time { return now }, Answers: ledger.Keeping{For: time.Hour}})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if _, err := one(l, "key"); err != nil {
		t.Error(err)
	}
	if _, err := l.Answer(t.Context(), "alice", "key", []byte("private")); err != nil {
		t.Error(err)
	}
	now = now.Add(2 * time.Hour)
	if _, err := one(l, "key"); !errors.Is(err, ledger.ErrForgotten) {
		t.Errorf("after its time an answer gives %v", err)
	}
	if _, err := l.Verify(t.Context(), ledger.Hash{}); err != nil {
		t.Error(err)
	}
	s := open(t, Config{URL: service})
	defer s.Close()
	if _, err := s.pool.(*pgxpool.Pool).Exec(t.Context(), "DELETE FROM ledger_entries"); err == nil || !strings.Contains(err.Error(), "permission denied") {
		t.Errorf("deleting entries gives %v", err)
	}
}
