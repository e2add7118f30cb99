package ledger_test

import (
	"errors"
	"testing"

	"github.com/sotto-dp/sotto/ledger"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/privacy/accountant"
)

// What an account affords is what it accepts, and asking changes nothing.
func TestAccountAffordsWhatItAccepts(t *testing.T) {
	l := leasing(t, ledger.Amount{Epsilon: 10})
	for _, cost := range []int64{0, 10, 11} {
		_, err := account(t, l).Affords(ledger.Amount{Epsilon: cost}, accountant.Party{}, l.Now())
		var exhausted *ledger.ExhaustedError
		if errors.As(err, &exhausted) != (cost > 10) || exhausted == nil && err != nil {
			t.Errorf("%d of 10: %v", cost, err)
		}
		if left := account(t, l).Remaining(l.Now()); left.Epsilon != 10 {
			t.Errorf("after the question %s is left", left)
		}
	}
}

// A charge under a key is found, under this key and of this account only.
func TestChargeUnderAKeyIsFound(t *testing.T) {
	l := leasing(t, ledger.Amount{Epsilon: 10})
	charge, err := ledger.Price(privacy.Claim{Unit: privacy.Text, Neighbouring: privacy.Replace, Epsilon: 1e-9}, "", 3)
	if err != nil {
		t.Fatal(err)
	}
	charge.Account, charge.Key = "alice", "draws-1"
	if _, err := l.Charge(t.Context(), charge); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		account, key string
		want         bool
	}{{"alice", "draws-1", true}, {"alice", "draws-2", false}, {"bob", "draws-1", false}} {
		if made, err := l.Charged(t.Context(), c.account, c.key); made != c.want || err != nil {
			t.Errorf("%s, %s: %v (%v)", c.account, c.key, made, err)
		}
	}
	if _, err := l.Charged(t.Context(), "alice", "no key"); err == nil {
		t.Error("a key with a space is taken")
	}
}
