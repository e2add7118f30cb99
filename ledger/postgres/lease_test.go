//go:build unix

package postgres

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/sotto-dp/sotto/internal/postgrestest"
	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/ledger"
)

// In a process that the next test starts, the loop of a worker runs instead of
// the tests: it spends until the budget ends and prints what it drew for.
func TestMain(m *testing.M) {
	if address := os.Getenv("SOTTO_TEST_LEASES"); address != "" {
		if err := spendAll(address, os.Getenv("SOTTO_TEST_LEASE_SIZE")); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func spendAll(address, size string) error {
	store, err := Open(context.Background(), Config{URL: address})
	if err != nil {
		return err
	}
	l, err := ledger.Open(context.Background(), ledger.Config{Store: store})
	if err != nil {
		return err
	}
	defer l.Close()
	each, err := strconv.ParseInt(size, 10, 64)
	if err != nil {
		return err
	}
	lease, err := l.Lease("alice", ledger.Basis{}, ledger.Amount{Epsilon: each})
	if err != nil {
		return err
	}
	spent, draws, start := int64(0), 0, time.Now()
	for {
		cost := int64(100 + draws%7)
		err := lease.Spend(context.Background(), ledger.Amount{Epsilon: cost})
		var exhausted *ledger.ExhaustedError
		if errors.As(err, &exhausted) {
			fmt.Println(spent, draws, lease.Leased().Epsilon, time.Since(start).Seconds())
			return nil
		}
		if err != nil {
			return err
		}
		spent += cost
		draws++
	}
}

// Four processes that share one account through leases draw for no more than was
// granted, use all of it but a cost each, and the chain holds.
func TestProcessesWithLeasesShareOneBudget(t *testing.T) {
	stage.Needs(t, stage.Postgres) // starts PostgreSQL
	server := postgrestest.Start(t)
	address := server.Database(t)
	const granted, processes = 4_000_000, 4
	store := open(t, Config{URL: address, Create: true})
	l, err := ledger.Open(t.Context(), ledger.Config{Store: store})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if _, err := l.Grant(t.Context(), ledger.Grant{Account: "alice", Amount: ledger.Amount{Epsilon: granted}}); err != nil {
		t.Fatal(err)
	}
	outputs := make([]strings.Builder, processes)
	workers := make([]*exec.Cmd, processes)
	for i := range workers {
		workers[i] = exec.Command(os.Args[0])
		workers[i].Env = append(os.Environ(), "SOTTO_TEST_LEASES="+address, "SOTTO_TEST_LEASE_SIZE=10000")
		workers[i].Stdout, workers[i].Stderr = &outputs[i], os.Stderr
		if err := workers[i].Start(); err != nil {
			t.Fatal(err)
		}
	}
	spent, leased, draws, longest := int64(0), int64(0), 0, 0.0
	for i, w := range workers {
		if err := w.Wait(); err != nil {
			t.Fatal(err)
		}
		var s, k int64
		var d int
		var seconds float64
		if _, err := fmt.Sscan(outputs[i].String(), &s, &d, &k, &seconds); err != nil {
			t.Fatalf("a worker says %q", outputs[i].String())
		}
		spent, draws, leased, longest = spent+s, draws+d, leased+k, max(longest, seconds)
	}
	a, err := l.Account(t.Context(), "alice")
	if err != nil {
		t.Fatal(err)
	}
	if spent > granted || leased != a.Spent.Epsilon || granted-spent > processes*2*106 {
		t.Errorf("%d is drawn for, %d leased and %s charged, of %d", spent, leased, a.Spent, granted)
	}
	if a.Charges > int64(draws)/50 {
		t.Errorf("%d draws took %d charges", draws, a.Charges)
	}
	if _, err := l.Verify(t.Context(), ledger.Hash{}); err != nil {
		t.Error(err)
	}
	t.Logf("%d draws in %d charges: %.0f draws per second", draws, a.Charges, float64(draws)/longest)
}
