package files

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/memfs"

	"github.com/sotto-dp/sotto/beam/sottobeam"
	"github.com/sotto-dp/sotto/files/runkey"
	"github.com/sotto-dp/sotto/ledger"
	"github.com/sotto-dp/sotto/ledger/sqlite"
)

// paid is a run over one file, charged to an account.
type paid struct {
	t    *testing.T
	cfg  Config
	name string // of its one output
}

const (
	paidLines = 200
	paidCost  = 4 * 4 * paidLines // epsilon of the file
)

func newPaid(t *testing.T) *paid {
	dir := t.TempDir()
	p := &paid{t, config(filepath.Join(dir, "out"), write(t, filepath.Join(dir, "a.txt"), strings.Repeat("the food was good\n", paidLines))), ""}
	p.cfg.Fields, p.cfg.Ledger, p.cfg.Account = nil, filepath.Join(dir, "ledger.db"), "alice"
	p.name = filepath.Join(p.cfg.Output, "a-000000.txt")
	l := p.ledger()
	defer l.Close()
	amount, err := ledger.ParseLimit(fmt.Sprint(10*paidCost), "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.Grant(t.Context(), ledger.Grant{Account: "alice", Amount: amount}); err != nil {
		t.Fatal(err)
	}
	return p
}

func (p *paid) ledger() *ledger.Ledger {
	p.t.Helper()
	store, err := sqlite.Open(p.t.Context(), sqlite.Config{Path: p.cfg.Ledger, Create: true})
	if err != nil {
		p.t.Fatal(err)
	}
	l, err := ledger.Open(p.t.Context(), ledger.Config{Store: store})
	if err != nil {
		p.t.Fatal(err)
	}
	return l
}

// runs runs the pipeline and checks how many times the file has been paid for.
func (p *paid) runs(what string, want error, times int64) {
	p.t.Helper()
	err := pipeline(p.cfg)
	if (err == nil) != (want == nil) || err != nil && !strings.Contains(err.Error(), want.Error()) {
		p.t.Errorf("%s: the run ends with %v, want %v", what, err, want)
	}
	l := p.ledger()
	defer l.Close()
	a, err := l.Account(p.t.Context(), "alice")
	if err != nil {
		p.t.Fatal(err)
	}
	if got := a.Spent.Epsilon / 1e9; got != times*paidCost {
		p.t.Errorf("%s: %d is spent, want %d times %d", what, got, times, paidCost)
	}
}

func (p *paid) read() string {
	p.t.Helper()
	data, err := os.ReadFile(p.name)
	if err != nil {
		p.t.Fatal(err)
	}
	return string(data)
}

func (p *paid) move(from, to string) {
	p.t.Helper()
	if err := os.Rename(from, to); err != nil {
		p.t.Fatal(err)
	}
}

func TestOutputThatIsGoneIsChargedAnew(t *testing.T) {
	p := newPaid(t)
	p.runs("at first", nil, 1)
	first := p.read()
	p.runs("with nothing to do", nil, 1)
	if p.read() != first {
		t.Error("a finished part was drawn again")
	}

	away := filepath.Join(t.TempDir(), "away")
	p.move(p.name, away)
	p.runs("gone", fmt.Errorf("was written by this run and is gone"), 1)
	p.cfg.Again = true
	p.runs("gone, again", nil, 2)
	if p.read() == first {
		t.Error("the second draw is the first")
	}
	p.runs("again with nothing to do", nil, 2)

	// A file that the run did not write is neither used nor overwritten.
	second := p.read()
	write(t, p.name, "an original\n")
	p.runs("replaced", fmt.Errorf("is not what this run wrote"), 2)
	if p.read() != "an original\n" {
		t.Error("a stranger's file was overwritten")
	}
	write(t, p.name, second)

	// Another text with the same name, length and time.
	info, err := os.Stat(p.cfg.Inputs[0])
	if err != nil {
		t.Fatal(err)
	}
	write(t, p.cfg.Inputs[0], strings.Repeat("the wine was good\n", paidLines))
	if err := os.Chtimes(p.cfg.Inputs[0], info.ModTime(), info.ModTime()); err != nil {
		t.Fatal(err)
	}
	p.runs("another text", fmt.Errorf("has changed since"), 2)
	p.move(p.name, away)
	p.runs("another text, again", nil, 3)

	// The whole folder is moved away and the run gets its name again: the ledger knows
	// what was shown.
	p.cfg.Again = false
	p.move(p.cfg.Output, away+"-folder")
	p.runs("without its folder", nil, 4)
}

// After a crash between the record and the name, the written output gets its name. After
// a crash before the record, it is removed, and its charge pays for nothing more. After a
// crash before anything is written, the charge pays for the draw.
func TestCrashIsSettledByTheRecord(t *testing.T) {
	p := newPaid(t)
	p.runs("at first", nil, 1)
	first := p.read()
	k, err := p.cfg.open(t.Context(), part{File: p.cfg.Inputs[0]})
	if err != nil || k.record == nil {
		t.Fatalf("there is no record (%v)", err)
	}
	p.move(p.name, k.temporary(k.record.Temporary))
	p.runs("between record and name", nil, 1)
	if p.read() != first {
		t.Error("what was written is not what got the name")
	}
	p.move(p.name, k.temporary(k.record.Temporary))
	if err := os.Remove(k.recordName()); err != nil {
		t.Fatal(err)
	}
	p.runs("before the record", nil, 2)
	if p.read() == first {
		t.Error("the first draw is shown under the second charge")
	}

	// An attempt is lost after its charge, before anything is written.
	q := newPaid(t)
	text := strings.Repeat("the food was good\n", paidLines)
	job := &partJob{cfg: q.cfg, part: part{File: q.cfg.Inputs[0], Line: 1, Data: []byte(text)}}
	if k, err = q.cfg.open(t.Context(), job.part); err != nil {
		t.Fatal(err)
	}
	input, err := k.inputDigest(job.part, nil)
	if err != nil {
		t.Fatal(err)
	}
	w, err := sottobeam.Open(q.cfg.Config)
	if err != nil {
		t.Fatal(err)
	}
	var texts [][]byte
	for line := range strings.Lines(text) {
		texts = append(texts, []byte(strings.TrimSuffix(line, "\n")))
	}
	pending, err := w.Rewriter.Read(texts)
	if err != nil {
		t.Fatal(err)
	}
	if free, err := w.Charge(t.Context(), job.key(input, 1, 0), pending); err != nil || !free {
		t.Fatalf("the charge: %t, %v", free, err)
	}
	q.runs("after a draw that was lost", nil, 1)
}

func TestFileThatIsNotOnRecordIsRefused(t *testing.T) {
	dir, out := t.TempDir(), t.TempDir()
	name := write(t, filepath.Join(dir, "a.txt"), "the food was "+hidden+"\n")
	original := write(t, filepath.Join(out, "a-000000.txt"), "the food was "+hidden+"\n")
	cfg := config(out, name)
	cfg.Fields = nil
	if err := pipeline(cfg); err == nil || !strings.Contains(err.Error(), "this run did not write it") {
		t.Errorf("the run ends with %v", err)
	}
	if data, err := os.ReadFile(original); err != nil || !strings.Contains(string(data), hidden) {
		t.Error("the stranger's file was changed")
	}
}

func TestNamesThatCollideAreRefusedBeforeAnythingRuns(t *testing.T) {
	dir, out := t.TempDir(), filepath.Join(t.TempDir(), "out")
	jsonl := write(t, filepath.Join(dir, "a.jsonl"), `{"text":"one"}`+"\n")
	packed := write(t, filepath.Join(dir, "a.jsonl.gz"), "")
	for _, c := range []struct {
		cfg  Config
		want string
	}{
		{config(out, jsonl, packed), "would have the same outputs"},
		{config(dir, jsonl), "is in the folder of the outputs"},
		{config(dir+"/../"+filepath.Base(dir), jsonl), "is in the folder of the outputs"},
		{config("memfs://o[1]", jsonl), "cannot have any of"},
	} {
		if err := Check(t.Context(), c.cfg); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("Check gives %v, want %s", err, c.want)
		}
		if err := pipeline(c.cfg); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("the run ends with %v, want %s", err, c.want)
		}
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("the folder was made")
	}
}

func TestFoldersWithSignsOfPatterns(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "in[1]*")
	out := filepath.Join(t.TempDir(), "out[1]*")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	name := write(t, filepath.Join(dir, "a[2].txt"), "the food was good\n")
	cfg := config(out, name)
	cfg.Fields = nil
	t.Setenv("SOTTO_HOME", t.TempDir())
	begun, err := Begin(t.Context(), cfg, false)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Begin(t.Context(), cfg, true); err == nil || !strings.Contains(err.Error(), "in use by another run") {
		t.Errorf("a run that goes on is resumed: %v", err)
	}
	if err := pipeline(begun.Config); err != nil {
		t.Fatal(err)
	}
	if err := begun.Close(); err != nil {
		t.Fatal(err)
	}
	first := outputs(t, out)
	if _, err := Begin(t.Context(), cfg, false); err == nil || !strings.Contains(err.Error(), "holds a run") {
		t.Errorf("a second run begins with %v", err)
	}
	again, err := Begin(t.Context(), cfg, true)
	if err != nil || again.Config.Run != begun.Config.Run || again.Config.Draws != begun.Config.Draws {
		t.Fatalf("the run has another name (%v)", err)
	}
	if err := pipeline(again.Config); err != nil {
		t.Fatal(err)
	}
	if second := outputs(t, out); len(first) != 2 || first["a[2]-000000.txt"] == "" || second["a[2]-000000.txt"] != first["a[2]-000000.txt"] {
		t.Errorf("the outputs are %v, then %v", first, second)
	}
	if strings.Contains(first[RunName], begun.Config.Run) {
		t.Error("the folder holds the run's name, which is a secret")
	}
}

// The same holds on an object store, without links.
func TestRemoteFolder(t *testing.T) {
	dir := fmt.Sprintf("memfs://%s/", t.Name())
	memfs.Write(dir+"in/a.txt", []byte("the food was good\n"))
	cfg := config(dir+"out", dir+"in/a.txt")
	cfg.Fields = nil
	read := func(name string) string {
		data, err := ReadIfThere(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	run := func(want string) {
		t.Helper()
		if err := pipeline(cfg); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("the run ends with %v, want %q", err, want)
		}
	}
	run("")
	name := dir + "out/a-000000.txt"
	first := read(name)
	if len(strings.Fields(first)) != 4 {
		t.Fatalf("the output is %q", first)
	}
	run("")
	if read(name) != first {
		t.Error("a finished part was drawn again")
	}
	files, err := filesystem.New(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	if err := filesystem.Rename(t.Context(), files, name, dir+"away"); err != nil {
		t.Fatal(err)
	}
	run("is gone")
	k, err := cfg.open(t.Context(), part{File: cfg.Inputs[0]})
	if err != nil || k.record == nil {
		t.Fatalf("there is no record (%v)", err)
	}
	if err := filesystem.Rename(t.Context(), files, dir+"away", k.temporary(k.record.Temporary)); err != nil {
		t.Fatal(err)
	}
	run("")
	if read(name) != first {
		t.Error("what was written is not what got the name")
	}
	cfg.Run = "another name for the same run"
	run("belongs to another run")
}

// Of identical starts into one new folder one goes on, whoever is first. A wrong account
// leaves no record. The key of the draws is there until the run ends.
func TestOneOfIdenticalStartsGoesOn(t *testing.T) {
	t.Setenv("SOTTO_HOME", t.TempDir())
	p := newPaid(t)
	wrong := p.cfg
	wrong.Account = "alcie"
	var unknown *ledger.UnknownAccountError
	if _, err := Begin(t.Context(), wrong, false); !errors.As(err, &unknown) {
		t.Errorf("a wrong account ends with %v", err)
	}
	type result struct {
		begun *Begun
		err   error
	}
	results := make(chan result)
	for range 3 {
		go func() {
			b, err := Begin(t.Context(), p.cfg, false)
			results <- result{b, err}
		}()
	}
	var on []*Begun
	for range 3 {
		r := <-results
		if r.err == nil {
			on = append(on, r.begun)
		} else if !strings.Contains(r.err.Error(), "holds a run") && !strings.Contains(r.err.Error(), "in use by another run") {
			t.Error(r.err)
		}
	}
	if len(on) != 1 {
		t.Fatalf("%d of 3 starts go on", len(on))
	}
	defer on[0].Close()
	path, err := runkey.DrawPath(on[0].Config.Draws)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Error(err)
	}
	p.cfg = on[0].Config
	p.runs("the one that goes on", nil, 1)
	if err := on[0].End(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("the key is there after the run")
	}
}

// Each process that shares a run removes its key when it ends, since the others may be on
// other machines: there they have a home of their own.
func TestEachShareRemovesItsKey(t *testing.T) {
	dir := t.TempDir()
	cfg := config(filepath.Join(dir, "out"), write(t, filepath.Join(dir, "a.txt"), "the food was good\n"))
	cfg.Fields = nil
	t.Setenv("SOTTO_HOME", filepath.Join(dir, "home"))
	if _, err := runkey.Of("any"); err != nil { // the user's key, which the other machine has too
		t.Fatal(err)
	}
	key, err := os.ReadFile(filepath.Join(dir, "home", "run.key"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "home2"), 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "home2", "run.key"), string(key))
	if err := os.Chmod(filepath.Join(dir, "home2", "run.key"), 0o600); err != nil {
		t.Fatal(err)
	}
	keys := func(home string) int {
		t.Helper()
		t.Setenv("SOTTO_HOME", filepath.Join(dir, home))
		left, err := os.ReadDir(filepath.Join(dir, home, "runs"))
		if err != nil {
			t.Fatal(err)
		}
		return len(left)
	}
	begin := func(home string, take int) *Begun {
		t.Helper()
		t.Setenv("SOTTO_HOME", filepath.Join(dir, home))
		cfg := cfg
		cfg.Take, cfg.Of = take, 3
		b, err := Begin(t.Context(), cfg, true)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	of := []*Begun{begin("home", 0), begin("home", 1), begin("home2", 2)}
	if keys("home") != 2 || keys("home2") != 1 {
		t.Fatalf("%d and %d keys, want one for each share", keys("home"), keys("home2"))
	}
	for i, home := range []string{"home", "home", "home2"} {
		before := keys(home)
		if err := of[i].End(); err != nil {
			t.Fatal(err)
		}
		if left := keys(home); left != before-1 {
			t.Errorf("share %d leaves %d of %d keys", i, left, before)
		}
	}
}

// A part whose output was shown and is lost, before it was on record, gets the same draws
// for the same charge while the key is there.
func TestLostPartIsDrawnAgainUnderTheKey(t *testing.T) {
	t.Setenv("SOTTO_HOME", t.TempDir())
	p := newPaid(t)
	if _, err := runkey.Draw("the run"); err != nil {
		t.Fatal(err)
	}
	p.cfg.Draws, p.cfg.Run = "the run", "the secret name of the run"
	p.runs("at first", nil, 1)
	first := p.read()
	lose := func() {
		if err := os.RemoveAll(p.cfg.Output); err != nil {
			t.Fatal(err)
		}
	}
	lose()
	p.runs("lost", nil, 1)
	if p.read() != first {
		t.Error("the second draw is another one")
	}
	lose()
	write(t, p.cfg.Inputs[0], strings.Repeat("the food was evil\n", paidLines))
	p.runs("lost, and another input", nil, 2)
	lose()
	if err := runkey.EndDraws("the run"); err != nil {
		t.Fatal(err)
	}
	p.runs("lost, and no key", nil, 3)
}
