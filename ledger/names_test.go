package ledger_test

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/sotto-dp/sotto/ledger"
	"github.com/sotto-dp/sotto/ledger/sqlite"
	"github.com/sotto-dp/sotto/privacy"
)

// unreachable are names that the path of a URL cannot have.
var unreachable = []string{"a//b", "x/", "a/.", "a/..", "a/./b", "a/../b", "a///", "a/b/."}

func TestNewAccountsHaveNamesThatAPathCanHave(t *testing.T) {
	l := leasing(t, ledger.Amount{Epsilon: 1e9})
	for _, name := range unreachable {
		var refused *privacy.ParameterError
		if _, err := l.Grant(t.Context(), ledger.Grant{Account: name, Amount: ledger.Amount{Epsilon: 1e9}}); !errors.As(err, &refused) || refused.Name != "account" {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, name := range []string{"a", "a/b", "a/...", "a/.b", "a.b/c..", "A@b:c/+-_"} {
		if _, err := l.Grant(t.Context(), ledger.Grant{Account: name, Amount: ledger.Amount{Epsilon: 1e9}}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Accounts of an earlier version keep their names: they are shown, granted to, charged and
// verified, also after the ledger is opened again.
func TestAccountsOfEarlierVersionsKeepTheirNames(t *testing.T) {
	place, one := filepath.Join(t.TempDir(), "ledger.db"), ledger.Amount{Epsilon: 1e9}
	open := func() *ledger.Ledger {
		store, err := sqlite.Open(t.Context(), sqlite.Config{Path: place, Create: true})
		if err != nil {
			t.Fatal(err)
		}
		l, err := ledger.Open(t.Context(), ledger.Config{Store: store})
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	l := open()
	for _, name := range unreachable {
		if err := ledger.GrantAsEarlier(t.Context(), l, ledger.Grant{Account: name, Amount: one}); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	l = open()
	defer l.Close()
	for _, name := range unreachable {
		if _, err := l.Grant(t.Context(), ledger.Grant{Account: name, Amount: one}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := l.Charge(t.Context(), ledger.Charge{Account: name, Cost: one}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if a, err := l.Account(t.Context(), name); err != nil || a.Spent != one || a.Remaining(l.Now()) != one {
			t.Errorf("%s: %+v, %v", name, a, err)
		}
	}
	if v, err := l.Verify(t.Context(), ledger.Hash{}); err != nil || v.Accounts != len(unreachable) || v.Charges != int64(len(unreachable)) {
		t.Errorf("%+v, %v", v, err)
	}
}
