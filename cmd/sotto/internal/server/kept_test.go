package server_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/server"
	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/ledger"
	"github.com/sotto-dp/sotto/ledger/sqlite"
)

// With its budget spent, an account may still ask for the replacements of its scope. Of
// each such request the ledger stores what a retry needs, not the texts.
func TestScopedRequestsWithoutCostDoNotFillTheLedger(t *testing.T) {
	stage.Unraced(t)
	path := filepath.Join(t.TempDir(), "budgets.db")
	l := openBudgets(t, path, map[string]string{"alice": "1"})
	r := start(t, server.Config{Ledger: l})
	r.rewrite(inScope(scopeName, "doctor")).rewritten(t) // spends the whole budget
	body := fmt.Sprintf(`{"texts":[%q,%[1]q,%[1]q],"epsilon":1,"account":"alice","scope":"%s","pieces":true}`, strings.Repeat("doctor ", 6_000), scopeName)
	bytes := 0
	for i := range 20 {
		key := fmt.Sprintf("%s-%d", uuid, i)
		first := r.rewrite(body, "Idempotency-Key", key).want(t, 200, "")
		bytes += len(first.body)
		if i == 0 { // and a retry gets the same bytes
			again := r.rewrite(body, "Idempotency-Key", key).want(t, 200, "")
			if again.body != first.body || again.header.Get("Idempotent-Replayed") != "true" {
				t.Errorf("a retry got other bytes: %d and %d", len(again.body), len(first.body))
			}
		}
	}
	// A request over budget stores nothing, under any key.
	before, err := l.Head(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i := range 20 {
		r.rewrite(inScope(scopeName, "doctor house"), "Idempotency-Key", fmt.Sprintf("%s-refused-%d", uuid, i)).want(t, 403, "budget-exhausted")
	}
	if after, err := l.Head(t.Context()); err != nil || after != before {
		t.Errorf("refused requests left %d entries (%v)", after.Seq-before.Seq, err)
	}
	r.shut()
	if err := l.Close(); err != nil { // everything is in the one file now
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("20 answers of %d bytes together; the ledger has %d bytes", bytes, info.Size())
	if info.Size() > 128<<10 {
		t.Errorf("the ledger has %d bytes after 20 requests that cost nothing", info.Size())
	}
}

// A retry in a scope is rebuilt from the scope's replacements, also after a restart.
// Overlapping requests under one key get the bytes of one of them.
func TestScopedRetriesAreRebuilt(t *testing.T) {
	path := filepath.Join(t.TempDir(), "budgets.db")
	l := openBudgets(t, path, map[string]string{"alice": "100"})
	r := start(t, server.Config{Ledger: l})
	replies := make([]reply, 8)
	var wait sync.WaitGroup
	for i := range replies {
		wait.Go(func() { replies[i] = r.rewrite(inScope(scopeName, eight), "Idempotency-Key", uuid) })
	}
	wait.Wait()
	for _, a := range replies {
		if a.want(t, 200, "").body != replies[0].body {
			t.Errorf("%s and %s", a.body, replies[0].body)
		}
	}
	r.rewrite(inScope(scopeName, eight+" garden")).rewritten(t) // the account has changed since
	r.shut()
	_ = l.Close()
	l = openBudgets(t, path, nil)
	r = start(t, server.Config{Ledger: l})
	again := r.rewrite(inScope(scopeName, eight), "Idempotency-Key", uuid).want(t, 200, "")
	if again.body != replies[0].body || again.header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("%s and %s", again.body, replies[0].body)
	}
	// An earlier version stored the answer itself.
	const old = `{"results":[{"text":"by an earlier version"}]}` + "\n"
	asked := inScope(scopeName, "doctor")
	if _, err := l.Charge(t.Context(), ledger.Charge{Account: "alice", Key: "earlier-version-of-this-program", Request: server.RequestHash(asked)}); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Answer(t.Context(), "alice", "earlier-version-of-this-program", []byte(old)); err != nil {
		t.Fatal(err)
	}
	if a := r.rewrite(asked, "Idempotency-Key", "earlier-version-of-this-program").want(t, 200, ""); a.body != old {
		t.Errorf("an answer of an earlier version became %s", a.body)
	}
	// A record that gives another answer, as another version would make it, is not used.
	if _, err := l.Charge(t.Context(), ledger.Charge{Account: "alice", Key: "another-version-of-this-program", Request: server.RequestHash(asked)}); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Answer(t.Context(), "alice", "another-version-of-this-program", []byte(`{"Draws":1,"Charge":2,"Hash":"00"}`)); err != nil {
		t.Fatal(err)
	}
	r.rewrite(asked, "Idempotency-Key", "another-version-of-this-program").want(t, 410, "answer-forgotten")
	if a := accountOf(t, r, "alice"); a.Spent.Epsilon != 9 {
		t.Errorf("%+v", a)
	}
}

func TestKeptAnswersExpireAndAreBounded(t *testing.T) {
	store, err := sqlite.Open(t.Context(), sqlite.Config{Path: filepath.Join(t.TempDir(), "budgets.db"), Create: true})
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	now := time.Now()
	clock := func() time.Time { mu.Lock(); defer mu.Unlock(); return now }
	l, err := ledger.Open(t.Context(), ledger.Config{Store: store, Now: clock, Answers: ledger.Keeping{For: time.Hour, Bytes: 4096}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	grant(t, l, "alice", "1000")
	r := start(t, server.Config{Ledger: l})
	body := `{"texts":["` + strings.Repeat("doctor ", 30) + `"],"epsilon":1,"account":"alice"}`
	free := `{"texts":[""],"epsilon":1,"account":"alice"}`
	n := 0
	for ; n < 20; n++ {
		a := r.rewrite(body, "Idempotency-Key", fmt.Sprint(uuid, n))
		if a.status != 200 {
			break
		}
	}
	spent := accountOf(t, r, "alice").Spent.Epsilon
	if n < 2 || n > 6 || spent != float64(30*n) {
		t.Errorf("%d answers are kept, %g is spent", n, spent)
	}
	full := r.rewrite(body, "Idempotency-Key", "another-key-that-is-new-here").want(t, 429, "answers-full")
	if full.header.Get("Retry-After") == "" {
		t.Error("nothing says when to ask again")
	}
	r.rewrite(free, "Idempotency-Key", "another-key-that-is-new-here").want(t, 429, "answers-full")
	r.rewrite(inScope(scopeName, "doctor"), "Idempotency-Key", "another-key-that-is-new-here").want(t, 429, "answers-full")
	if got := accountOf(t, r, "alice").Spent.Epsilon; got != spent {
		t.Errorf("refusals spent %g", got-spent)
	}
	r.rewrite(body).rewritten(t) // without a key
	r.rewrite(body, "Idempotency-Key", fmt.Sprint(uuid, 0)).want(t, 200, "")
	mu.Lock()
	now = now.Add(time.Hour + time.Second)
	mu.Unlock()
	r.rewrite(body, "Idempotency-Key", fmt.Sprint(uuid, 0)).want(t, 410, "answer-forgotten")
	r.rewrite(body, "Idempotency-Key", "another-key-that-is-new-here").rewritten(t)
	if got := accountOf(t, r, "alice").Spent.Epsilon; got != spent+60 {
		t.Errorf("%g is spent, want %g", got, spent+60)
	}
	if _, err := l.Verify(context.Background(), ledger.Hash{}); err != nil {
		t.Error(err)
	}
}
