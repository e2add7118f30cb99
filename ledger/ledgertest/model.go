package ledgertest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/sotto-dp/sotto/ledger"
)

// model does random operations and compares each result with sums kept in a map.
func model(t *testing.T, p Place) {
	rng := rand.New(rand.NewPCG(17, 4))
	c := &clock{now: start}
	l := p.open(t, c.Now)
	type limit struct {
		granted, spent int64
		window         int64
	}
	periods := []time.Duration{0, time.Hour, 24 * time.Hour}
	limits := map[string]map[time.Duration]*limit{}
	keys := map[string]bool{}
	spent := map[string]int64{}
	for step := range 400 {
		account := fmt.Sprint("account-", rng.IntN(3))
		now := c.Now().Add(time.Duration(rng.IntN(40)) * time.Minute)
		c.set(now)
		switch rng.IntN(12) {
		case 0:
			period := periods[rng.IntN(len(periods))]
			amount := 1 + rng.Int64N(200)
			grant(t, l, account, units(amount), period)
			if limits[account] == nil {
				limits[account] = map[time.Duration]*limit{}
			}
			if limits[account][period] == nil {
				limits[account][period] = &limit{}
			}
			limits[account][period].granted += amount
		case 1:
			_ = l.Close()
			l = p.open(t, c.Now)
		default:
			cost := rng.Int64N(40)
			key := fmt.Sprintf("%s-key-%d", account, rng.IntN(200))
			left := int64(math.MaxInt64)
			for period, m := range limits[account] {
				if period > 0 && now.UnixNano()/int64(period) != m.window {
					m.window, m.spent = now.UnixNano()/int64(period), 0
				}
				left = min(left, m.granted-m.spent)
			}
			request := keyed(account, key, "request")
			request.Cost = units(cost)
			r, err := l.Charge(t.Context(), request)
			switch {
			case limits[account] == nil:
				refused[*ledger.UnknownAccountError](t, err)
			case keys[key]:
				if err != nil || !r.Replayed {
					t.Fatalf("step %d: the retry is %+v (%v), want the charge on record", step, r, err)
				}
			case cost > left:
				if e := refused[*ledger.ExhaustedError](t, err); e.Remaining != units(left) {
					t.Fatalf("step %d: refused with %v left, the model has %d", step, e.Remaining, left)
				}
			default:
				if err != nil || r.Replayed || r.Remaining != units(left-cost) {
					t.Fatalf("step %d: the charge of %d is %+v (%v), the model leaves %d", step, cost, r, err, left-cost)
				}
				keys[key] = true
				spent[account] += cost
				for _, m := range limits[account] {
					m.spent += cost
				}
			}
		}
	}
	accounts, err := l.Accounts(t.Context())
	if err != nil || len(accounts) != len(limits) {
		t.Fatalf("%d accounts (%v), the model has %d", len(accounts), err, len(limits))
	}
	for _, a := range accounts {
		if a.Spent != units(spent[a.Name]) {
			t.Errorf("%s spent %v, the model %d", a.Name, a.Spent, spent[a.Name])
		}
	}
	if v := verifies(t, l); v.Charges != int64(len(keys)) {
		t.Errorf("%d charges on record, the model made %d", v.Charges, len(keys))
	}
}
