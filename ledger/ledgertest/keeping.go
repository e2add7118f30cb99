package ledgertest

import (
	"bytes"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/sotto-dp/sotto/ledger"
)

const day = 24 * time.Hour

// keptOf is what is kept of alice's answers until it expires, in bytes.
func keptOf(t *testing.T, l *ledger.Ledger, account string) int64 {
	t.Helper()
	a, err := l.Account(t.Context(), account)
	if err != nil {
		t.Fatal(err)
	}
	return a.Kept
}

// answered charges under a key and answers.
func answered(t *testing.T, l *ledger.Ledger, account, key string, answer []byte) {
	t.Helper()
	_, err := l.Charge(t.Context(), keyed(account, key, "request"))
	if err == nil {
		_, err = l.Answer(t.Context(), account, key, answer)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func expiry(t *testing.T, p Place) {
	c := &clock{now: start}
	l := p.keeping(t, c.Now, ledger.Keeping{For: day})
	grant(t, l, "alice", units(100), 0)
	answered(t, l, "alice", key, []byte("private"))
	if _, err := l.ChargeEach(t.Context(), ledger.Charge{Account: "alice", Cost: units(1)}, []string{"word"}); err != nil {
		t.Fatal(err)
	}
	if _, err := l.AnswerEach(t.Context(), "alice", []string{"word"}, [][]byte{{7}}); err != nil {
		t.Fatal(err)
	}
	answered(t, p.open(t, c.Now), "alice", "for-ever", []byte("private"))
	c.set(start.Add(day - time.Second))
	if r, err := l.Charge(t.Context(), keyed("alice", key, "request")); err != nil || string(r.Answer) != "private" {
		t.Errorf("within the time the retry is %+v (%v)", r, err)
	}
	c.set(start.Add(day + time.Second))
	before := verifies(t, l)
	for _, at := range []*ledger.Ledger{l, p.keeping(t, c.Now, ledger.Keeping{For: day}), p.open(t, c.Now)} {
		if _, err := at.Charge(t.Context(), keyed("alice", key, "request")); !errors.Is(err, ledger.ErrForgotten) {
			t.Errorf("after it the retry gives %v, want ErrForgotten", err)
		}
		if _, err := at.Answer(t.Context(), "alice", key, []byte("second draw")); !errors.Is(err, ledger.ErrForgotten) {
			t.Errorf("a second answer gives %v, want ErrForgotten", err)
		}
		if r, err := at.Charge(t.Context(), keyed("alice", "for-ever", "request")); err != nil || string(r.Answer) != "private" {
			t.Errorf("what is kept forever is %+v (%v)", r, err)
		}
		each, err := at.ChargeEach(t.Context(), ledger.Charge{Account: "alice", Cost: units(1)}, []string{"word"})
		if err != nil || each.New != 0 || !bytes.Equal(each.Answers[0], []byte{7}) {
			t.Errorf("what later requests rest on is %+v (%v)", each, err)
		}
	}
	// The chain verifies without the expired answers, and nothing was spent.
	after := verifies(t, l)
	if after.Head != before.Head || after.Answers != 3 || before.Kept != 3 || after.Kept != 2 {
		t.Errorf("the ledger held %+v, holds %+v: want one answer less kept, and nothing else changed", before, after)
	}
	if kept := keptOf(t, l, "alice"); kept != 0 {
		t.Errorf("%d bytes are counted after all has expired", kept)
	}
	for _, wrong := range []ledger.Keeping{{For: -1}, {Bytes: -1, For: day}, {Bytes: 1}} {
		store := p.Open(t)
		_, err := ledger.Open(t.Context(), ledger.Config{Store: store, Answers: wrong})
		refused[bad](t, err)
		_ = store.Close()
	}
}

func bounded(t *testing.T, p Place) {
	c := &clock{now: start}
	keeping := ledger.Keeping{For: day, Bytes: 4000}
	l, other := p.keeping(t, c.Now, keeping), p.keeping(t, c.Now, keeping)
	grant(t, l, "alice", units(1000), 0)
	grant(t, l, "bob", units(1000), 0)
	answer := make([]byte, 1000)
	for i, at := range []*ledger.Ledger{l, other, l} { // 512 more are counted for each
		answered(t, at, "alice", fmt.Sprint("key-", i), answer)
	}
	before := verifies(t, l)
	kept := keptOf(t, other, "alice")
	if kept < 3*1500 || kept > 3*1600 {
		t.Errorf("%d bytes are counted for three answers of 1000", kept)
	}
	one := ledger.Charge{Account: "alice", Cost: units(1), Key: "whole"}
	free := keyed("alice", "free", "request")
	free.Cost = units(0)
	for _, at := range []*ledger.Ledger{l, other} {
		e := refused[*ledger.AnswersFullError](t, second(at.Charge(t.Context(), keyed("alice", "another", "request"))))
		if e.Account != "alice" || e.Kept != kept || e.Most != keeping.Bytes {
			t.Errorf("refused with %+v", e)
		}
		refused[*ledger.AnswersFullError](t, second(at.Charge(t.Context(), free)))
		refused[*ledger.AnswersFullError](t, second(at.ChargeEach(t.Context(), one, []string{"word"})))
	}
	if after := verifies(t, l); after != before {
		t.Errorf("a refusal left %+v of %+v", after, before)
	}
	// Earlier requests are answered, and a request without a key is charged as usual.
	for i := range 3 {
		if r, err := l.Charge(t.Context(), keyed("alice", fmt.Sprint("key-", i), "request")); err != nil || !r.Answered {
			t.Errorf("a retry gives %+v (%v)", r, err)
		}
	}
	mustCharge(t, l, "alice", units(1))
	one.Key = ""
	if each, err := l.ChargeEach(t.Context(), one, []string{"word"}); err != nil || each.New != 1 {
		t.Errorf("%+v (%v)", each, err)
	}
	answered(t, l, "bob", "another", answer)
	c.set(start.Add(day + time.Second))
	answered(t, other, "alice", "another", answer)
	if now := keptOf(t, l, "alice"); now >= kept || now < 1500 {
		t.Errorf("%d bytes are counted for one answer", now)
	}
	if now := keptOf(t, l, "bob"); now != 0 {
		t.Errorf("%d bytes are counted for none", now)
	}
	verifies(t, l)
}

// manyExpire has more answers expire at once than one transaction removes.
func manyExpire(t *testing.T, p Place) {
	c := &clock{now: start}
	l := p.keeping(t, c.Now, ledger.Keeping{For: day})
	grant(t, l, "alice", units(1<<40), 0)
	const workers, each = 50, 30
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for i := range each {
				answered(t, l, "alice", fmt.Sprintf("key-%d-%d", w, i), []byte("private"))
			}
		})
	}
	wg.Wait()
	c.set(start.Add(day + time.Second))
	for range 2 {
		mustCharge(t, l, "alice", units(1))
	}
	if v := verifies(t, l); v.Kept != 0 || v.Answers != workers*each || keptOf(t, l, "alice") != 0 {
		t.Errorf("%d answers and %d bytes are kept of %d", v.Kept, keptOf(t, l, "alice"), v.Answers)
	}
}

func ownKey(t *testing.T, p Place) {
	l := p.open(t, nil)
	grant(t, l, "alice", units(10), 0)
	before := verifies(t, l)
	c := ledger.Charge{Account: "alice", Cost: units(3), Key: "whole", Request: ledger.Hash{1}}
	refused[*ledger.ExhaustedError](t, second(l.ChargeEach(t.Context(), c, []string{"a", "b", "c", "d"})))
	if after := verifies(t, l); after != before {
		t.Fatalf("a refusal left %+v of %+v", after, before)
	}
	first, err := l.ChargeEach(t.Context(), c, []string{"a", "b"})
	if err != nil || first.New != 2 || first.Replayed || first.Answered || first.Remaining != units(4) {
		t.Fatalf("the first request gives %+v (%v)", first, err)
	}
	// A crash before the answer: what is missing of it is paid for by the retry.
	l = p.open(t, nil)
	ownKeyPaid(t, l, c)
	if _, err := l.AnswerEach(t.Context(), "alice", []string{"a", "b"}, [][]byte{{1}, {2}}); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Answer(t.Context(), "alice", "whole", []byte("record")); err != nil {
		t.Fatal(err)
	}
	ownKeyAnswered(t, l, c)
}

// ownKeyPaid retries a request under c's key that charged a and b. The retry has the receipt
// of that, whatever others charged since, and never pays for other keys.
func ownKeyPaid(t *testing.T, l *ledger.Ledger, c ledger.Charge) {
	t.Helper()
	other := c
	other.Key = "overlapping"
	for _, when := range []string{"the first time", "again"} {
		if got, err := l.ChargeEach(t.Context(), other, []string{"b", "new", "a"}); err != nil || got.New != 1 || got.Spent != units(3) {
			t.Errorf("a request with one new key %s gives %+v (%v)", when, got, err)
		}
	}
	before := verifies(t, l)
	again, err := l.ChargeEach(t.Context(), c, []string{"a", "b", "a"})
	if err != nil || again.New != 2 || again.Spent != units(6) || again.Remaining != units(1) || !again.Replayed || again.Answered {
		t.Errorf("the retry gives %+v (%v)", again, err)
	}
	for _, changed := range [][]string{{"a", "c"}, {"c", "d"}, {"new"}, {"a", "b", "new"}} {
		if got, err := l.ChargeEach(t.Context(), c, changed); !errors.Is(err, ledger.ErrChargeChanged) {
			t.Errorf("a retry for %v instead of a and b gives %+v (%v)", changed, got, err)
		}
	}
	if after := verifies(t, l); after != before {
		t.Errorf("retries left %+v of %+v", after, before)
	}
}

// ownKeyAnswered goes on where the request under c's key, for a and b, is answered.
func ownKeyAnswered(t *testing.T, l *ledger.Ledger, c ledger.Charge) {
	t.Helper()
	before := verifies(t, l)
	done, err := l.ChargeEach(t.Context(), c, []string{"a", "b", "none"})
	if err != nil || !done.Answered || string(done.Answer) != "record" || done.Remaining != units(1) || !bytes.Equal(done.Answers[1], []byte{2}) || done.Answers[2] != nil {
		t.Errorf("the retry of what was answered gives %+v (%v)", done, err)
	}
	c.Request = ledger.Hash{2}
	if _, err := l.ChargeEach(t.Context(), c, []string{"a"}); !errors.Is(err, ledger.ErrKeyReused) {
		t.Errorf("another request gives %v, want ErrKeyReused", err)
	}
	c.Key = "other"
	if other, err := l.ChargeEach(t.Context(), c, []string{"a", "b"}); err != nil || other.New != 0 || other.Replayed || !bytes.Equal(other.Answers[0], []byte{1}) {
		t.Errorf("another key gives %+v (%v), want the same answers", other, err)
	}
	c.Key = "a" // a word's key is not a request's
	if _, err := l.ChargeEach(t.Context(), c, nil); !errors.Is(err, ledger.ErrKeyReused) {
		t.Errorf("a key of a word gives %v, want ErrKeyReused", err)
	}
	if v := verifies(t, l); v.Charges != before.Charges+1 || v.Answers != before.Answers {
		t.Errorf("the ledger held %+v, holds %+v", before, v)
	}
}
