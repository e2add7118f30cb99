package server_test

import (
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/server"
	"github.com/sotto-dp/sotto/ledger"
)

// A request reaches exactly the accounts whose names a new account may have.
func TestEveryNewAccountCanBeAskedFor(t *testing.T) {
	r := start(t, server.Config{Ledger: newBudgets(t, nil)})
	names := []string{"a"}
	for from := 0; from < len(names) && len(names[from]) < 6; from++ {
		for _, next := range []string{"a", ".", "/"} {
			names = append(names, names[from]+next)
		}
	}
	for _, one := range strings.Split("._@:/+-Z9", "") {
		names = append(names, "a"+one+"b", "a"+one, "a/"+one+"b")
	}
	reached := 0
	for _, name := range names {
		a := r.ask("GET", "/v1/accounts/"+name, "")
		want := "not-found"
		if ledger.CheckNewAccount(name) == nil {
			want = "unknown-account"
			reached++
		}
		if a.status != 404 || a.kind() != want {
			t.Errorf("%s: %d %s, want %s", name, a.status, a.kind(), want)
		}
	}
	for _, path := range []string{"/v1/accounts", "/v1/accounts/", "/v1/accounts?text=secret"} { // never a redirect
		r.ask("GET", path, "").want(t, 404, "not-found")
	}
	if reached < 50 || reached > len(names)-50 {
		t.Errorf("of %d names %d are reached", len(names), reached)
	}
}
