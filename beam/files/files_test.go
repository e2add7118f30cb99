package files

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/local"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"
	"github.com/parquet-go/parquet-go"

	"github.com/sotto-dp/sotto/beam/sottobeam"
	"github.com/sotto-dp/sotto/files/runkey"
	"github.com/sotto-dp/sotto/ledger"
	"github.com/sotto-dp/sotto/ledger/sqlite"
	"github.com/sotto-dp/sotto/text"
)

// In a process that a test starts in order to kill it, the pipeline runs instead of the
// tests.
func TestMain(m *testing.M) {
	beam.Init()
	if data := os.Getenv("SOTTO_TEST_PIPELINE"); data != "" {
		var cfg Config
		if err := json.Unmarshal([]byte(data), &cfg); err != nil {
			panic(err)
		}
		if err := pipeline(cfg); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// hidden is in no table, so no draw can return it.
const hidden = "xylophonistic"

var seen struct {
	sync.Mutex
	failures  []sottobeam.Failure
	statement string
}

func seeFailure(f sottobeam.Failure) {
	seen.Lock()
	defer seen.Unlock()
	seen.failures = append(seen.failures, f)
}

func seeStatement(s string) { seen.Lock(); defer seen.Unlock(); seen.statement = s }

func init() {
	beam.RegisterFunction(seeFailure)
	beam.RegisterFunction(seeStatement)
}

func pipeline(cfg Config) error { return pipelineOn("direct", cfg) }

func pipelineOn(runner string, cfg Config) error {
	seen.failures, seen.statement = nil, ""
	p, s := beam.NewPipelineWithRoot()
	r, err := Rewrite(s, cfg)
	if err != nil {
		return err
	}
	beam.ParDo0(s, seeFailure, r.Failed)
	beam.ParDo0(s, seeStatement, r.Statement)
	_, err = beam.Run(context.Background(), runner, p)
	return err
}

func tokens(t testing.TB) int {
	t.Helper()
	var s struct {
		Tokens int `json:"tokens"`
	}
	if err := json.Unmarshal([]byte(seen.statement), &s); err != nil {
		t.Fatal(err)
	}
	return s.Tokens
}

func write(t testing.TB, name, data string) string {
	t.Helper()
	if err := os.WriteFile(name, []byte(data), 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}

// outputs returns the files of a folder by name.
func outputs(t testing.TB, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, e := range entries {
		if e.IsDir() {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		all[e.Name()] = string(data)
	}
	return all
}

func config(dir string, inputs ...string) Config {
	return Config{
		Config: sottobeam.Config{Run: "a run with a name of its own", Epsilon: 4, Parameters: map[string]string{"neighbours": "10"}, Fields: []string{"text"}},
		Inputs: inputs, Output: dir,
	}
}

func TestEveryFormatIsRewrittenInParts(t *testing.T) {
	dir, out := t.TempDir(), t.TempDir()
	var csv, jsonl strings.Builder
	csv.WriteString("id,text\n")
	const n = 20_000
	for i := range n {
		fmt.Fprintf(&csv, "%d,the food was %s\n", i, hidden)
		fmt.Fprintf(&jsonl, `{"id":%d,"text":"the food was %s"}`+"\n", i, hidden)
	}
	type row struct {
		ID   int64  `parquet:"id"`
		Text string `parquet:"text"`
	}
	var pq bytes.Buffer
	w := parquet.NewGenericWriter[row](&pq)
	for i := range 30 {
		if _, err := w.Write([]row{{int64(i), "the food was " + hidden}}); err != nil {
			t.Fatal(err)
		}
		if i%10 == 9 {
			if err := w.Flush(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	err := pipeline(config(out,
		write(t, filepath.Join(dir, "a.csv"), csv.String()), write(t, filepath.Join(dir, "b.jsonl"), jsonl.String()),
		write(t, filepath.Join(dir, "c.parquet"), pq.String())))
	if err != nil {
		t.Fatal(err)
	}
	rows, ids := map[string]int{}, map[string]bool{}
	parts := map[string]int{}
	for name, data := range outputs(t, out) {
		if strings.Contains(data, hidden) {
			t.Errorf("%s holds an original", name)
		}
		parts[filepath.Ext(name)]++
		switch filepath.Ext(name) {
		case ".csv":
			lines := strings.Split(strings.TrimSuffix(data, "\n"), "\n")
			if lines[0] != "id,text" {
				t.Errorf("%s begins with %q", name, lines[0])
			}
			for _, l := range lines[1:] {
				ids["csv"+strings.SplitN(l, ",", 2)[0]] = true
				rows[".csv"]++
			}
		case ".jsonl":
			rows[".jsonl"] += strings.Count(data, "\n")
		case ".parquet":
			read, err := parquet.Read[row](strings.NewReader(data), int64(len(data)))
			if err != nil {
				t.Fatal(err)
			}
			rows[".parquet"] += len(read)
		}
	}
	if rows[".csv"] != n || len(ids) != n || rows[".jsonl"] != n || rows[".parquet"] != 30 {
		t.Errorf("the rows are %v, and %d numbers", rows, len(ids))
	}
	if parts[".csv"] < 2 || parts[".jsonl"] < 2 || parts[".parquet"] != 3 {
		t.Errorf("the parts are %v", parts)
	}
	if got, want := tokens(t), 4*(2*n+30); got != want || len(seen.failures) > 0 {
		t.Errorf("%d tokens and %v, want %d", got, seen.failures, want)
	}
	// Prism sends parts from worker to worker, as a cluster does.
	before := outputs(t, out)
	if err := pipelineOn("prism", config(out, filepath.Join(dir, "a.csv"), filepath.Join(dir, "b.jsonl"), filepath.Join(dir, "c.parquet"))); err != nil {
		t.Fatal(err)
	}
	for name, data := range outputs(t, out) {
		if before[name] != data {
			t.Errorf("%s was drawn again", name)
		}
	}
	if got, want := tokens(t), 4*(2*n+30); got != want {
		t.Errorf("with nothing to do, the statement is of %d tokens, want %d", got, want)
	}
}

func TestRecordsThatCannotBeReadAreLeftOutByPlace(t *testing.T) {
	dir, out := t.TempDir(), t.TempDir()
	jsonl := `{"text":"one"}` + "\n" + `{"txet":"` + hidden + `"}` + "\n" + hidden + "\n" + `{"text":"two"}` + "\n"
	name := write(t, filepath.Join(dir, "a.jsonl"), jsonl)
	if err := pipeline(config(out, name)); err != nil {
		t.Fatal(err)
	}
	if got := outputs(t, out)["a-000000.jsonl"]; strings.Count(got, "\n") != 2 || strings.Contains(got, hidden) {
		t.Errorf("the output is %q", got)
	}
	want := []sottobeam.Failure{{Key: name + ":2", What: `there is no field "text"`}, {Key: name + ":3", What: "not a JSON document"}}
	if !slices.Equal(seen.failures, want) {
		t.Errorf("the failures are %v, want %v", seen.failures, want)
	}
}

func TestSharesMakeUpTheWhole(t *testing.T) {
	dir, out := t.TempDir(), t.TempDir()
	name := write(t, filepath.Join(dir, "a.txt"), strings.Repeat("the food was good\n", 60_000))
	sum := 0
	for take := range 2 {
		cfg := config(out, name)
		cfg.Fields, cfg.Take, cfg.Of = nil, take, 2
		if err := pipeline(cfg); err != nil {
			t.Fatal(err)
		}
		sum += tokens(t)
	}
	lines := 0
	for _, data := range outputs(t, out) {
		lines += strings.Count(data, "\n")
	}
	if lines != 60_000 || sum != 4*lines {
		t.Errorf("%d lines and %d tokens", lines, sum)
	}
}

// With many files a process takes whole files, and the others need not exist.
func TestSharesOfManyFilesAreWholeFiles(t *testing.T) {
	dir := t.TempDir()
	var names []string
	for i := range 2 * filesEach {
		names = append(names, filepath.Join(dir, fmt.Sprintf("texts%d.txt", i)))
	}
	cfg := config(t.TempDir(), names...)
	cfg.Fields = nil
	slices.Reverse(cfg.Inputs) // the order of the inputs does not matter
	whole := 0
	for take := range 2 {
		cfg.Take, cfg.Of = take, 2
		for i := range 2 * filesEach {
			name := filepath.Join(dir, fmt.Sprintf("texts%d.txt", i))
			if i%2 == take {
				write(t, name, strings.Repeat("the movie was good\n", i+1))
			} else if err := os.Remove(name); err != nil && !os.IsNotExist(err) {
				t.Fatal(err)
			}
		}
		if err := pipeline(cfg); err != nil {
			t.Fatal(err)
		}
		whole += tokens(t)
	}
	if want := 4 * (2 * filesEach) * (2*filesEach + 1) / 2; whole != want {
		t.Errorf("the shares have %d tokens, want %d", whole, want)
	}
	if got := len(outputs(t, cfg.Output)); got != 2*filesEach {
		t.Errorf("%d outputs, want %d", got, 2*filesEach)
	}
}

// A process that is killed in the middle of a bundle loses no text. Run again, it keeps
// the finished parts and makes the others. Each is charged once, except those that may
// have been seen before they were recorded, which are charged again.
func TestKilledWorkerLosesNoTextAndPaysOnce(t *testing.T) {
	dir, out := t.TempDir(), t.TempDir()
	const n, each = 400 * text.PartRecords, 4 * 4 // lines, and epsilon of a line
	name := write(t, filepath.Join(dir, "a.txt"), strings.Repeat("the food was good\n", n))
	place := filepath.Join(dir, "ledger.db")
	open := func() *ledger.Ledger {
		store, err := sqlite.Open(t.Context(), sqlite.Config{Path: place, Create: true})
		if err != nil {
			t.Fatal(err)
		}
		l, err := ledger.Open(t.Context(), ledger.Config{Store: store})
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	l := open()
	amount, err := ledger.ParseLimit(fmt.Sprint(2*n*each), "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.Grant(t.Context(), ledger.Grant{Account: "alice", Amount: amount}); err != nil {
		t.Fatal(err)
	}
	_ = l.Close()
	cfg := config(out, name)
	cfg.Fields, cfg.Ledger, cfg.Account, cfg.Run = nil, place, "alice", "a run with a name of its own"
	t.Setenv("SOTTO_HOME", t.TempDir())
	if _, err := runkey.Draw("the run"); err != nil {
		t.Fatal(err)
	}
	cfg.Draws = "the run"
	data, err := json.Marshal(cfg)
	if err != nil {
		t.Fatal(err)
	}

	kills := 0
	for attempt := 0; ; attempt++ {
		worker := exec.Command(os.Args[0])
		worker.Env = append(os.Environ(), "SOTTO_TEST_PIPELINE="+string(data))
		if err := worker.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- worker.Wait() }()
		if attempt < 3 {
			// It is killed after a few more parts.
			whole := len(outputs(t, out))
			for deadline := time.Now().Add(time.Minute); len(outputsNow(out)) < whole+2 && time.Now().Before(deadline) && len(ended) == 0; {
				time.Sleep(time.Millisecond)
			}
			if err := worker.Process.Kill(); err == nil && len(ended) == 0 {
				kills++
			}
		}
		if err := <-ended; err == nil {
			break
		} else if attempt >= 3 {
			t.Fatalf("the last attempt ends with %v", err)
		}
	}
	if kills == 0 {
		t.Fatal("no worker was killed")
	}
	lines := 0
	for name, data := range outputs(t, out) {
		if !strings.HasPrefix(name, ".") { // what a killed worker was writing
			lines += strings.Count(data, "\n")
		}
	}
	l = open()
	defer l.Close()
	a, err := l.Account(t.Context(), "alice")
	if err != nil {
		t.Fatal(err)
	}
	if lines != n || a.Spent.Epsilon != n*each*1e9 {
		t.Errorf("after %d kills %d lines are there for %s, want %d for %d", kills, lines, a.Spent, n, n*each)
	}
}

// outputsNow counts whole outputs while the run goes on.
func outputsNow(dir string) []string {
	names, _ := filepath.Glob(filepath.Join(dir, "a-*"))
	return names
}
