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

// Run checks a store. place makes a new Place, with an empty ledger.
func Run(t *testing.T, place func(t *testing.T) Place) {
	for _, c := range []struct {
		sentence string
		check    func(t *testing.T, p Place)
	}{
		{"a charge is accepted to the last unit of the budget and refused beyond it", lastUnit},
		{"a refused charge leaves no trace", noTrace},
		{"an account without a grant pays for nothing", noAccount},
		{"a metric loss is not charged to another table, nor to a word-level account", otherBasis},
		{"an account adds up losses of one unit and relation, and converts or refuses others", parties},
		{"replacing counts twice what adding and removing does, in every period", replacing},
		{"each charge keeps its unit and relation", recorded},
		{"grants add up, and a negative grant takes back no more than was granted", grants},
		{"a period's budget comes back with the next period, not with a clock set back", periods},
		{"every limit of an account holds", severalLimits},
		{"a retry under a key is charged once and gets the same answer after a restart", retry},
		{"a key is refused with another request, and is another key for another account", keyReuse},
		{"two answers to one charge: the first is the answer", firstAnswer},
		{"an answer that was removed is not drawn again", tampered(forgotten)},
		{"an answer expires, and its key is refused ever after: not charged, not drawn for", expiry},
		{"what is kept of answers is bounded for each account, before a charge", bounded},
		{"all that has expired is removed, however much it is", manyExpire},
		{"a request's own key and its charges are made together or not at all", ownKey},
		{"many keys are charged once each, all or none, and answered once", each},
		{"of callers that share keys each key is charged once, and all get one answer", eachShared},
		{"nothing of a key, a request or an answer can be read from the store", nothingPlain},
		{"concurrent charges spend exactly the budget", concurrent},
		{"a chain of thousands of entries verifies", long},
		{"of two instances that race on the last unit exactly one wins", race},
		{"a sum that cannot be counted is refused", overflow},
		{"a caller that leaves gets no receipt", leaving},
		{"the ledger agrees with a plain model, whatever is done to it", model},
		{"verify finds any change of a stored value", tampered(edits)},
		{"verify finds a gap, a reordering, a foreign entry and a cut", tampered(cuts)},
		{"a store whose chain went back, or is another's, is refused until it is opened again", tampered(wentBack)},
	} {
		t.Run(c.sentence, func(t *testing.T) { c.check(t, place(t)) })
	}
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
