package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os/exec"

	"github.com/sotto-dp/sotto/ledger"
	"github.com/sotto-dp/sotto/ledger/open"
	"github.com/sotto-dp/sotto/privacy"
)

// record is the ledger as stored on disk.
type record struct {
	program, place string
	charges        map[int64]ledger.Entry
	keyed          int // charges under a key
}

// check reads the ledger and compares the clients' answers with it.
func (r *record) check(ctx context.Context, c *crowd) error {
	if out, err := exec.CommandContext(ctx, r.program, "ledger", "verify", "--ledger", r.place).CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	if err := r.read(ctx); err != nil {
		return err
	}
	if err := r.budgets(); err != nil {
		return err
	}
	paid := map[int64]bool{}
	for _, all := range [][]*asked{c.keyed, c.unkeyed} {
		for _, a := range all {
			if !a.whole {
				continue
			}
			n, err := r.paid(a)
			if err != nil {
				return err
			}
			if paid[n] {
				return fmt.Errorf("charge %d paid for two requests", n)
			}
			paid[n] = true
		}
	}
	if unkeyed := len(r.charges) - r.keyed; r.keyed > len(c.keyed) || unkeyed > len(c.unkeyed) {
		return fmt.Errorf("%d charges under keys and %d others, for %d keys and %d other requests", r.keyed, unkeyed, len(c.keyed), len(c.unkeyed))
	}
	return nil
}

func (r *record) read(ctx context.Context) error {
	store, err := open.Store(ctx, r.place, open.Read)
	if err != nil {
		return err
	}
	r.charges, r.keyed = map[int64]ledger.Entry{}, 0
	err = store.View(ctx, func(v ledger.View) error {
		for after := int64(math.MinInt64); ; {
			entries, err := v.Entries(ctx, after, 1000)
			if err != nil || len(entries) == 0 {
				return err
			}
			for _, e := range entries {
				if e.Kind != ledger.Charged {
					continue
				}
				r.charges[e.Seq] = e
				if e.Key != (ledger.Hash{}) {
					r.keyed++
				}
			}
			after = entries[len(entries)-1].Seq
		}
	})
	return errors.Join(err, store.Close())
}

// budgets adds up the charges, in all and in each period.
func (r *record) budgets() error {
	for _, a := range accounts {
		granted, err := ledger.ParseLimit(a.epsilon, "")
		if err != nil {
			return err
		}
		spent := map[int64]int64{}
		for _, e := range r.charges {
			if e.Account != a.name {
				continue
			}
			window := int64(0)
			if a.period != 0 {
				window = e.Time.UnixNano() / int64(a.period)
			}
			spent[window] += e.Amount.Epsilon
		}
		for window, units := range spent {
			if units > granted.Epsilon {
				return fmt.Errorf("account %s spent %d units of %d in window %d", a.name, units, granted.Epsilon, window)
			}
		}
	}
	return nil
}

// paid finds the charge of an answer, at the price of its draws.
func (r *record) paid(a *asked) (int64, error) {
	var answer struct {
		Draws   int64
		Receipt struct {
			Charge        int64
			Hash, Account string
		}
	}
	if err := json.Unmarshal([]byte(a.came), &answer); err != nil {
		return 0, err
	}
	price, err := ledger.Cost(privacy.Claim{Epsilon: epsilon}, answer.Draws)
	if err != nil {
		return 0, err
	}
	e, ok := r.charges[answer.Receipt.Charge]
	if !ok || answer.Draws == 0 || e.Hash.String() != answer.Receipt.Hash || e.Account != a.account || e.Amount != price || (e.Key != ledger.Hash{}) != (a.key != "") {
		return 0, fmt.Errorf("an answer was released for charge %d of %s; on record is %+v", answer.Receipt.Charge, price, e)
	}
	return e.Seq, nil
}

// conclude compares the final ledger with the requests: each key that was
// answered has one charge, each that was refused none.
func (r *record) conclude(c *crowd, kills int) (string, error) {
	answered, refused := 0, 0
	for _, a := range c.keyed {
		if a.whole {
			answered++
		} else {
			refused++
		}
	}
	if r.keyed != answered {
		return "", fmt.Errorf("%d charges under keys, want one for each of %d answered keys", r.keyed, answered)
	}
	if c.cut == 0 || c.same == 0 || c.replayed == 0 || refused == 0 || c.answered == 0 {
		return "", fmt.Errorf("%d cut, %d compared, %d replayed, %d refused: the kills interrupted too little", c.cut, c.same, c.replayed, refused)
	}
	return fmt.Sprintf("%d kills: %d charges on record, one for each of %d keys answered and for %d requests without a key; %d requests were cut by a kill; "+
		"%d answers were asked for again, each the same; %d keys were refused for lack of budget and have no charge; the ledger verifies",
		kills, len(r.charges), answered, len(r.charges)-r.keyed, c.cut, c.same, refused), nil
}
