package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/audit"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/grammar"
	"github.com/sotto-dp/sotto/internal/stage"
)

// The files of testdata/older were written by version 0.1.0. docs/reference/compatibility.md
// says what this version does with them. The two files "default-" are of a run whose sets
// have the size that was the default then: 10 outputs, where this version chooses 12.
func TestFilesOfAnOlderVersion(t *testing.T) {
	stage.Unraced(t)
	dir := t.TempDir()
	files, err := filepath.Glob("testdata/older/*")
	if err != nil || len(files) != 8 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(name)), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	if err := os.WriteFile("letters.txt", []byte("the order is late\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		line string
		code int
		want string // in what is printed
	}{
		{"audit --verify certificate.json", 0, "holds: neighbours over 300 words"},
		{"rewrite -e 8 --words 300 -m neighbours --require-certificate certificate.json letters.txt", 0, ""},
		{"audit --verify default-certificate.json", 0, "holds: neighbours over 300 words, every figure recomputed"},
		{"audit --verify default-report.json", 0, "which parameters were given"},
		{"rewrite -e 4 --words 300 -m neighbours --require-certificate default-certificate.json letters.txt", cli.ExitFailed,
			"certificate: it is for sets of 10 outputs, and this version chooses 12: give neighbours = 10, or make the certificate again"},
		{"rewrite -e 4 --words 300 -m neighbours --neighbours 10 --require-certificate default-certificate.json letters.txt", 0, ""},
		{"audit --verify report.json", cli.ExitFailed, "with exactly the fields that this version writes"},
		{"estimate --report report.json --word late --json released.txt", 0, `"word": "late"`},
		{"explain -m packing -e 1.2 --words 20 --channel packing.channel the", 0, "epsilon = 1.2"},
		{"embeddings info words.sotto", 0, "sha256"},
		{"ledger verify --ledger ledger.sqlite", 0, "head "},
		{"ledger show --ledger ledger.sqlite", 0, "research"},
		{"ledger grant --ledger ledger.sqlite research --epsilon 1", 0, "101 left"},
		{"ledger verify --ledger ledger.sqlite", 0, "head "},
		{"rewrite -e 8 --ledger ledger.sqlite --account research letters.txt", 0, ""},
	} {
		var out, messages bytes.Buffer
		term := &cli.Terminal{In: os.Stdin, Out: &out, Err: &messages}
		_, err := grammar.Invoke(t.Context(), term, strings.Fields(test.line))
		if code := grammar.Report(&messages, err); code != test.code || !strings.Contains(out.String()+messages.String(), test.want) {
			t.Errorf("sotto %s: exit code %d, want %d with %q:\n%s%s", test.line, code, test.code, test.want, out.String(), messages.String())
		}
	}
}

// A certificate whose size of the sets is not the default is recomputed for that size: no
// other figure of it may differ from what that size has.
func TestForgedSizeOfSetsIsRefused(t *testing.T) {
	stage.Unraced(t)
	dir := t.TempDir()
	original, err := os.ReadFile("testdata/older/default-certificate.json")
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		forge func(c *audit.Certificate)
		code  int
	}{
		"as it is":       {func(*audit.Certificate) {}, 0},
		"another size":   {func(c *audit.Certificate) { c.Parameters["neighbours"] = 11 }, cli.ExitFailed},
		"a broken size":  {func(c *audit.Certificate) { c.Parameters["neighbours"] = 10.5 }, cli.ExitFailed},
		"a size as text": {func(c *audit.Certificate) { c.Parameters["neighbours"] = "10" }, cli.ExitFailed},
		"too large":      {func(c *audit.Certificate) { c.Parameters["neighbours"] = 1e300 }, cli.ExitFailed},
		"best guess":     {func(c *audit.Certificate) { c.Parameters["bayes-success"] = 0.01 }, cli.ExitFailed},
		"outputs":        {func(c *audit.Certificate) { c.Parameters["outputs"] = 299 }, cli.ExitFailed},
		"epsilon":        {func(c *audit.Certificate) { c.Request.Epsilon = 3 }, cli.ExitFailed},
		"loss":           {func(c *audit.Certificate) { c.PureEpsilon.Low, c.PureEpsilon.High = 1, 1 }, cli.ExitFailed},
		"witness": {func(c *audit.Certificate) {
			c.PureWitness = &audit.WitnessOfWord{Input: "the", Neighbour: "of", Output: "late"}
		}, cli.ExitFailed},
		"given objective": {func(c *audit.Certificate) { c.Request.Parameters["objective"] = "readable" }, cli.ExitFailed},
		"given size":      {func(c *audit.Certificate) { c.Request.Parameters["neighbours"] = "12" }, cli.ExitFailed},
	} {
		c, err := audit.ReadCertificate(bytes.NewReader(original))
		if err != nil {
			t.Fatal(err)
		}
		test.forge(c)
		var file bytes.Buffer
		if err := audit.WriteCertificate(&file, c); err != nil {
			t.Fatal(err)
		}
		verifyFile(t, name, filepath.Join(dir, "certificate.json"), file.Bytes(), test.code)
	}
	report, err := os.ReadFile("testdata/older/default-report.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, forged := range [][2]string{
		{`"neighbours": 10`, `"neighbours": 11`},
		{`"bayes-success": 0.06531023714216265`, `"bayes-success": 0.01`},
		{`"document_epsilon_max": 15.999999999992385`, `"document_epsilon_max": 1`},
		{`"given": []`, `"given": ["outputs"]`},
		{`"epsilon": 4`, `"epsilon": 3`},
	} {
		for _, n := range []int{1, -1} { // in one place, and in all
			data := strings.Replace(string(report), forged[0], forged[1], n)
			if data == string(report) {
				t.Fatalf("the report has no %s", forged[0])
			}
			verifyFile(t, forged[1], filepath.Join(dir, "report.json"), []byte(data), cli.ExitFailed)
		}
	}
}

func verifyFile(t *testing.T, what, name string, data []byte, want int) {
	t.Helper()
	if err := os.WriteFile(name, data, 0o600); err != nil {
		t.Fatal(err)
	}
	var out, messages bytes.Buffer
	term := &cli.Terminal{In: os.Stdin, Out: &out, Err: &messages}
	_, err := grammar.Invoke(t.Context(), term, []string{"audit", "--verify", name})
	if code := grammar.Report(&messages, err); code != want {
		t.Errorf("%s: exit code %d, want %d:\n%s%s", what, code, want, out.String(), messages.String())
	}
}

// A file of a format that this version does not know is refused by a message on versions.
func TestFilesOfALaterFormatAreRefused(t *testing.T) {
	older, err := filepath.Abs("testdata/older")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	changed := func(name, from, to string) {
		t.Helper()
		data, err := os.ReadFile(filepath.Join(older, name))
		if err != nil || !bytes.Contains(data, []byte(from)) {
			t.Fatalf("%s has no %q (%v)", name, from, err)
		}
		if err := os.WriteFile(name, bytes.Replace(data, []byte(from), []byte(to), 1), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	changed("certificate.json", "sotto certificate 1", "sotto certificate 9")
	for line, want := range map[string]string{
		"audit --verify certificate.json": "certificate",
	} {
		var messages bytes.Buffer
		term := &cli.Terminal{In: os.Stdin, Out: &bytes.Buffer{}, Err: &messages}
		_, err := grammar.Invoke(t.Context(), term, strings.Fields(line))
		if code := grammar.Report(&messages, err); code != cli.ExitFailed || !strings.Contains(messages.String(), want) {
			t.Errorf("sotto %s: exit code %d: %s", line, code, messages.String())
		}
	}
}
