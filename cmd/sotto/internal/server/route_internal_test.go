package server

import (
	"slices"
	"strings"
	"testing"

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
		if seen[r.name()] {
			t.Errorf("%s is declared twice", r.name())
		}
		seen[r.name()] = true
		if (r.handle == nil) == (r.charge == nil) {
			t.Errorf("%s must have one handler", r.name())
		}
		if r.charges() != slices.ContainsFunc(r.readHeaders(), func(h header) bool { return h.name == keyHeader.name }) {
			t.Errorf("%s charges %v, and reads %v", r.name(), r.charges(), r.readHeaders())
		}
		if (r.id != "") != strings.Contains(r.pattern, "{id...}") {
			t.Errorf("%s: %q describes no part of the path, or nothing does", r.name(), r.id)
		}
		if r.answer == nil || r.charges() && !r.place {
			t.Errorf("%s has no answer, or charges without a place", r.name())
		}
	}
	if len(seen) < 12 {
		t.Errorf("%d routes", len(seen))
	}
}
