package ledgertest

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/sotto-dp/sotto/ledger"
)

func concurrent(t *testing.T, p Place) {
	l, other := p.open(t, nil), p.open(t, nil)
	const budget, workers, tries = 700, 32, 40
	grant(t, l, "alice", units(budget), 0)
	var paid atomic.Int64
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			at := l
			if w%2 == 1 {
				at = other
			}
			for i := range tries {
				// Two workers share each key: one charge.
				c := keyed("alice", fmt.Sprintf("key-%d-%d", w/2, i), "request")
				c.Cost = units(2)
				switch r, err := at.Charge(t.Context(), c); err.(type) {
				case nil:
					if !r.Replayed {
						paid.Add(2)
					}
				case *ledger.ExhaustedError:
				default:
					t.Errorf("a charge fails: %v", err)
				}
			}
		})
	}
	wg.Wait()
	a, err := l.Account(t.Context(), "alice")
	if err != nil || a.Spent != units(paid.Load()) || a.Spent.Epsilon > budget {
		t.Errorf("the account is %+v (%v), want the %d units paid, at most %d", a, err, paid.Load(), budget)
	}
	// There are 640 keys for 350 charges: the budget is spent to the last unit.
	if paid.Load() != budget {
		t.Errorf("%d units paid, want %d", paid.Load(), budget)
	}
	verifies(t, other)
}

// long is a chain of several pages, most of it under keys.
func long(t *testing.T, p Place) {
	l := p.open(t, nil)
	grant(t, l, "alice", units(1<<40), 0)
	const workers, each = 50, 30
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for i := range each {
				name := fmt.Sprintf("key-%d-%d", w, i)
				_, err := l.Charge(t.Context(), keyed("alice", name, "request"))
				if err == nil {
					_, err = l.Answer(t.Context(), "alice", name, []byte(name))
				}
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if v := verifies(t, l); v.Charges != workers*each || v.Answers != workers*each || v.Kept != workers*each {
		t.Errorf("the ledger holds %+v, want %d charges and their answers", v, workers*each)
	}
}

func race(t *testing.T, p Place) {
	instances := []*ledger.Ledger{p.open(t, nil), p.open(t, nil)}
	const rounds = 10
	for range rounds {
		grant(t, instances[0], "alice", units(1), 0)
		var won atomic.Int64
		var wg sync.WaitGroup
		for _, l := range instances {
			wg.Go(func() {
				if _, err := charge(l, "alice", units(1)); err == nil {
					won.Add(1)
				} else if _, ok := err.(*ledger.ExhaustedError); !ok {
					t.Errorf("the charge fails: %v", err)
				}
			})
		}
		wg.Wait()
		if won.Load() != 1 {
			t.Fatalf("%d instances won the last unit, want one", won.Load())
		}
	}
	verifies(t, instances[1])
}
