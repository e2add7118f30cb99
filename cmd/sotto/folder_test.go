package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/ledger/open"
)

// A run that ends in the middle of a file, here because the budget does, goes on
// where it stopped: finished files stay as they are, and no batch is paid for twice.
func TestAnInterruptedRunIsPaidForOnce(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	const lines, words = 30_000, 8 // several batches a file, and as many draws a line
	line := "the food was good and my doctor agreed\n"
	for _, name := range []string{"a.txt", "b.txt"} {
		if err := os.WriteFile(at(name), []byte(strings.Repeat(line, lines)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	const each = 2 * lines * words // of one file, at epsilon 2
	book := at("budgets.db")
	grant := func(epsilon string) {
		if code := run([]string{"ledger", "grant", "--ledger", book, "alice", "--epsilon", epsilon}); code != 0 {
			t.Fatalf("the grant ends with %d", code)
		}
	}
	rewrite := func(extra ...string) int {
		return run(append([]string{"rewrite", "--epsilon", "2", "--workers", "1", "--account", "alice", "--ledger", book, "-o", at("out"), at("a.txt"), at("b.txt")}, extra...))
	}
	spent := func() int64 {
		l, err := open.Ledger(t.Context(), book, open.Read)
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		a, err := l.Account(t.Context(), "alice")
		if err != nil {
			t.Fatal(err)
		}
		return a.Spent.Epsilon / 1e9
	}

	if err := os.Mkdir(at("out"), 0o755); err != nil {
		t.Fatal(err)
	}
	grant("800000") // a file and two thirds
	if code := rewrite(); code != exitBudget {
		t.Fatalf("the run ends with %d, want %d", code, exitBudget)
	}
	first, err := os.ReadFile(at("out/a.txt"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(at("out/b.txt")); err == nil {
		t.Error("a half file has a name")
	}
	if s := spent(); s <= each || s >= 2*each {
		t.Fatalf("%d is spent: the run did not end in the middle of the second file", s)
	}

	grant("160000") // exactly what both files cost, together
	if code := rewrite("--resume"); code != 0 {
		t.Fatalf("the run goes on and ends with %d", code)
	}
	if again, err := os.ReadFile(at("out/a.txt")); err != nil || !bytes.Equal(again, first) {
		t.Error("a finished file was drawn again")
	}
	second, err := os.ReadFile(at("out/b.txt"))
	if err != nil || bytes.Count(second, []byte("\n")) != lines {
		t.Errorf("the second file has %d lines (%v), want %d", bytes.Count(second, []byte("\n")), err, lines)
	}
	if s := spent(); s != 2*each {
		t.Errorf("%d is spent, want %d", s, 2*each)
	}

	// A line of the record that was cut short stands for nothing.
	record, err := os.OpenFile(at("out/"+recordName), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := record.WriteString(`{"output":"c.t`); err != nil {
		t.Fatal(err)
	}
	if err := record.Close(); err != nil {
		t.Fatal(err)
	}
	if code := rewrite("--resume"); code != 0 {
		t.Errorf("after a torn line the run ends with %d", code)
	}
	if s := spent(); s != 2*each {
		t.Errorf("nothing was left to do and %d is spent", s-2*each)
	}
}
