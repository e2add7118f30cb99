package server_test

import (
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/server"
	"github.com/sotto-dp/sotto/ledger"
	"github.com/sotto-dp/sotto/privacy"
)

const uuid = "2f1c6a52-8b5e-4b1e-9a57-3f1b7c9d0e11"

func TestRewriteGivesTheLastUnitOnce(t *testing.T) {
	l := newBudgets(t, map[string]string{"alice": "16"})
	r := start(t, server.Config{Ledger: l})
	r.rewrite(`{"texts":["doctor"],"epsilon":8,"account":"alice"}`).rewritten(t)
	var wait sync.WaitGroup
	replies := make([]reply, 8)
	for i := range replies {
		wait.Go(func() { replies[i] = r.rewrite(`{"texts":["doctor"],"epsilon":8,"account":"alice"}`) })
	}
	wait.Wait()
	won := 0
	for _, a := range replies {
		if a.status == 200 {
			won++
			continue
		}
		a.want(t, 403, "budget-exhausted")
		if !strings.Contains(a.body, `"remaining":{"epsilon":0,"delta":0}`) || !strings.Contains(a.body, `"cost":{"epsilon":8,"delta":0}`) {
			t.Error(a.body)
		}
	}
	if a := accountOf(t, r, "alice"); won != 1 || a.Charges != 2 || a.Remaining.Epsilon != 0 {
		t.Errorf("%d won, %+v", won, a)
	}
}

func TestRetryGetsTheSameAnswerAndIsChargedOnceAlsoAfterARestart(t *testing.T) {
	path := filepath.Join(t.TempDir(), "budgets.db")
	const asked = `{"texts":["my doctor in Boston agreed","and paid"],"epsilon":8,"account":"alice"}`
	l := openBudgets(t, path, map[string]string{"alice": "100"})
	r := start(t, server.Config{Ledger: l})
	first := r.rewrite(asked, "Idempotency-Key", uuid)
	if a := first.rewritten(t); a.Receipt.Cost.Epsilon != 56 || a.Receipt.Remaining.Epsilon != 44 || a.Receipt.Account != "alice" {
		t.Errorf("%+v", a.Receipt)
	}
	r.shut()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	r = start(t, server.Config{Ledger: openBudgets(t, path, nil)})
	again := r.rewrite(asked, "Idempotency-Key", uuid).want(t, 200, "")
	if again.body != first.body || again.header.Get("Idempotent-Replayed") != "true" || first.header.Get("Idempotent-Replayed") != "" {
		t.Errorf("the retry got %s after %s", again.body, first.body)
	}
	r.rewrite(`{"texts":["another"],"epsilon":8,"account":"alice"}`, "Idempotency-Key", uuid).want(t, 422, "idempotency-key-reused")
	if a := accountOf(t, r, "alice"); a.Charges != 1 || a.Remaining.Epsilon != 44 {
		t.Errorf("%+v", a)
	}
}

func TestOverlappingRetriesGetOneAnswer(t *testing.T) {
	r := start(t, server.Config{Ledger: newBudgets(t, map[string]string{"alice": "100"})})
	var wait sync.WaitGroup
	replies := make([]reply, 8)
	for i := range replies {
		wait.Go(func() {
			replies[i] = r.rewrite(`{"texts":["my doctor in Boston agreed"],"epsilon":8,"account":"alice"}`, "Idempotency-Key", uuid)
		})
	}
	wait.Wait()
	for _, a := range replies {
		if a.want(t, 200, "").body != replies[0].body {
			t.Errorf("%s and %s", a.body, replies[0].body)
		}
	}
	if a := accountOf(t, r, "alice"); a.Charges != 1 || a.Spent.Epsilon != 40 {
		t.Errorf("%+v", a)
	}
}

func TestConsistentChargesDistinctWords(t *testing.T) {
	r := start(t, server.Config{Ledger: newBudgets(t, map[string]string{"alice": "100"})})
	a := r.rewrite(`{"texts":["doctor house doctor","doctor"],"epsilon":8,"account":"alice","consistent":true}`).rewritten(t)
	if a.Tokens != 4 || a.Draws != 3 || a.Receipt.Cost.Epsilon != 24 || a.Claim.Unit != "distinct word" {
		t.Errorf("%+v", a)
	}
	a = r.rewrite(`{"texts":["doctor house doctor","doctor"],"epsilon":8,"account":"alice"}`).rewritten(t)
	if a.Draws != 4 || a.Receipt.Cost.Epsilon != 32 || a.Claim.Unit != "token" {
		t.Errorf("%+v", a)
	}
}

func TestRetryAtAnotherCostIsRefused(t *testing.T) {
	l := newBudgets(t, map[string]string{"alice": "100"})
	r := start(t, server.Config{Ledger: l})
	const asked = `{"texts":["doctor"],"epsilon":8,"account":"alice"}`
	one, err := ledger.Price(privacy.Claim{Unit: privacy.Token, Notion: privacy.Pure, Epsilon: 1}, "", 1)
	if err != nil {
		t.Fatal(err)
	}
	one.Account, one.Key, one.Request = "alice", uuid, server.RequestHash(asked)
	if _, err := l.Charge(t.Context(), one); err != nil {
		t.Fatal(err)
	}
	r.rewrite(asked, "Idempotency-Key", uuid).want(t, 409, "cost-changed")
}

// A client sends its last byte after the server was told to stop. The request was in
// progress, so it is charged, drawn and answered.
func TestServeFinishesRequestsInProgress(t *testing.T) {
	l := newBudgets(t, map[string]string{"alice": "100"})
	r := start(t, server.Config{Ledger: l})
	const body = `{"texts":["my doctor agreed"],"epsilon":8,"account":"alice"}`
	c := r.dial()
	c.send("POST /v1/rewrite HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nConnection: close\r\nExpect: 100-continue\r\nContent-Length: %d\r\n\r\n%s", len(body), body[:len(body)-1])
	c.admitted()
	r.stop()
	r.eventually("the server stops", func() bool { return strings.Contains(r.log.String(), `"stopping"`) })
	c.send("%s", body[len(body)-1:])
	if got := c.rest(); !strings.HasPrefix(got, "HTTP/1.1 200 OK\r\n") || !strings.Contains(got, `"results":[{"text":"`) {
		t.Errorf("got %q", got)
	}
	r.shut()
	if a, err := l.Account(t.Context(), "alice"); err != nil || a.Charges != 1 {
		t.Errorf("%+v %v", a, err)
	}
}

// A client that leaves after its charge finds the answer under its key.
func TestRewriteStoresTheAnswerOfAClientThatLeft(t *testing.T) {
	l := newBudgets(t, map[string]string{"alice": "100"})
	r := start(t, server.Config{Ledger: l})
	const body = `{"texts":["my doctor agreed"],"epsilon":8,"account":"alice"}`
	c := r.dial()
	c.send("POST /v1/rewrite HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nIdempotency-Key: %s\r\nContent-Length: %d\r\n\r\n%s", uuid, len(body), body)
	r.eventually("it is charged", func() bool { return accountOf(t, r, "alice").Charges == 1 })
	c.close()
	r.rewrite(body, "Idempotency-Key", uuid).rewritten(t)
	if a := accountOf(t, r, "alice"); a.Charges != 1 || a.Spent.Epsilon != 24 {
		t.Errorf("%+v", a)
	}
	r.shut()
	if v, err := l.Verify(t.Context(), ledger.Hash{}); err != nil || v.Charges != 1 || v.Answers != 1 {
		t.Errorf("%+v %v", v, err)
	}
}

func (r *running) eventually(what string, is func() bool) {
	r.t.Helper()
	for end := time.Now().Add(time.Minute); !is(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			r.t.Fatalf("never: %s", what)
		}
	}
}

// A ledger without accounts may be a misspelt name, and the log warns of it.
func TestEmptyLedgerIsLogged(t *testing.T) {
	for _, grants := range []map[string]string{{}, {"alice": "40"}} {
		r := start(t, server.Config{Ledger: openBudgets(t, filepath.Join(t.TempDir(), "budgets.db"), grants)})
		r.eventually("the server serves", func() bool { return strings.Contains(r.log.String(), `"serving"`) })
		r.shut()
		if warned := strings.Contains(r.log.String(), "the ledger has no account"); warned != (len(grants) == 0) {
			t.Errorf("%d accounts: %s", len(grants), r.log.String())
		}
	}
}
