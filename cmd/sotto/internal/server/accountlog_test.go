package server_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/server"
	"github.com/sotto-dp/sotto/corpus"
)

// The log says of each charge whose it is and what bounds it, so that an operator can take
// back what a restored copy of the ledger has forgotten. A name that the ledger does not
// know is the caller's, and is not logged.
func TestLogHasTheAccountOfEachCharge(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "budgets.db")
	l := openBudgets(t, path, map[string]string{"alice": "100", "texts": "100", "corpus": "100"})
	r := start(t, server.Config{Ledger: l, Corpora: []*corpus.Corpus{english(t), ofTopics(t)}})
	rewrite := func(more string) string { return `{"texts":["river"],"epsilon":4` + more + `}` }
	small := `{"records":` + records(2) + `,` + byTopic + `,"expect":300`
	type logged struct {
		Route, Account string
		Epsilon, Delta *float64
	}
	last := func() (one logged) {
		t.Helper()
		for line := range strings.Lines(r.log.String()) {
			if strings.Contains(line, `"msg":"request"`) {
				one = logged{}
				if err := json.Unmarshal([]byte(line), &one); err != nil {
					t.Fatal(err)
				}
			}
		}
		return one
	}
	requests := func() int { return strings.Count(r.log.String(), `"msg":"request"`) }
	for _, c := range []struct {
		path, body string
		status     int
		kind       string
		account    string
	}{
		{"rewrite", rewrite(`,"account":"alice"`), 200, "", "alice"},
		{"rewrite", rewrite(`,"account":"alice","scope":"` + scopeName + `"`), 200, "", "alice"},
		{"rewrite", rewrite(`,"account":"texts","unit":"text","corpus":"english"`), 200, "", "texts"},
		{"synthesize", small + `,"account":"corpus"}`, 200, "", "corpus"},
		{"rewrite", rewrite(``), 200, "", ""},
		{"rewrite", rewrite(`,"account":"nobody"`), 404, "unknown-account", ""},
		{"rewrite", rewrite(`,"account":"nobody","scope":"` + scopeName + `"`), 404, "unknown-account", ""},
		{"synthesize", small + `,"account":"nobody"}`, 404, "unknown-account", ""},
	} {
		before := requests()
		r.ask("POST", "/v1/"+c.path, c.body).want(t, c.status, c.kind)
		r.eventually("the request is logged", func() bool { return requests() > before })
		if got := last(); got.Account != c.account || got.Epsilon == nil || *got.Epsilon != 4 || got.Delta == nil || *got.Delta != 0 {
			t.Errorf("%s %s is logged with %+v", c.path, c.body, got)
		}
	}
	// Where the ledger fails, the charge may have been made.
	if err := os.Rename(path, filepath.Join(dir, "elsewhere")); err != nil {
		t.Fatal(err)
	}
	for _, more := range []string{"", `,"scope":"` + otherScope + `"`} {
		before := requests()
		r.rewrite(rewrite(`,"account":"alice"`+more)).want(t, 503, "ledger-unavailable")
		r.eventually("the request is logged", func() bool { return requests() > before })
		if got := last(); got.Account != "alice" {
			t.Errorf("a request whose charge may have been made is logged with %+v", got)
		}
	}
}
