package ledgertest

import (
	"testing"

	"github.com/sotto-dp/sotto/ledger"
)

// wentBack changes the store as a restored copy, or another ledger under the
// same name, would change what an open ledger reads.
func wentBack(t *testing.T, p Place) {
	const (
		cut  = "UPDATE ledger_head SET seq = 11, hash = (SELECT hash FROM ledger_entries WHERE seq = 11), time = (SELECT time FROM ledger_entries WHERE seq = 11)"
		mend = "UPDATE ledger_head SET seq = 12, hash = (SELECT hash FROM ledger_entries WHERE seq = 12), time = (SELECT time FROM ledger_entries WHERE seq = 12)"
		swap = "UPDATE ledger_head SET hash = id, id = hash"
	)
	first, _ := filled(t, p)
	id, err := first.Head(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	other := "UPDATE ledger_entries SET hash = (SELECT id FROM ledger_head) WHERE seq = 12"
	for _, c := range []struct {
		what        string
		there, back []string
		grows       bool
	}{
		{"an old copy", []string{cut}, []string{mend}, false},
		{"another ledger", []string{swap}, []string{swap}, false},
		{"another last entry", []string{"UPDATE ledger_head SET hash = id"}, []string{mend}, false},
		// Another instance goes on where the copy ends: as long, and longer.
		{"an old copy that grew", []string{other}, []string{"UPDATE ledger_entries SET hash = (SELECT hash FROM ledger_head) WHERE seq = 12"}, true},
	} {
		for what, do := range map[string]func(l *ledger.Ledger) error{
			"a charge":  func(l *ledger.Ledger) error { return second(charge(l, "bob", units(1))) },
			"a look":    func(l *ledger.Ledger) error { return second(l.Account(t.Context(), "bob")) },
			"readiness": func(l *ledger.Ledger) error { return second(l.Head(t.Context())) },
		} {
			l := p.open(t, nil)
			if c.grows { // the open ledger has seen entry 12 as the last one, another has gone on
				p.Exec(t, "UPDATE ledger_head SET seq = 13")
			}
			for _, s := range c.there {
				p.Exec(t, s)
			}
			refused[*ledger.ReplacedError](t, do(l))
			for _, s := range c.back {
				p.Exec(t, s)
			}
			if c.grows {
				p.Exec(t, "UPDATE ledger_head SET seq = 12")
			}
			// What it saw is final, though all is as before.
			refused[*ledger.ReplacedError](t, second(charge(l, "bob", units(1))))
			refused[*ledger.ReplacedError](t, second(l.Accounts(t.Context())))
			refused[*ledger.ReplacedError](t, second(l.Verify(t.Context(), ledger.Hash{})))
			again := p.open(t, nil)
			if v := verifies(t, again); v.Head != id {
				t.Errorf("%s after %s: the ledger ends with %+v, want %+v", what, c.what, v.Head, id)
			}
		}
	}
	mustCharge(t, p.open(t, nil), "bob", units(1))
}
