package ledgertest

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/sotto-dp/sotto/ledger"
)

func lastUnit(t *testing.T, p Place) {
	l := p.open(t, nil)
	grant(t, l, "alice", ledger.Amount{Epsilon: 10, Delta: 5}, 0)
	mustCharge(t, l, "alice", ledger.Amount{Epsilon: 4, Delta: 2})
	if r := mustCharge(t, l, "alice", ledger.Amount{Epsilon: 5, Delta: 3}); r.Remaining != units(1) {
		t.Errorf("remaining is %v, want one unit of epsilon", r.Remaining)
	}
	e := refused[*ledger.ExhaustedError](t, second(charge(l, "alice", units(2))))
	if e.Remaining != units(1) || e.Account != "alice" {
		t.Errorf("refused with %+v, want account alice with one unit left", e)
	}
	refused[*ledger.ExhaustedError](t, second(charge(l, "alice", ledger.Amount{Delta: 1})))
	mustCharge(t, l, "alice", units(1))
	refused[*ledger.ExhaustedError](t, second(charge(l, "alice", units(1))))
	mustCharge(t, l, "alice", units(0)) // nothing to protect costs nothing
	verifies(t, l)
}

func second[T any](_ T, err error) error { return err }

func noTrace(t *testing.T, p Place) {
	l := p.open(t, nil)
	grant(t, l, "alice", units(10), 0)
	before := verifies(t, l)
	refused[*ledger.ExhaustedError](t, second(charge(l, "alice", units(11))))
	refused[bad](t, second(charge(l, "alice", units(-1))))
	if after := verifies(t, l); after != before {
		t.Errorf("the ledger was %+v, is %+v", before, after)
	}
}

func noAccount(t *testing.T, p Place) {
	l := p.open(t, nil)
	refused[*ledger.UnknownAccountError](t, second(charge(l, "nobody", units(0))))
	refused[*ledger.UnknownAccountError](t, second(l.Account(t.Context(), "nobody")))
	for _, name := range []string{"", " ", "my dear bob", "a\x00b", "é", string(make([]byte, 65))} {
		refused[bad](t, second(charge(l, name, units(1))))
	}
	if v := verifies(t, l); v.Head.Seq != 0 {
		t.Errorf("the ledger has %d entries, want none", v.Head.Seq)
	}
}

func otherBasis(t *testing.T, p Place) {
	l := p.open(t, nil)
	table := ledger.Basis{Table: ledger.Hash{1}.String(), Distance: "euclidean"}
	other := ledger.Basis{Table: ledger.Hash{2}.String(), Distance: "euclidean"}
	grantIn := func(account string, b ledger.Basis) error {
		return second(l.Grant(t.Context(), ledger.Grant{Account: account, Basis: b, Amount: units(5)}))
	}
	chargeIn := func(account string, b ledger.Basis) error {
		return second(l.Charge(t.Context(), ledger.Charge{Account: account, Basis: b, Cost: units(1)}))
	}
	if err := grantIn("metric", table); err != nil {
		t.Fatal(err)
	}
	grant(t, l, "words", units(5), 0)
	for _, b := range []ledger.Basis{{}, other, {Table: table.Table, Distance: "cosine"}} {
		refused[*ledger.BasisError](t, chargeIn("metric", b))
		refused[*ledger.BasisError](t, grantIn("metric", b))
	}
	refused[*ledger.BasisError](t, chargeIn("words", table))
	if err := chargeIn("metric", table); err != nil {
		t.Error(err)
	}
	for _, b := range []ledger.Basis{{Table: "abc", Distance: "euclidean"}, {Distance: "euclidean"}, {Table: table.Table}} {
		refused[bad](t, grantIn("new", b))
	}
	a, err := l.Account(t.Context(), "metric")
	if err != nil || a.Basis != table || a.Spent != units(1) || a.Charges != 1 {
		t.Errorf("the account is %+v (%v), want one unit spent in the table's unit", a, err)
	}
	verifies(t, l)
}

func grants(t *testing.T, p Place) {
	l := p.open(t, nil)
	grant(t, l, "alice", units(3), 0)
	mustCharge(t, l, "alice", units(3))
	grant(t, l, "alice", units(2), 0)
	mustCharge(t, l, "alice", units(1))
	grant(t, l, "alice", units(-4), 0) // below what is spent: nothing is left
	e := refused[*ledger.ExhaustedError](t, second(charge(l, "alice", units(1))))
	if e.Remaining != (ledger.Amount{}) {
		t.Errorf("%v left of a budget that was taken back", e.Remaining)
	}
	give := func(a ledger.Amount, period time.Duration) error {
		return second(l.Grant(t.Context(), ledger.Grant{Account: "alice", Amount: a, Period: period}))
	}
	refused[bad](t, give(units(-2), 0))
	refused[bad](t, give(units(0), 0))
	refused[bad](t, give(units(1), -time.Hour))
	refused[bad](t, give(units(1), time.Millisecond))
	refused[bad](t, give(units(1), ledger.MaxPeriod+1))
	refused[bad](t, give(ledger.Amount{Delta: 1e18}, 0)) // delta of 1 promises nothing
	grant(t, l, "bob", units(9), 0)
	grant(t, l, "bob", units(2), time.Hour)
	grant(t, l, "bob", units(-2), time.Hour) // a period stays, and nothing fits into 0
	if e = refused[*ledger.ExhaustedError](t, second(charge(l, "bob", units(1)))); !e.Never {
		t.Errorf("a charge to an account with a period of 0 is refused with %v", e)
	}
	verifies(t, l)
}

func periods(t *testing.T, p Place) {
	c := &clock{now: start.Add(10 * time.Hour)}
	l := p.open(t, c.Now)
	grant(t, l, "alice", units(5), 24*time.Hour)
	mustCharge(t, l, "alice", units(5))
	c.set(start.Add(24*time.Hour - 1))
	e := refused[*ledger.ExhaustedError](t, second(charge(l, "alice", units(1))))
	if tomorrow := start.Add(24 * time.Hour); !e.Ends.Equal(tomorrow) || e.Period != 24*time.Hour {
		t.Errorf("the refusal names %v until %v, want a day until %v", e.Period, e.Ends, tomorrow)
	}
	if e = refused[*ledger.ExhaustedError](t, second(charge(l, "alice", units(6)))); !e.Never || !e.Ends.IsZero() || !strings.HasSuffix(e.Error(), ", more than the whole budget of a period; epsilon 0 left") {
		t.Errorf("a charge that no period covers is refused with %v", e)
	}
	six := []string{"a", "b", "c", "d", "e", "f"} // each within the budget, all of them never
	if e = refused[*ledger.ExhaustedError](t, second(l.ChargeEach(t.Context(), ledger.Charge{Account: "alice", Cost: units(1)}, six))); !e.Never {
		t.Errorf("charges that no period covers are refused with %v", e)
	}
	c.set(start.Add(24 * time.Hour))
	mustCharge(t, l, "alice", units(4))
	c.set(start.Add(-100 * time.Hour)) // the clock goes back: still the second day
	refused[*ledger.ExhaustedError](t, second(charge(l, "alice", units(2))))
	mustCharge(t, l, "alice", units(1))
	refused[*ledger.ExhaustedError](t, second(charge(l, "alice", units(1))))

	c.set(start.Add(1000 * time.Hour))
	l = p.open(t, c.Now) // and after a restart
	if r := mustCharge(t, l, "alice", units(2)); r.Remaining != units(3) {
		t.Errorf("remaining in a later period is %v, want three units", r.Remaining)
	}
	a, err := l.Account(t.Context(), "alice")
	if err != nil || a.Spent != units(12) || a.Remaining(start.Add(2000*time.Hour)) != units(5) {
		t.Errorf("the account is %+v (%v), want 12 units spent in all and 5 left in a later period", a, err)
	}
	verifies(t, l)
}

func severalLimits(t *testing.T, p Place) {
	c := &clock{now: start}
	l := p.open(t, c.Now)
	grant(t, l, "alice", units(3), 24*time.Hour)
	grant(t, l, "alice", units(8), 30*24*time.Hour)
	grant(t, l, "alice", units(10), 0)
	spent := int64(0)
	for day := range 40 {
		c.set(start.Add(time.Duration(day) * 24 * time.Hour))
		for second(charge(l, "alice", units(1))) == nil {
			spent++
		}
	}
	if spent != 10 {
		t.Errorf("%d units spent in 40 days, want the ten forever", spent)
	}
	a, err := l.Account(t.Context(), "alice")
	if err != nil || len(a.Limits) != 3 || a.Limits[0].Period != 0 || a.Limits[0].Spent != units(10) {
		t.Errorf("the account is %+v (%v), want three limits with ten units spent forever", a, err)
	}
	verifies(t, l)
}

func overflow(t *testing.T, p Place) {
	c := &clock{now: start}
	l := p.open(t, c.Now)
	grant(t, l, "alice", units(math.MaxInt64), time.Hour)
	refused[bad](t, second(l.Grant(t.Context(), ledger.Grant{Account: "alice", Amount: units(1), Period: time.Hour})))
	mustCharge(t, l, "alice", units(math.MaxInt64-1))
	refused[*ledger.ExhaustedError](t, second(charge(l, "alice", units(math.MaxInt64))))
	c.set(start.Add(time.Hour))
	mustCharge(t, l, "alice", units(1))
	refused[bad](t, second(charge(l, "alice", units(1)))) // the sum of all charges
	verifies(t, l)
}
