package server_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/server"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/ledger/sqlite"
)

// Of a keyed request in a scope the ledger stores only what a retry needs, however long
// the texts are. An exhausted account cannot fill the disk with copies of what it already
// has, and a retry, also after a restart, gets the same bytes.
func TestScopedAnswersAreStoredWithoutTheirTexts(t *testing.T) {
	stage.Unraced(t)
	path := filepath.Join(t.TempDir(), "budgets.db")
	l := openBudgets(t, path, map[string]string{"alice": "8.5"})
	r := start(t, server.Config{Ledger: l})
	key := func(i int) string { return fmt.Sprintf("%s-%d", uuid, i) }
	long := strings.Replace(inScope(scopeName, strings.Repeat(eight+" ", 1000)), `"epsilon"`, `"pieces":true,"report":true,"epsilon"`, 1)
	paid := r.rewrite(long, "Idempotency-Key", key(0)).want(t, 200, "")
	if a := paid.rewritten(t); a.Draws != 8 || a.Receipt.Cost.Epsilon != 8 || a.Receipt.Remaining.Epsilon != 0.5 {
		t.Fatalf("%+v", a.Receipt)
	}
	size := func() (all int64) {
		for _, name := range []string{path, path + "-wal"} {
			if info, err := os.Stat(name); err == nil {
				all += info.Size()
			}
		}
		return all
	}
	// SQLite's write-ahead log holds about ten pages of 4 KiB per transaction until it is
	// checkpointed.
	before := size()
	var free []reply
	for i := 1; i <= 20; i++ {
		free = append(free, r.rewrite(long, "Idempotency-Key", key(i)).want(t, 200, ""))
	}
	if grown := size() - before; grown > 20*80<<10 || len(free[0].body) < 3*80<<10 {
		t.Errorf("20 answers of %d bytes that cost nothing added %d bytes to the ledger", len(free[0].body), grown)
	}
	r.shut()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	r = start(t, server.Config{Ledger: openBudgets(t, path, nil)})
	for i, want := range append([]reply{paid}, free...) {
		again := r.rewrite(long, "Idempotency-Key", key(i)).want(t, 200, "")
		if again.body != want.body || again.header.Get("Idempotent-Replayed") != "true" {
			t.Errorf("retry %d gets another answer", i)
		}
	}
	if a := accountOf(t, r, "alice"); a.Spent.Epsilon != 8 {
		t.Errorf("%+v", a)
	}
	r.rewrite(inScope(scopeName, "doctor"), "Idempotency-Key", key(3)).want(t, 422, "idempotency-key-reused")
}

// The charges are made and the answer is lost: a retry under the same key gets a receipt of
// what the first call paid. With another table it would be charged again, and is refused.
func TestScopedRetriesOfLostAnswersShowWhatWasPaid(t *testing.T) {
	path := filepath.Join(t.TempDir(), "budgets.db")
	store, err := sqlite.Open(t.Context(), sqlite.Config{Path: path, Create: true})
	if err != nil {
		t.Fatal(err)
	}
	b := &brittle{Store: store}
	l := budgetsOver(t, b, map[string]string{"alice": "100"})
	r := start(t, server.Config{Ledger: l})
	b.how.Store(unknown)
	for _, key := range []string{uuid + "1", uuid + "2"} {
		r.unavailable(r.rewrite(inScope(uuid+key, eight), "Idempotency-Key", key))
	}
	b.how.Store(whole)
	if a := r.rewrite(inScope(uuid+uuid+"1", eight), "Idempotency-Key", uuid+"1").rewritten(t); a.Draws != 8 || a.Receipt.Cost.Epsilon != 8 || a.Receipt.Remaining.Epsilon != 84 {
		t.Errorf("%d draws, receipt %+v", a.Draws, a.Receipt)
	}
	r.shut()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	_, cut := withoutThe(t, 5000)
	r = start(t, server.Config{Ledger: openBudgets(t, path, nil), Tables: []*embedding.Table{cut}})
	r.rewrite(inScope(uuid+uuid+"2", eight), "Idempotency-Key", uuid+"2").want(t, 409, "cost-changed")
	if a := accountOf(t, r, "alice"); a.Spent.Epsilon != 16 {
		t.Errorf("%+v", a)
	}
}
