package gate

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/ledger"
	"github.com/sotto-dp/sotto/ledger/sqlite"
	"github.com/sotto-dp/sotto/privacy"
)

func TestPercentsLeftAreRoundedDown(t *testing.T) {
	for _, c := range []struct{ left, granted, want int64 }{
		{100, 100, 100}, {99, 100, 99}, {999, 1000, 99}, {991, 1000, 99}, {989, 1000, 98}, {9, 1000, 0}, {10, 1000, 1}, {0, 1000, 0}, {-5, 1000, 0}, {7, 0, 0}, {2000, 1000, 100},
		{math.MaxInt64, math.MaxInt64, 100}, {math.MaxInt64 - 1, math.MaxInt64, 99}, {1, math.MaxInt64, 0}, {math.MaxInt64 / 2, math.MaxInt64, 49},
	} {
		if got := percentLeft(c.left, c.granted); got != c.want {
			t.Errorf("%d of %d: %d %%, want %d", c.left, c.granted, got, c.want)
		}
	}
}

func TestBudgetsLeftAreTheLeastOfAllLimits(t *testing.T) {
	now := time.Unix(1e9, 0)
	const eps, delta = 1e9, 1e18
	day := 24 * time.Hour
	window := now.UnixNano() / int64(day)
	a := ledger.Account{Name: "alice", Limits: []ledger.Limit{
		{Granted: ledger.Amount{Epsilon: 1000 * eps, Delta: delta / 1e6}, Spent: ledger.Amount{Epsilon: 505 * eps, Delta: delta / 1e7}},
		{Period: day, Window: window, Granted: ledger.Amount{Epsilon: 50 * eps}, Spent: ledger.Amount{Epsilon: 10.2 * eps}},
	}}
	left := leftOf(a, now)
	if left.percent != 49 || math.Abs(left.epsilon-39.5) > 1e-9 || left.delta == nil || math.Abs(*left.delta-0.9e-6) > 1e-15 || left.notion != "approximate" {
		t.Errorf("%+v", left)
	}
	// In a new period its limit is whole again.
	if left := leftOf(a, now.Add(day)); math.Abs(left.epsilon-50) > 1e-9 {
		t.Errorf("%+v", left)
	}
	if left := leftOf(ledger.Account{Name: "none"}, now); left.percent != 0 || left.epsilon != 0 {
		t.Errorf("%+v", left)
	}
}

// However many accounts there are, the metrics have a bounded number of them, and say how
// many there are. Those with the least left are shown.
func TestBudgetsShownAreBounded(t *testing.T) {
	stage.Unraced(t)
	store, err := sqlite.Open(t.Context(), sqlite.Config{Path: filepath.Join(t.TempDir(), "budgets.db"), Create: true})
	if err != nil {
		t.Fatal(err)
	}
	l, err := ledger.Open(t.Context(), ledger.Config{Store: store})
	if err != nil {
		t.Fatal(err)
	}
	for i := range budgetsShown + 20 {
		if _, err := l.Grant(t.Context(), ledger.Grant{Account: fmt.Sprintf("a%03d", i), Amount: ledger.Amount{Epsilon: 1e9}}); err != nil {
			t.Fatal(err)
		}
	}
	spent := fmt.Sprintf("a%03d", budgetsShown+5)
	half, err := ledger.Price(privacy.Claim{Unit: privacy.Text, Notion: privacy.Pure, Epsilon: 0.5}, "", 1)
	if err != nil {
		t.Fatal(err)
	}
	half.Account = spent
	if _, err := l.Charge(t.Context(), half); err != nil {
		t.Fatal(err)
	}
	got := gathered(t, l)
	if got["sotto_accounts"] != "120" || got["sotto_ledger_up"] != "1" || got["sotto_account_left_ratio "+spent] != "0.5" {
		t.Errorf("%v", got)
	}
	shown := 0
	for name := range got {
		if strings.HasPrefix(name, "sotto_account_left_ratio") {
			shown++
		}
	}
	if shown != budgetsShown {
		t.Errorf("%d accounts are shown, want %d", shown, budgetsShown)
	}
	// Of a ledger that cannot be read no budget is shown.
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if got := gathered(t, l); len(got) != 1 || got["sotto_ledger_up"] != "0" {
		t.Errorf("of a ledger that is closed the metrics have %v", got)
	}
}

// gathered returns the budgets of a ledger: the value by name and account.
func gathered(t *testing.T, l *ledger.Ledger) map[string]string {
	t.Helper()
	registry := prometheus.NewPedanticRegistry()
	registry.MustRegister(newBudgets(l))
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, f := range families {
		for _, m := range f.GetMetric() {
			name := f.GetName()
			for _, p := range m.GetLabel() {
				if p.GetName() == "account" {
					name += " " + p.GetValue()
				}
			}
			all[name] = fmt.Sprint(m.GetGauge().GetValue())
		}
	}
	return all
}
