package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/ledger"
	"github.com/sotto-dp/sotto/ledger/open"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/privacy/accountant"
)

// An account adds up the losses of records that are added or removed.
func TestAccountOfRecordsPaysForTextsThatAreTheirRecords(t *testing.T) {
	stage.Unraced(t)
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	for name, body := range map[string]string{"in.txt": "the doctor called\nno answer\n", "in.csv": "label,text\n1,the doctor called\n",
		"in.jsonl": `{"t":null,"m":[]}` + "\n" + `{"t":"no answer","m":[{"t":"no"},{"t":"answer"}]}` + "\n"} {
		if err := os.WriteFile(in(name), []byte(body), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	l, err := open.Ledger(t.Context(), in("budgets.db"), open.Create)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	unit := func(n int64) ledger.Amount { return ledger.Amount{Epsilon: n * 1e9} }
	if _, err := l.Grant(t.Context(), ledger.Grant{Account: "corpus", Amount: unit(100)}); err != nil {
		t.Fatal(err)
	}
	three, err := ledger.Price(privacy.Claim{Unit: privacy.Record, Neighbouring: privacy.AddRemove, Notion: privacy.Pure, Epsilon: 3}, "", 1)
	if err != nil {
		t.Fatal(err)
	}
	three.Account = "corpus"
	if _, err := l.Charge(t.Context(), three); err != nil {
		t.Fatal(err)
	}
	rewrite := func(code int, spent int64, relation privacy.Relation, args ...string) {
		t.Helper()
		all := append([]string{"rewrite", "-e", "4", "--account", "corpus", "--ledger", in("budgets.db"), "-o", in("out")}, args...)
		if got := run(all); got != code {
			t.Errorf("rewrite %q ends with %d, want %d", args, got, code)
		}
		a, err := l.Account(t.Context(), "corpus")
		if err != nil || a.Spent != unit(spent) || a.Protects() != (accountant.Party{Unit: privacy.Record, Neighbouring: relation}) {
			t.Errorf("after rewrite %q the account has spent %v of %v (%v)", args, a.Spent, a.Protects(), err)
		}
	}
	rewrite(cli.ExitUsage, 3, privacy.AddRemove, in("in.txt"))                                                            // words
	rewrite(cli.ExitUsage, 3, privacy.AddRemove, "--unit", "text", "--field", "text", in("in.csv"))                       // labels in clear
	rewrite(0, 2*3+2*4, privacy.Replace, "--unit", "text", in("in.txt"))                                                  // two texts
	rewrite(0, 14+4, privacy.Replace, "--unit", "text", "--shuffle", "--field", "text", in("in.csv"))                     // only the text
	rewrite(0, 18+2*4, privacy.Replace, "--unit", "text", "--shuffle", "--field", "t", in("in.jsonl"))                    // a null and a text
	rewrite(cli.ExitUsage, 26, privacy.Replace, "--unit", "text", "--shuffle", "--field", "m[*].t", in("in.jsonl"))       // any number for a record
	rewrite(cli.ExitUsage, 26, privacy.Replace, "--unit", "text", "--format", "text", "-o", in("out")+"s/", in("in.txt")) // under its name
	rewrite(0, 26+2*4, privacy.Replace, "--unit", "text", "-o", in("out")+"s/", in("in.txt"))                             // the name of no record
	if _, err := l.Verify(t.Context(), ledger.Hash{}); err != nil {
		t.Error(err)
	}
}
