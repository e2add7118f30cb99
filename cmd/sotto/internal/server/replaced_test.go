package server_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/server"
)

// Somebody puts another ledger, with budget, under the path of the open one. Its charges
// would be lost with the process.
func TestReplacedLedgerReleasesNothingAndIsNotReady(t *testing.T) {
	dir := t.TempDir()
	path, other := filepath.Join(dir, "budgets.db"), filepath.Join(dir, "other.db")
	l := openBudgets(t, other, map[string]string{"alice": "100"})
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	r := start(t, server.Config{Ledger: openBudgets(t, path, map[string]string{"alice": "100"})})
	r.rewrite(paid).rewritten(t)
	r.ask("GET", "/readyz", "").want(t, 200, "")
	if err := os.Rename(other, path); err != nil {
		t.Fatal(err)
	}
	r.ask("GET", "/readyz", "").want(t, 503, "")
	for _, a := range []reply{
		r.rewrite(paid), r.rewrite(paid, "Idempotency-Key", uuid), r.rewrite(inScope(scopeName, eight), "Idempotency-Key", uuid),
		r.ask("GET", "/v1/accounts/alice", ""),
	} {
		// No retry helps: a client that waits for one waits in vain.
		a.want(t, 503, "ledger-unavailable")
		if a.header.Get("Retry-After") != "" || !strings.Contains(a.body, "until the service is restarted") {
			t.Errorf("after %q: %s", a.header.Get("Retry-After"), a.body)
		}
	}
	const sentence = "ledger FILE: the file was replaced while it was open: nothing is charged until it is opened again"
	if n := strings.Count(r.log.String(), strings.Replace(sentence, "FILE", path, 1)); n != 5 {
		t.Errorf("%d of 5 lines of the log name the cause: %s", n, r.log.String())
	}
}
