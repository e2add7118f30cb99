package ledgertest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"testing"
	"time"

	"github.com/sotto-dp/sotto/ledger"
)

const key = "5f1c0b6e-7d0e-4c53-9a43-d3ff3c0c9d11"

func keyed(account, key, request string) ledger.Charge {
	return ledger.Charge{Account: account, Cost: units(3), Key: key, Request: sha256.Sum256([]byte(request))}
}

func retry(t *testing.T, p Place) {
	l := p.open(t, nil)
	grant(t, l, "alice", units(10), 0)
	c := keyed("alice", key, "request")
	first, err := l.Charge(t.Context(), c)
	if err != nil || first.Replayed {
		t.Fatalf("the first charge is %+v (%v), want a new one", first, err)
	}
	// A crash before the answer: nothing was released, the retry may draw again.
	l = p.open(t, nil)
	again, err := l.Charge(t.Context(), c)
	if err != nil || !again.Replayed || again.Answered || again.Entry != first.Entry || again.Remaining != units(7) {
		t.Fatalf("the retry is %+v (%v), want the charge on record without an answer", again, err)
	}
	answer := []byte("the private copy")
	if got, err := l.Answer(t.Context(), "alice", key, answer); err != nil || !bytes.Equal(got, answer) {
		t.Fatalf("the answer is %q (%v)", got, err)
	}
	l = p.open(t, nil)
	for range 3 {
		r, err := l.Charge(t.Context(), c)
		if err != nil || !r.Replayed || !r.Answered || !bytes.Equal(r.Answer, answer) {
			t.Fatalf("the retry is %+v (%v), want the answer", r, err)
		}
	}
	if v := verifies(t, l); v.Charges != 1 || v.Answers != 1 || v.Kept != 1 {
		t.Errorf("the ledger holds %+v, want one charge and one answer", v)
	}
	// An empty answer is an answer.
	empty := keyed("alice", "another-key", "request")
	if _, err := l.Charge(t.Context(), empty); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Answer(t.Context(), "alice", "another-key", nil); err != nil {
		t.Fatal(err)
	}
	if r, err := l.Charge(t.Context(), empty); err != nil || !r.Answered || len(r.Answer) != 0 {
		t.Errorf("the retry is %+v (%v), want an empty answer", r, err)
	}
}

func grantedOnce(t *testing.T, p Place) {
	l := p.open(t, nil)
	g := ledger.Grant{Account: "alice", Amount: units(10), Key: "top-up-of-may"}
	first, err := l.Grant(t.Context(), g)
	if err != nil || first.Replayed || first.Remaining != units(10) {
		t.Fatalf("the first grant is %+v (%v)", first, err)
	}
	if _, err := l.Charge(t.Context(), ledger.Charge{Account: "alice", Cost: units(3), Key: g.Key}); err != nil {
		t.Errorf("a charge under the same key: %v", err)
	}
	for range 2 {
		l = p.open(t, nil)
		again, err := l.Grant(t.Context(), g)
		if err != nil || !again.Replayed || again.Entry != first.Entry || again.Remaining != units(7) {
			t.Errorf("the same grant again is %+v (%v)", again, err)
		}
	}
	for what, other := range map[string]ledger.Grant{
		"another amount": {Account: "alice", Amount: units(11), Key: g.Key},
		"another period": {Account: "alice", Amount: units(10), Period: time.Hour, Key: g.Key},
		"a space":        {Account: "alice", Amount: units(10), Key: "top up"},
	} {
		if _, err := l.Grant(t.Context(), other); err == nil {
			t.Errorf("%s is granted", what)
		}
	}
	if bobs, err := l.Grant(t.Context(), ledger.Grant{Account: "bob", Amount: units(1), Key: g.Key}); err != nil || bobs.Replayed {
		t.Errorf("a grant to another account is %+v (%v)", bobs, err)
	}
	if v := verifies(t, l); v.Grants != 2 || v.Charges != 1 {
		t.Errorf("the ledger holds %+v, want two grants and a charge", v)
	}
}

func keyReuse(t *testing.T, p Place) {
	l := p.open(t, nil)
	grant(t, l, "alice", units(10), 0)
	grant(t, l, "bob", units(10), 0)
	if _, err := l.Charge(t.Context(), keyed("alice", key, "request")); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Charge(t.Context(), keyed("alice", key, "another")); !errors.Is(err, ledger.ErrKeyReused) {
		t.Errorf("the key with another request gives %v, want ErrKeyReused", err)
	}
	r, err := l.Charge(t.Context(), keyed("bob", key, "another"))
	if err != nil || r.Replayed {
		t.Errorf("another account's charge under the same key is %+v (%v), want a new one", r, err)
	}
	for _, wrong := range []string{"with space", "new\nline", "é", string(bytes.Repeat([]byte("k"), ledger.MaxKey+1))} {
		_, err := l.Charge(t.Context(), keyed("alice", wrong, "request"))
		if e := refused[bad](t, err); bytes.Contains([]byte(e.Error()), []byte(wrong)) {
			t.Errorf("the error repeats the key: %v", e)
		}
	}
	if _, err := l.Answer(t.Context(), "alice", "never-charged", nil); !errors.Is(err, ledger.ErrNotCharged) {
		t.Errorf("an answer without a charge gives %v, want ErrNotCharged", err)
	}
	// A refused charge leaves its key unused.
	big := keyed("alice", "big", "request")
	big.Cost = units(100)
	refused[*ledger.ExhaustedError](t, second(l.Charge(t.Context(), big)))
	big.Cost = units(1)
	if r, err := l.Charge(t.Context(), big); err != nil || r.Replayed {
		t.Errorf("after a refusal the charge is %+v (%v), want a new one", r, err)
	}
	verifies(t, l)
}

func firstAnswer(t *testing.T, p Place) {
	l, other := p.open(t, nil), p.open(t, nil)
	grant(t, l, "alice", units(10), 0)
	if _, err := l.Charge(t.Context(), keyed("alice", key, "request")); err != nil {
		t.Fatal(err)
	}
	for i, at := range []*ledger.Ledger{l, other, l} {
		got, err := at.Answer(t.Context(), "alice", key, []byte{byte('a' + i)})
		if err != nil || string(got) != "a" {
			t.Errorf("answer %d is %q (%v), want the first one kept", i, got, err)
		}
	}
	if v := verifies(t, l); v.Answers != 1 {
		t.Errorf("%d answers on record, want one", v.Answers)
	}
}

func forgotten(t *testing.T, p Place) {
	l := p.open(t, nil)
	grant(t, l, "alice", units(10), 0)
	c := keyed("alice", key, "request")
	if _, err := l.Charge(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Answer(t.Context(), "alice", key, []byte("private")); err != nil {
		t.Fatal(err)
	}
	p.Exec(t, "DELETE FROM ledger_answers")
	if _, err := l.Charge(t.Context(), c); !errors.Is(err, ledger.ErrForgotten) {
		t.Errorf("the retry gives %v, want ErrForgotten", err)
	}
	if _, err := l.Answer(t.Context(), "alice", key, []byte("second draw")); !errors.Is(err, ledger.ErrForgotten) {
		t.Errorf("a second answer gives %v, want ErrForgotten", err)
	}
	if v := verifies(t, l); v.Answers != 1 || v.Kept != 0 {
		t.Errorf("the ledger holds %+v, want one answer that is not kept", v)
	}
}

func nothingPlain(t *testing.T, p Place) {
	l := p.open(t, nil)
	grant(t, l, "plainly-visible", units(10), 0)
	request, answer := []byte("the patient is my neighbour"), []byte("the private copy of the text")
	c := keyed("plainly-visible", key, string(request))
	if _, err := l.Charge(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Answer(t.Context(), "plainly-visible", key, answer); err != nil {
		t.Fatal(err)
	}
	verifies(t, l)
	if !p.Holds(t, []byte("plainly-visible")) {
		t.Fatal("what is stored was not found: the test looks in the wrong place")
	}
	hashed := sha256.Sum256([]byte(key))
	for what, data := range map[string][]byte{
		"the request": request, "the request's digest, which confirms a guess": c.Request[:], "the answer": answer,
		"the key": []byte(key), "the key's plain digest": hashed[:],
	} {
		if p.Holds(t, data) {
			t.Errorf("%s lies in the store", what)
		}
	}
}

func leaving(t *testing.T, p Place) {
	l := p.open(t, nil)
	grant(t, l, "alice", units(10), 0)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := l.Charge(ctx, keyed("alice", key, "request")); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled charge gives %v", err)
	}
	// Whether it was charged or not, the retry pays once.
	if _, err := l.Charge(t.Context(), keyed("alice", key, "request")); err != nil {
		t.Fatal(err)
	}
	if v := verifies(t, l); v.Charges != 1 {
		t.Errorf("%d charges on record, want one", v.Charges)
	}
	if err := l.Close(); err != nil {
		t.Error(err)
	}
	if _, err := charge(l, "alice", units(1)); !errors.Is(err, ledger.ErrClosed) {
		t.Errorf("a closed ledger gives %v, want ErrClosed", err)
	}
}
