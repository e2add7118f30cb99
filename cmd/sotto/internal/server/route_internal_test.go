package server

import (
	"slices"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/wire"
	"github.com/sotto-dp/sotto/ledger"
)

func TestRoutesAreDeclaredInWhole(t *testing.T) {
	s, err := New(Config{Playground: true, Ledger: &ledger.Ledger{}})
	if err != nil {
		t.Fatal(err)
	}
	if s.cfg.Ledger != nil {
		t.Error("handlers can reach the ledger without a payment")
	}
	seen := map[string]bool{}
	for _, r := range s.routes() {
		if seen[r.Name()] {
			t.Errorf("%s is declared twice", r.Name())
		}
		seen[r.Name()] = true
		if (r.Handle == nil) == (r.Charge == nil) {
			t.Errorf("%s must have one handler", r.Name())
		}
		if r.Charges() != slices.ContainsFunc(r.ReadHeaders(), func(h wire.Header) bool { return h.Name == wire.KeyHeader.Name }) {
			t.Errorf("%s charges %v, and reads %v", r.Name(), r.Charges(), r.ReadHeaders())
		}
		if (r.Id != "") != strings.Contains(r.Pattern, "{id...}") {
			t.Errorf("%s: %q describes no part of the path, or nothing does", r.Name(), r.Id)
		}
		if r.Answer == nil || r.Charges() && !r.Place {
			t.Errorf("%s has no answer, or charges without a place", r.Name())
		}
	}
	if len(seen) < 12 {
		t.Errorf("%d routes", len(seen))
	}
}
