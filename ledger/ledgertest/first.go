package ledgertest

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"testing"

	"github.com/sotto-dp/sotto/ledger"
	"github.com/sotto-dp/sotto/privacy"
)

// FirstVersion checks a ledger that the first version of this program made: it verifies up
// to the head that it had then, its keys return the same answers, and it accepts new
// entries. p.Open opens the store for writing, and reading opens it read-only. The file
// holds grants to alice and bob, the keys answered-0 to -2 with answers, unanswered
// without, word-1 and word-2 with answers of AnswerEach and word-3 without; see testdata.
func FirstVersion(t *testing.T, p Place, reading func(t testing.TB) ledger.Store, head string) {
	holds := func(l *ledger.Ledger) {
		t.Helper()
		v := verifies(t, l)
		if v.Head.Hash.String() != head || v.Charges != 8 || v.Answers != 5 || v.Kept != 5 || v.Grants != 3 {
			t.Fatalf("the ledger holds %+v, want what was made", v)
		}
		if a, err := l.Account(t.Context(), "alice"); err != nil || a.Spent != (ledger.Amount{Epsilon: 28, Delta: 3}) || a.Kept != 0 {
			t.Fatalf("the account is %+v (%v)", a, err)
		}
	}
	only, err := ledger.Open(t.Context(), ledger.Config{Store: reading(t)})
	if err != nil {
		t.Fatal(err)
	}
	holds(only)
	c := &clock{now: start}
	l := p.keeping(t, c.Now, ledger.Keeping{For: day, Bytes: 1 << 20})
	holds(l)
	holds(only) // opened before the tables were added
	_ = only.Close()
	retries := func() {
		t.Helper()
		for i := range 3 {
			key := fmt.Sprintf("answered-%d", i)
			r, err := l.Charge(t.Context(), ledger.Charge{Account: "alice", Cost: ledger.Amount{Epsilon: 7, Delta: 1}, Key: key, Request: sha256.Sum256([]byte("request"))})
			if err != nil || string(r.Answer) != "private copy "+key {
				t.Errorf("%s gives %+v (%v)", key, r, err)
			}
		}
		each, err := l.ChargeEach(t.Context(), ledger.Charge{Account: "bob", Cost: units(5)}, []string{"word-1", "word-2", "word-3"})
		if err != nil || each.New != 0 || len(each.Answers[0]) != 8 || each.Answers[1][7] != 2 || each.Answers[2] != nil {
			t.Errorf("the words give %+v (%v)", each, err)
		}
	}
	retries()
	answered(t, l, "alice", "new", []byte("private"))
	if r, err := l.Charge(t.Context(), keyed("alice", "unanswered", "request")); err != nil || !r.Replayed || r.Answered {
		t.Errorf("what was not answered is %+v (%v)", r, err)
	}
	c.set(start.Add(100 * day))
	if _, err := l.Charge(t.Context(), keyed("alice", "new", "request")); !errors.Is(err, ledger.ErrForgotten) {
		t.Errorf("a new answer that expired gives %v", err)
	}
	retries() // of answers that were kept when nothing said for how long
	if v := verifies(t, l); v.Charges != 9 || v.Answers != 6 || v.Kept != 5 {
		t.Errorf("the ledger holds %+v", v)
	}
	firstUnits(t, l)
}

// firstUnits charges for units that the first version did not know. What it charged is
// the loss of texts.
func firstUnits(t *testing.T, l *ledger.Ledger) {
	t.Helper()
	refused[*ledger.UnitError](t, second(chargeAs(l, "alice", units(1), party(privacy.Record, privacy.AddRemove))))
	if _, err := chargeAs(l, "alice", units(1), party(privacy.Token, privacy.Replace)); err != nil {
		t.Error(err)
	}
	grant(t, l, "corpus", units(1), 0)
	if _, err := chargeAs(l, "corpus", units(1), party(privacy.Record, privacy.AddRemove)); err != nil {
		t.Error(err)
	}
	if a, err := l.Account(t.Context(), "alice"); err != nil || a.Protects() != party(privacy.Text, privacy.Replace) {
		t.Errorf("the account is %+v (%v)", a, err)
	}
	verifies(t, l)
}
