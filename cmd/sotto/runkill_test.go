//go:build unix

package main

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/ledger/open"
	runs "github.com/sotto-dp/sotto/run"
)

// killedRun is a run of many files in processes that are killed.
type killedRun struct {
	t     *testing.T
	dir   string
	lines int // of all files
}

const (
	killedFiles = 62
	killedWords = 8
)

func newKilledRun(t *testing.T) *killedRun {
	k := &killedRun{t: t, dir: t.TempDir()}
	if err := os.Mkdir(k.at("in"), 0o755); err != nil {
		t.Fatal(err)
	}
	for i := range killedFiles {
		lines := 3000 + 300*(i%20) // one to three batches
		data := strings.Repeat(fmt.Sprintf("the food of table%d was good and cheap\n", i), lines)
		if i%7 == 3 {
			data, lines = "", 0 // a file without texts is drawn without a charge
		}
		if err := os.WriteFile(filepath.Join(k.at("in"), fmt.Sprintf("%02d.txt", i)), []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
		k.lines += lines
	}
	if code := run([]string{"ledger", "grant", "--ledger", k.at("ledger.db"), "alice", "--epsilon", strconv.FormatInt(k.price(), 10)}); code != 0 {
		t.Fatalf("the grant ends with %d", code)
	}
	return k
}

// price is what one run costs. The account has no more: a resumed run needs only what is left.
func (k *killedRun) price() int64 { return int64(k.lines) * killedWords * 2 }

func (k *killedRun) at(name string) string { return filepath.Join(k.dir, name) }

// start starts a process of the run in a folder. Copies of a run have homes and ledgers of
// their own.
func (k *killedRun) start(of string, workers int) (*exec.Cmd, *bytes.Buffer) {
	k.t.Helper()
	self, err := os.Executable()
	if err != nil {
		k.t.Fatal(err)
	}
	cmd := exec.CommandContext(k.t.Context(), self)
	cmd.Args = []string{"sotto", "rewrite", "--epsilon", "2", "--workers", strconv.Itoa(workers), "--account", "alice",
		"--ledger", k.at("ledger" + of + ".db"), "--resume", "-o", k.at("out"+of) + "/", k.at("in") + "/*.txt"}
	cmd.Env = append(os.Environ(), "SOTTO_HOME="+k.at("home"+of), "XDG_CACHE_HOME="+k.at("cache"), "XDG_CONFIG_HOME="+k.at("config"))
	said := &bytes.Buffer{}
	cmd.Stdout, cmd.Stderr = io.Discard, said
	if err := cmd.Start(); err != nil {
		k.t.Fatal(err)
	}
	return cmd, said
}

func (k *killedRun) spent(of string) int64 {
	k.t.Helper()
	l, err := open.Ledger(k.t.Context(), k.at("ledger"+of+".db"), open.Read)
	if err != nil {
		k.t.Fatal(err)
	}
	defer l.Close()
	a, err := l.Account(k.t.Context(), "alice")
	if err != nil {
		k.t.Fatal(err)
	}
	return a.Spent.Epsilon / 1e9
}

// copyTree copies a folder or a file with its modes.
func (k *killedRun) copyTree(from, to string) {
	k.t.Helper()
	if out, err := exec.CommandContext(k.t.Context(), "cp", "-a", k.at(from), k.at(to)).CombinedOutput(); err != nil {
		k.t.Fatalf("%v: %s", err, out)
	}
}

// outputs returns the texts of a folder by name, and fails at leftovers.
func (k *killedRun) outputs(folder string) map[string]string {
	k.t.Helper()
	all := map[string]string{}
	entries, err := os.ReadDir(k.at(folder))
	if err != nil {
		k.t.Fatal(err)
	}
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(k.at(folder), e.Name()))
		if err != nil {
			k.t.Fatal(err)
		}
		switch {
		case strings.HasPrefix(e.Name(), "."):
			k.t.Errorf("%s/%s is left", folder, e.Name())
		case e.Name() != runs.LogName:
			all[e.Name()] = string(data)
		}
	}
	return all
}

// kills is the number of times that a run is killed; make runcrash has more.
func kills(t *testing.T) int {
	if s := os.Getenv("SOTTO_RUN_KILLS"); s != "" {
		n, err := strconv.Atoi(s)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	if testing.Short() {
		return 2
	}
	return 6
}

// A run that is killed (kill -9) at random points and resumed each time spends exactly what
// one run spends, and its outputs are those of a run under the same key that nobody killed.
func TestKilledRunSpendsWhatOneRunSpends(t *testing.T) {
	stage.Needs(t, stage.Kills) // kills runs of 62 files
	k := newKilledRun(t)
	first, _ := k.start("", 2)
	for begun := false; !begun; time.Sleep(5 * time.Millisecond) { // until something is charged under the key
		data, _ := os.ReadFile(filepath.Join(k.at("out"), runs.LogName))
		begun = bytes.Count(data, []byte("\n")) >= 2
	}
	_ = first.Process.Kill()
	_ = first.Wait()
	if keys, err := os.ReadDir(k.at("home/runs")); err != nil || len(keys) != 1 {
		t.Fatalf("%d keys, %v", len(keys), err)
	}

	for _, name := range []string{"out", "home"} {
		k.copyTree(name, name+"2")
	}
	for _, end := range []string{"", "-wal", "-shm"} {
		if _, err := os.Stat(k.at("ledger.db" + end)); err == nil {
			k.copyTree("ledger.db"+end, "ledger2.db"+end)
		}
	}
	began := time.Now()
	reference, said := k.start("2", 1) // the number of workers does not matter
	if err := reference.Wait(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	whole := time.Since(began)
	price := k.price()
	if got := k.spent("2"); got != price {
		t.Errorf("the run that is not killed spends %d, want %d", got, price)
	}

	rng := rand.New(rand.NewPCG(rand.Uint64(), 0))
	killed, left := 0, kills(t)
	for {
		cmd, said := k.start("", 1+rng.IntN(3))
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		var timer <-chan time.Time
		if left > 0 {
			timer = time.After(time.Duration(rng.Float64() * float64(whole) * min(1, 8/float64(left+killed))))
		}
		select {
		case <-timer:
			_ = cmd.Process.Kill()
			if <-ended != nil {
				killed++
			}
			left--
			continue
		case err := <-ended:
			if err != nil {
				t.Fatalf("%v: %s", err, said)
			}
		}
		break
	}
	t.Logf("%d kills", killed)
	if got := k.spent(""); got != price {
		t.Errorf("after %d kills %d is spent, want %d", killed, got, price)
	}
	want, got := k.outputs("out2"), k.outputs("out")
	if len(want) != killedFiles || len(got) != killedFiles {
		t.Fatalf("%d and %d outputs, want %d", len(want), len(got), killedFiles)
	}
	for name, text := range want {
		if got[name] != text {
			t.Errorf("%s is not that of the run that is not killed", name)
		}
	}
	for _, home := range []string{"home", "home2"} {
		if keys, err := os.ReadDir(k.at(home + "/runs")); err != nil || len(keys) != 0 {
			t.Errorf("%s: %d keys are left after the run (%v)", home, len(keys), err)
		}
	}
}
