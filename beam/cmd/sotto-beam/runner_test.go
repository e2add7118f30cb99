package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/ledger"
	"github.com/sotto-dp/sotto/ledger/open"
)

// While the program draws, it has no socket, so that nothing can ask it for the texts.
func TestRunOpensNoSocket(t *testing.T) {
	if _, err := os.Stat("/proc/self/fd"); err != nil {
		t.Skip("open files cannot be listed here")
	}
	dir := t.TempDir()
	in, out := write(t, strings.Repeat("the food was good\n", 60_000), dir, "a.txt"), filepath.Join(dir, "out")
	c := exec.Command(os.Args[0], "--input", in, "--epsilon", "4", "--output", out)
	c.Env = append(os.Environ(), "SOTTO_TEST_MAIN=1")
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	drawing := 0 // looks while parts were there and the report was not
	for len(ended) == 0 {
		open, err := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", c.Process.Pid))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range open {
			if to, err := os.Readlink(f); err == nil && strings.HasPrefix(to, "socket:") {
				_ = c.Process.Kill()
				t.Fatalf("the program has a %s", to)
			}
		}
		parts, _ := filepath.Glob(filepath.Join(out, "a-*"))
		if _, err := os.Stat(filepath.Join(out, "sotto-report.json")); err != nil && len(parts) > 0 && len(open) > 0 {
			drawing++
		}
	}
	if err := <-ended; err != nil || drawing == 0 {
		t.Errorf("it ends with %v after %d looks while it drew", err, drawing)
	}
}

// A runner that would show the texts, or that cannot start, is refused before the folder is made.
func TestRunnerIsCheckedFirst(t *testing.T) {
	dir := t.TempDir()
	in, out := write(t, "the food was good\n", dir, "a.txt"), filepath.Join(dir, "out")
	for runner, want := range map[string]string{
		"prism": "any host on the network", "PrismRunner": "any host on the network", "flink": "needs --endpoint",
		"SparkRunner": "needs --endpoint", "dataflow": "needs --", "nosuch": "--runner must be direct,", "dot": "--runner must be direct,",
	} {
		code, last := program(t, "--input", in, "--epsilon", "4", "--output", out, "--runner", runner)
		if code != 2 || !strings.Contains(last, want) {
			t.Errorf("%s ends with %d: %s", runner, code, last)
		}
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("the folder was made")
	}
}

// Every word of the command line is read, and what is wrong in it ends the program with 2.
func TestCommandLineIsReadToItsEnd(t *testing.T) {
	dir := t.TempDir()
	in, out := write(t, `{"text":"one"}`+"\n", dir, "a.jsonl"), filepath.Join(dir, "out")
	base := []string{"--input", in, "--field", "text", "--output", out}
	priced := slices.Concat(base, []string{"--epsilon", "4"})
	array := write(t, `[{"text":"one"}]`, dir, "a.json")
	for _, c := range []struct {
		args []string
		want string
	}{
		{append([]string{"--allow-failures", "true"}, priced...), `unexpected word "true"`},
		{append([]string{"--input", in, "b.jsonl"}, priced...), `unexpected word "b.jsonl": put quotes around a pattern`},
		{base, `sottobeam needs epsilon, .*try --epsilon 8.* sotto tune`},
		{slices.Concat(base, []string{"--epsilon", "0"}), "epsilon must be positive"},
		{slices.Concat(priced, []string{"--share", "2/2"}), "--share must be I/N"},
		{slices.Concat(priced, []string{"--share", "-1/2"}), "--share must be I/N"},
		{slices.Concat(priced, []string{"--share", "1/2x"}), "--share must be I/N"},
		{slices.Concat(priced, []string{"--account", "alice"}), "--ledger and --account belong together"},
		{slices.Concat(priced, []string{"--input", array}), "cannot be cut into parts"},
		{slices.Concat(priced, []string{"--input", dir}), "give the files in it"},
		{[]string{"--input", in, "--field", "txet", "--output", out, "--epsilon", "4", "--unit", "text"}, `there is no field "txet"`},
	} {
		if code, last := program(t, c.args...); code != 2 || !regexp.MustCompile(c.want).MatchString(last) {
			t.Errorf("%v ends with %d: %s", c.args, code, last)
		}
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("the folder was made")
	}
}

// A link to an input is the same texts again.
func TestFileThatIsGivenTwiceIsRefused(t *testing.T) {
	dir := t.TempDir()
	in := write(t, "the food was good\n", dir, "a.txt")
	hard, soft := filepath.Join(dir, "b.txt"), filepath.Join(dir, "c.txt")
	if err := os.Link(in, hard); err != nil {
		t.Skip(err)
	}
	if err := os.Symlink("a.txt", soft); err != nil {
		t.Skip(err)
	}
	for _, link := range []string{in, hard, soft} {
		code, last := program(t, "--input", in, "--input", link, "--epsilon", "4", "--output", filepath.Join(dir, "out"))
		if code != 2 || !strings.Contains(last, "are the same file, whose texts would count twice") {
			t.Errorf("%s ends with %d: %s", link, code, last)
		}
	}
}

// A start that fails before anything was drawn does not keep the corrected one from beginning. What
// was drawn stays on record.
func TestFailedStartLeavesNoRecord(t *testing.T) {
	dir := t.TempDir()
	in, out := write(t, "the food was good\n", dir, "a.txt"), filepath.Join(dir, "out")
	foreign := write(t, "an original\n", out, "a-000000.txt")
	base := []string{"--input", in, "--epsilon", "4", "--output", out}
	if code, last := program(t, base...); code != 1 || !strings.Contains(last, "this run did not write it") {
		t.Fatalf("a file in the way ends with %d: %s", code, last)
	}
	if left, err := os.ReadDir(out); err != nil || len(left) != 1 {
		t.Errorf("the folder has %v (%v)", left, err)
	}
	if err := os.Remove(foreign); err != nil {
		t.Fatal(err)
	}
	if code, last := program(t, append(base, "--words", "5000")...); code != 0 {
		t.Fatalf("the corrected start ends with %d: %s", code, last)
	}
	if err := os.Remove(foreign); err != nil {
		t.Fatal(err)
	}
	if code, last := program(t, append(base, "--words", "5000", "--resume")...); code != 1 || !strings.Contains(last, "is gone") {
		t.Errorf("without its output it ends with %d: %s", code, last)
	}
	if _, err := os.Stat(filepath.Join(out, "sotto-run.json")); err != nil {
		t.Error(err)
	}
}

// A budget that refuses the first part leaves no run behind, so that another epsilon can be tried.
func TestRefusedBudgetLeavesNoRecord(t *testing.T) {
	dir := t.TempDir()
	in, out, store := write(t, "the food was good\n", dir, "a.txt"), filepath.Join(dir, "out"), filepath.Join(dir, "budgets.db")
	l, err := open.Ledger(t.Context(), store, open.Create)
	if err != nil {
		t.Fatal(err)
	}
	_, err = l.Grant(t.Context(), ledger.Grant{Account: "alice", Amount: ledger.Amount{Epsilon: 5e9}})
	if err := errors.Join(err, l.Close()); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		epsilon string // of each of 4 words
		want    int
	}{{"8", exitBudget}, {"1", 0}} {
		if code, last := program(t, "--input", in, "--epsilon", c.epsilon, "--output", out, "--ledger", store, "--account", "alice", "--words", "5000"); code != c.want {
			t.Errorf("at %s the run ends with %d: %s", c.epsilon, code, last)
		}
	}
}
