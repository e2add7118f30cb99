// Package ledgertest tests the contract of a ledger's store. A store passes if
// Run does; each failure quotes the sentence that does not hold.
package ledgertest

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/sotto-dp/sotto/ledger"
	"github.com/sotto-dp/sotto/privacy"
)

// Place is the location of one empty ledger.
type Place struct {
	// Open opens the ledger's store, as often as it is called.
	Open func(t testing.TB) ledger.Store
	// Exec runs one statement of SQL on the store's tables, as an intruder would. It is nil
	// for stores without such access; the tests of changes from outside are then skipped.
	Exec func(t testing.TB, statement string)
	// Holds reports whether the bytes occur anywhere in what is stored.
	Holds func(t testing.TB, data []byte) bool
}

// tampered skips a check that needs Exec.
func tampered(check func(t *testing.T, p Place)) func(t *testing.T, p Place) {
	return func(t *testing.T, p Place) {
		if p.Exec == nil {
			t.Skip("nobody can reach what this store keeps")
		}
		check(t, p)
	}
}

// clock is a clock that tests set.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

// start is the first moment of a day of UTC.
var start = time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC)

func (c *clock) set(now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = now
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// open opens a ledger whose close is checked: it must verify then.
func (p Place) open(t testing.TB, now func() time.Time) *ledger.Ledger {
	t.Helper()
	return p.keeping(t, now, ledger.Keeping{})
}

// keeping opens a ledger that bounds what it keeps.
func (p Place) keeping(t testing.TB, now func() time.Time, answers ledger.Keeping) *ledger.Ledger {
	t.Helper()
	l, err := ledger.Open(context.Background(), ledger.Config{Store: p.Open(t), Now: now, Answers: answers})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l
}

func verifies(t testing.TB, l *ledger.Ledger) ledger.Verification {
	t.Helper()
	v, err := l.Verify(context.Background(), ledger.Hash{})
	if err != nil {
		t.Fatalf("an honest ledger does not verify: %v", err)
	}
	return v
}

func units(epsilon int64) ledger.Amount { return ledger.Amount{Epsilon: epsilon} }

func grant(t testing.TB, l *ledger.Ledger, account string, a ledger.Amount, period time.Duration) {
	t.Helper()
	if _, err := l.Grant(context.Background(), ledger.Grant{Account: account, Amount: a, Period: period}); err != nil {
		t.Fatal(err)
	}
}

func charge(l *ledger.Ledger, account string, a ledger.Amount) (ledger.Receipt, error) {
	return l.Charge(context.Background(), ledger.Charge{Account: account, Cost: a})
}

func mustCharge(t testing.TB, l *ledger.Ledger, account string, a ledger.Amount) ledger.Receipt {
	t.Helper()
	r, err := charge(l, account, a)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// bad is the error of a wrong parameter.
type bad = *privacy.ParameterError

// refused asks for an error of one type.
func refused[E error](t testing.TB, err error) E {
	t.Helper()
	e, ok := err.(E)
	if !ok {
		t.Fatalf("the error is %v, want a %T", err, e)
	}
	return e
}
