package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The files of testdata/older were written by version 0.1.0. docs/reference/compatibility.md
// says what this version does with them.
func TestFilesOfAnOlderVersion(t *testing.T) {
	dir := t.TempDir()
	files, err := filepath.Glob("testdata/older/*")
	if err != nil || len(files) != 6 {
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
		{"audit --verify report.json", exitFailed, "says more or less than this version writes"},
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
		term := &terminal{in: os.Stdin, out: &out, err: &messages}
		_, err := invoke(t.Context(), term, strings.Fields(test.line))
		if code := report(&messages, err); code != test.code || !strings.Contains(out.String()+messages.String(), test.want) {
			t.Errorf("sotto %s: exit code %d, want %d with %q:\n%s%s", test.line, code, test.code, test.want, out.String(), messages.String())
		}
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
		term := &terminal{in: os.Stdin, out: &bytes.Buffer{}, err: &messages}
		_, err := invoke(t.Context(), term, strings.Fields(line))
		if code := report(&messages, err); code != exitFailed || !strings.Contains(messages.String(), want) {
			t.Errorf("sotto %s: exit code %d: %s", line, code, messages.String())
		}
	}
}
