package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/ledger"
	"github.com/sotto-dp/sotto/ledger/open"
)

// wholeTexts runs rewrite for whole texts in a folder and returns the exit status, the output
// and the report.
func wholeTexts(t *testing.T, folder, out string, args ...string) (code int, written string, report sotto.Statement) {
	t.Helper()
	in := func(name string) string { return filepath.Join(folder, name) }
	all := append([]string{"rewrite", "--unit", "text", "-o", in(out), "--report", in("report.json")}, args...)
	_ = os.Remove(in("report.json"))
	if code = run(all); code != 0 {
		return code, "", report
	}
	data, err := os.ReadFile(in(out))
	if err != nil {
		t.Fatal(err)
	}
	said, err := os.ReadFile(in("report.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(said, &report); err != nil {
		t.Fatal(err)
	}
	return code, string(data), report
}

// usersFile has 3 rows of ann, 1 of bob.
const usersFile = "who,text,other\nann,one,1\nbob,two,2\nann,three,3\nann,four,4\n"

func textsFolder(t *testing.T) (folder string, in func(string) string) {
	t.Helper()
	folder = t.TempDir()
	in = func(name string) string { return filepath.Join(folder, name) }
	for name, content := range map[string]string{"in.csv": usersFile, "in.txt": strings.Repeat("a text\n", 600), "b.txt": "b\n"} {
		if err := os.WriteFile(in(name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder, in
}

// Shuffled texts cost their own epsilon, each, however small the figure of the shuffled file is:
// the account does not know who sees only that file.
func TestShuffledTextsAreChargedAtTheirOwnEpsilon(t *testing.T) {
	stage.Unraced(t)
	folder, in := textsFolder(t)
	l, err := open.Ledger(t.Context(), in("l.db"), open.Create)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	if _, err := l.Grant(t.Context(), ledger.Grant{Account: "team", Amount: ledger.Amount{Epsilon: 2000e9}}); err != nil {
		t.Fatal(err)
	}
	spent := int64(0)
	for _, c := range []struct {
		cost int64
		args []string
	}{
		{600, []string{"-e", "1", "--shuffle", in("in.txt")}},
		{600, []string{"-e", "1", in("in.txt")}},
		{6, []string{"-e", "4", "--shuffle", "--field", "text", "--user", "who", "--per-user", "2", in("in.csv")}},          // 3 rows of 2
		{8, []string{"-e", "4", "--shuffle", "--pad", "--field", "text", "--user", "who", "--per-user", "2", in("in.csv")}}, // and one more
	} {
		code, _, report := wholeTexts(t, folder, "out.txt", append(c.args, "--account", "team", "--ledger", in("l.db"))...)
		spent += c.cost
		a, err := l.Account(t.Context(), "team")
		if code != 0 || err != nil || a.Spent != (ledger.Amount{Epsilon: spent * 1e9}) {
			t.Errorf("%q ends with %d: the account has spent %v, want %d (%v)", c.args, code, a.Spent, spent, err)
		}
		if c.cost == 600 && slices.Contains(c.args, "--shuffle") && (report.Shuffled == nil || report.Shuffled.Epsilon > 0.5 || report.Claim.Epsilon != 1) {
			t.Errorf("the report of 600 shuffled texts at epsilon 1 has %+v", report.Shuffled)
		}
	}
}

// Each flag reaches what it is for.
func TestTextFlagsAreInForce(t *testing.T) {
	stage.Unraced(t)
	folder, in := textsFolder(t)
	_, _, report := wholeTexts(t, folder, "out.txt", "-e", "1", "--shuffle", "--shuffle-delta", "0.001", in("in.txt"))
	if f := report.Shuffled; f == nil || f.Records != 600 || f.Delta != 0.001 {
		t.Errorf("with a delta of its own the figures are %+v", f)
	}
	users := []string{"-e", "4", "--field", "text", "--user", "who", "--per-user", "2", in("in.csv")}
	_, written, report := wholeTexts(t, folder, "out.csv", users...)
	if lines := strings.Split(strings.TrimSpace(written), "\n"); len(lines) != 4 || report.Shuffled != nil || report.Users == nil || report.Users.Padded {
		t.Errorf("the first two rows of each user: %q, %+v", lines, report.Users)
	}
	_, written, report = wholeTexts(t, folder, "out.csv", append(users, "--pad")...)
	lines := strings.Split(strings.TrimSpace(written), "\n")
	if len(lines) != 5 || lines[0] != "who,text" || strings.Count(written, "\nann,") != 2 || strings.Count(written, "\nbob,") != 2 || report.Users == nil || !report.Users.Padded {
		t.Errorf("padded: %q, %+v", lines, report.Users)
	}
	_, written, report = wholeTexts(t, folder, "out.csv", append(users, "--pad", "--shuffle")...)
	lines = strings.Split(strings.TrimSpace(written), "\n")
	if len(lines) != 5 || lines[0] != "text" || report.Shuffled == nil || report.Shuffled.Records != 4 {
		t.Errorf("padded and shuffled: %q, %+v", lines, report.Shuffled)
	}
}

// What cannot be combined is refused before anything is read or written.
func TestTextFlagsThatDoNotFitAreRefused(t *testing.T) {
	folder, in := textsFolder(t)
	for _, args := range [][]string{
		{"--shuffle", "--field", "text", "--field", "other", in("in.csv")},
		{"--shuffle-delta", "0.1", in("in.txt")},
		{"--shuffle", "--shuffle-delta", "0", in("in.txt")},
		{"--shuffle", "--shuffle-delta", "1", in("in.txt")},
		{"--field", "text", "--user", "who", in("in.csv")},
		{"--field", "text", "--per-user", "2", in("in.csv")},
		{"--field", "text", "--pad", in("in.csv")},
		{"--shuffle", "--unit", "word", in("in.txt")},
		{"--text-vectors", in("v.npy"), in("in.txt"), in("b.txt")},
	} {
		if code, _, _ := wholeTexts(t, folder, "none.txt", append([]string{"-e", "1"}, args...)...); code != cli.ExitUsage {
			t.Errorf("%q ends with %d", args, code)
		}
	}
	for _, args := range [][]string{{"--shuffle"}, {"--pad", "--user", "who", "--per-user", "2"}} {
		if code, _, _ := wholeTexts(t, folder, "none.parquet", append([]string{"-e", "1", "--field", "text", in("in.csv")}, args...)...); code != cli.ExitUsage {
			t.Errorf("%q to Parquet ends with %d", args, code)
		}
	}
	for _, name := range []string{"none.txt", "none.parquet"} {
		if _, err := os.Stat(in(name)); err == nil {
			t.Errorf("%s is there", name)
		}
	}
}
