package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/ledger/open"
	runs "github.com/sotto-dp/sotto/run"
)

// paidRun is a folder run of two files, charged to an account.
type paidRun struct {
	t     *testing.T
	dir   string
	each  int64 // epsilon per file
	other int64 // what another program has spent of the account
}

// newPaidRun writes the inputs. Each file has several batches.
func newPaidRun(t *testing.T) *paidRun {
	t.Setenv("SOTTO_HOME", t.TempDir())
	const lines, words, epsilon = 30_000, 8, 2
	p := &paidRun{t: t, dir: t.TempDir(), each: lines * words * epsilon}
	for _, name := range []string{"a.txt", "b.txt"} {
		p.write(name, strings.Repeat("the food was good and my doctor agreed\n", lines))
	}
	return p
}

func (p *paidRun) at(name string) string { return filepath.Join(p.dir, name) }

func (p *paidRun) write(name, data string) {
	p.t.Helper()
	if err := os.WriteFile(p.at(name), []byte(data), 0o644); err != nil {
		p.t.Fatal(err)
	}
}

func (p *paidRun) read(name string) string {
	p.t.Helper()
	data, err := os.ReadFile(p.at(name))
	if err != nil {
		p.t.Fatal(err)
	}
	return string(data)
}

func (p *paidRun) move(from, to string) {
	p.t.Helper()
	if err := os.Rename(p.at(from), p.at(to)); err != nil {
		p.t.Fatal(err)
	}
}

func (p *paidRun) grant(epsilon int64) {
	p.t.Helper()
	if code := run([]string{"ledger", "grant", "--ledger", p.at("budgets.db"), "alice", "--epsilon", fmt.Sprint(epsilon)}); code != 0 {
		p.t.Fatalf("the grant ends with %d", code)
	}
}

func (p *paidRun) rewrite(folder string, extra ...string) int {
	return run(append([]string{"rewrite", "--epsilon", "2", "--workers", "1", "--account", "alice", "--ledger", p.at("budgets.db"),
		"-o", p.at(folder) + "/", p.at("a.txt"), p.at("b.txt")}, extra...))
}

// spent returns what the runs of the test have spent, without another program's word.
func (p *paidRun) spent() int64 {
	p.t.Helper()
	all, err := p.charged()
	if err != nil {
		p.t.Fatal(err)
	}
	return all - p.other
}

func (p *paidRun) charged() (int64, error) {
	l, err := open.Ledger(p.t.Context(), p.at("budgets.db"), open.Read)
	if err != nil {
		return 0, err
	}
	defer l.Close()
	a, err := l.Account(p.t.Context(), "alice")
	return a.Spent.Epsilon / 1e9, err
}

// interrupt begins a run whose budget is enough when it is counted. While the first file is
// drawn, another program spends some of it, so that the second file ends before its last batch.
func (p *paidRun) interrupt(folder string) {
	p.t.Helper()
	p.grant(2 * p.each)
	p.write("other.txt", "word\n")
	done := make(chan int)
	go func() {
		for {
			if all, err := p.charged(); err == nil && all > 0 {
				break
			}
			time.Sleep(time.Millisecond)
		}
		done <- run([]string{"rewrite", "-q", "--epsilon", "2", "--account", "alice", "--ledger", p.at("budgets.db"), "-o", p.at("other.out"), p.at("other.txt")})
	}()
	code := p.rewrite(folder)
	if other := <-done; code != cli.ExitBudget || other != 0 {
		p.t.Fatalf("the run ends with %d, want %d; the other program with %d", code, cli.ExitBudget, other)
	}
	p.other = 2
}

// A run whose figures were computed when it began, and are in the cache when it is resumed, has
// the settings that it had, and the same draws.
func TestRunIsResumedWithFiguresOfTheCache(t *testing.T) {
	stage.Unraced(t)
	p := newPaidRun(t)
	t.Setenv("XDG_CACHE_HOME", p.at("cache"))
	rewrite := func(extra ...string) int {
		return run(append([]string{"rewrite", "--mechanism", "exponential", "--words", "8193", "--epsilon", "2", "--quiet", "-o", p.at("out") + "/", p.at("a.txt"), p.at("bad.txt")}, extra...))
	}
	p.write("bad.txt", strings.Repeat("the food was good\n", 30_000)+"\xff\n")
	for _, extra := range [][]string{nil, {"--resume"}} {
		if code := rewrite(extra...); code != cli.ExitFailed { // because of the last line
			t.Fatalf("%v: the run ends with %d", extra, code)
		}
	}
	var draws []string
	for line := range strings.Lines(p.read("out/" + runs.LogName)) {
		var a runs.Attempt
		if err := json.Unmarshal([]byte(line), &a); err != nil {
			t.Fatal(err)
		}
		if a.Output == "bad.txt" {
			draws = append(draws, a.Draws)
		}
	}
	if len(draws) != 2 || draws[0] != draws[1] {
		t.Errorf("the draws are %q", draws)
	}
}

// A run that ends in the middle of a file, here because another spends its budget, is
// resumed: the finished file stays, the other one gets the same draws, and the two runs
// together spend what one spends. Then the key of the draws is gone, and a copy of the
// folder is charged for draws of its own.
func TestInterruptedFileIsChargedOnce(t *testing.T) {
	stage.Unraced(t)
	p := newPaidRun(t)
	p.interrupt("out")
	first := p.read("out/a.txt")
	if _, err := os.Stat(p.at("out/b.txt")); err == nil {
		t.Error("a half file has a name")
	}
	lost := p.spent() - p.each
	if lost <= 0 || lost >= p.each {
		t.Fatalf("%d is spent on the second file: the run did not end in the middle of it", lost)
	}
	if keys := p.keys(); len(keys) != 1 {
		t.Errorf("there are %d keys of draws during the run", len(keys))
	}
	if err := os.CopyFS(p.at("copy"), os.DirFS(p.at("out"))); err != nil {
		t.Fatal(err)
	}
	p.grant(4 * p.each)
	spent := []int64{2 * p.each, 3 * p.each}
	for i, folder := range []string{"out", "copy"} {
		if code := p.rewrite(folder, "--resume"); code != 0 {
			t.Fatalf("the run in %s is resumed and ends with %d", folder, code)
		}
		if p.read(folder+"/a.txt") != first {
			t.Error("a finished file was drawn again")
		}
		if n := strings.Count(p.read(folder+"/b.txt"), "\n"); n != 30_000 {
			t.Errorf("the second file has %d lines", n)
		}
		if got := p.spent(); got != spent[i] {
			t.Errorf("%s: %d is spent, want %d", folder, got, spent[i])
		}
		if keys := p.keys(); len(keys) != 0 {
			t.Errorf("%s: %d keys of draws are left", folder, len(keys))
		}
	}
	if p.read("out/b.txt") == p.read("copy/b.txt") {
		t.Error("two draws are the same")
	}

	// A truncated line of the record has no meaning, and a run with nothing left to do
	// spends nothing.
	before := p.spent()
	p.write("out/"+runs.LogName, p.read("out/"+runs.LogName)+`{"output":"c.t`)
	if code := p.rewrite("out", "--resume"); code != 0 || p.spent() != before {
		t.Errorf("after a torn line the run ends with %d and spends %d", code, p.spent()-before)
	}
}

// A paid run reads each input to count, to draw, and before and after that to know that it is the
// same; one that is done is read once. A field that is copied makes reading what counts.
func TestInputsOfAPaidRunAreReadNoMoreThanNeeded(t *testing.T) {
	read := func() (n int) {
		data, err := os.ReadFile("/proc/self/io")
		if err == nil {
			_, err = fmt.Sscanf(string(data), "rchar: %d", &n)
		}
		if err != nil {
			t.Skip("the system does not count what is read")
		}
		return n
	}
	p := newPaidRun(t)
	p.grant(3 * p.each)
	if code := p.rewrite("first"); code != 0 { // reads the program
		t.Fatalf("the run ends with %d", code)
	}
	const size = 4 << 20
	for _, name := range []string{"a.txt", "b.txt"} {
		p.write(name, strings.Repeat(`{"t":"the food","u":"`+strings.Repeat("x", 1000)+"\"}\n", size/1024))
	}
	for _, c := range []struct {
		resume string
		times  float64
	}{{"--resume=false", 5}, {"--resume", 2}} { // the digest of the output is one of them
		before := read()
		if code := p.rewrite("out", "--format", "jsonl", "--field", "t", c.resume); code != 0 {
			t.Fatalf("%s: the run ends with %d", c.resume, code)
		}
		if times := float64(read()-before) / (2 * size); times > c.times+0.5 {
			t.Errorf("%s: the inputs are read %.1f times, want %g", c.resume, times, c.times)
		}
	}
}

// keys returns the names of the keys of draws that are there.
func (p *paidRun) keys() (names []string) {
	p.t.Helper()
	entries, err := os.ReadDir(filepath.Join(os.Getenv("SOTTO_HOME"), "runs"))
	if err != nil {
		p.t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// While the key is there, a copy of a folder gets the same draws for the same charge: it
// is one release. Another input, here of the same length, gets draws of its own, all of
// them charged, also where a batch of it is as it was.
func TestChangedInputOfAnInterruptedFileIsChargedAnew(t *testing.T) {
	stage.Unraced(t)
	p := newPaidRun(t)
	p.interrupt("out")
	lost := p.spent() - p.each
	p.grant(4 * p.each)
	if err := os.CopyFS(p.at("copy"), os.DirFS(p.at("out"))); err != nil {
		t.Fatal(err)
	}
	home := filepath.Join(t.TempDir(), "home")
	if err := os.CopyFS(home, os.DirFS(os.Getenv("SOTTO_HOME"))); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"run.key", "runs/" + p.keys()[0]} { // CopyFS does not keep modes
		if err := os.Chmod(filepath.Join(home, name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if code := p.rewrite("copy", "--resume"); code != 0 || p.spent() != 2*p.each {
		t.Errorf("the copy is resumed and ends with %d, spent %d", code, p.spent())
	}
	t.Setenv("SOTTO_HOME", home)
	data := []byte(p.read("b.txt"))
	copy(data[len(data)-7:], "refused")
	p.write("b.txt", string(data))
	if code := p.rewrite("out", "--resume"); code != 0 || p.spent() != 3*p.each {
		t.Errorf("the run with another input ends with %d, spent %d, want %d (%d were lost)", code, p.spent(), 3*p.each, lost)
	}
	one, other := strings.Split(p.read("copy/b.txt"), "\n"), strings.Split(p.read("out/b.txt"), "\n")
	same := 0
	for i := range one[:len(one)-1] {
		if one[i] == other[i] {
			same++
		}
	}
	if same > len(one)/100 {
		t.Errorf("%d of %d lines of two inputs have the same draws", same, len(one))
	}
	if !strings.Contains(p.read("out/"+runs.LogName), `{"output":"b.txt","attempt":2,`) {
		t.Error("the other input is not another attempt")
	}
}

// cutLastLine removes the last line of the record and returns the temporary name that the
// output then had.
func (p *paidRun) cutLastLine() (temporary string) {
	p.t.Helper()
	lines := strings.SplitAfter(p.read("out/"+runs.LogName), "\n")
	last := lines[len(lines)-2]
	_, rest, ok := strings.Cut(last, `"temporary":"`)
	temporary, _, _ = strings.Cut(rest, `"`)
	if !ok || !strings.Contains(last, `"drawn"`) {
		p.t.Fatalf("the record ends with %s", last)
	}
	p.write("out/"+runs.LogName, strings.Join(lines[:len(lines)-2], ""))
	return temporary
}

// After a crash between the record and the name, the written output gets its name. After
// a crash before the record, it is removed, and its charge pays for nothing more.
func TestCrashIsSettledByTheRecord(t *testing.T) {
	stage.Unraced(t)
	p := newPaidRun(t)
	p.grant(4 * p.each)
	if code := p.rewrite("out"); code != 0 {
		t.Fatalf("the run ends with %d", code)
	}
	written := p.read("out/b.txt")
	record := p.read("out/" + runs.LogName)
	temporary := p.cutLastLine()

	p.write("out/"+runs.LogName, record)
	p.move("out/b.txt", "out/"+temporary)
	if code := p.rewrite("out", "--resume"); code != 0 || p.read("out/b.txt") != written || p.spent() != 2*p.each {
		t.Errorf("between record and name: the run ends with %d, spent %d", code, p.spent())
	}

	p.move("out/b.txt", "out/"+temporary)
	p.write("out/"+temporary, written[:len(written)/2]) // not what the record says
	if code := p.rewrite("out", "--resume"); code != cli.ExitFailed || p.spent() != 2*p.each {
		t.Errorf("with a damaged file: the run ends with %d, spent %d", code, p.spent())
	}

	p.cutLastLine()
	if code := p.rewrite("out", "--resume"); code != 0 || p.read("out/b.txt") == written || p.spent() != 3*p.each {
		t.Errorf("before the record: the run ends with %d, spent %d", code, p.spent())
	}
	if _, err := os.Stat(p.at("out/" + temporary)); err == nil {
		t.Error("what the interrupted attempt wrote is still there")
	}
}

// A missing output is charged again when it is redrawn, also for another text with the
// same name, length and time.
func TestOutputThatIsGoneIsChargedAnew(t *testing.T) {
	stage.Unraced(t)
	p := newPaidRun(t)
	p.grant(4 * p.each)
	if code := p.rewrite("out"); code != 0 {
		t.Fatalf("the run ends with %d", code)
	}
	p.move("out/b.txt", "away.txt")
	if code := p.rewrite("out", "--resume"); code != cli.ExitFailed || p.spent() != 2*p.each {
		t.Errorf("without --again the run ends with %d, spent %d", code, p.spent())
	}
	if code := p.rewrite("out", "--resume", "--again"); code != 0 || p.spent() != 3*p.each {
		t.Errorf("with --again the run ends with %d, spent %d", code, p.spent())
	}
	p.move("out/b.txt", "away2.txt")
	info, err := os.Stat(p.at("b.txt"))
	if err != nil {
		t.Fatal(err)
	}
	p.write("b.txt", string(bytes.ReplaceAll([]byte(p.read("b.txt")), []byte("food"), []byte("wine"))))
	if err := os.Chtimes(p.at("b.txt"), info.ModTime(), info.ModTime()); err != nil {
		t.Fatal(err)
	}
	if code := p.rewrite("out", "--resume"); code == 0 || p.spent() != 3*p.each {
		t.Errorf("another text: the run ends with %d, spent %d", code, p.spent())
	}
	p.move("away2.txt", "out/b.txt")
	if code := p.rewrite("out", "--resume", "--again"); code != cli.ExitUsage || p.spent() != 3*p.each {
		t.Errorf("another text beside the output: the run ends with %d, spent %d", code, p.spent())
	}
	p.move("out/b.txt", "away2.txt")
	if code := p.rewrite("out", "--resume", "--again"); code != 0 || p.spent() != 4*p.each {
		t.Errorf("another text with --again: the run ends with %d, spent %d", code, p.spent())
	}
}

// The record may be published. It must not show whether two inputs are equal, or whether
// an input was the same in two attempts, and must not confirm a guess.
func TestRecordDoesNotCompareInputs(t *testing.T) {
	stage.Unraced(t)
	p := newPaidRun(t)
	for _, name := range []string{"a.txt", "b.txt"} {
		p.write(name, "the same text\n")
	}
	p.grant(1000)
	if code := p.rewrite("out"); code != 0 {
		t.Fatalf("the run ends with %d", code)
	}
	p.move("out/b.txt", "away.txt")
	if code := p.rewrite("out", "--resume", "--again"); code != 0 {
		t.Fatalf("with --again the run ends with %d", code)
	}
	digests := map[string]string{}
	for _, line := range strings.Split(strings.TrimSpace(p.read("out/"+runs.LogName)), "\n")[1:] {
		var one runs.Attempt
		if err := json.Unmarshal([]byte(line), &one); err != nil {
			t.Fatal(err)
		}
		of := fmt.Sprint(one.Output, one.Number)
		if other, ok := digests[one.Input]; ok && other != of {
			t.Errorf("%s and %s have one digest", other, of)
		}
		digests[one.Input] = of
	}
	if plain := fmt.Sprintf("%x", sha256.Sum256([]byte("the same text\n"))); len(digests) != 3 || digests[plain] != "" {
		t.Errorf("%d digests, want 3 that are keyed", len(digests))
	}
}
