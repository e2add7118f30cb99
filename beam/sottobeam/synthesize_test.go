package sottobeam

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/graph"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/graph/window"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/graph/window/trigger"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"

	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/synthesis"
)

type ticket struct {
	Body  *string
	Stars int
	Topic string
	Inner inner
}

// topics have words of their own.
var topics = []string{"goal match team", "bank price money", "doctor pill nurse"}

// news writes a public corpus of 30 texts for each topic.
func news(t testing.TB) string {
	t.Helper()
	b, err := corpus.NewBuilder(corpus.Options{Name: "news", Public: true, Encoder: corpus.LSA, Similar: 1})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 90 {
		words := strings.Fields(topics[i%3])
		if err := b.Add(fmt.Appendf(nil, "%s %s %s report %d", words[i/3%3], words[i/9%3], words[i/27%3], i)); err != nil {
			t.Fatal(err)
		}
	}
	c, err := b.Build(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "news.corpus")
	if err := c.WriteFile(file); err != nil {
		t.Fatal(err)
	}
	return file
}

func tickets(n int) []ticket {
	list := make([]ticket, n)
	for i := range list {
		body := topics[i%2] + " " + hidden
		list[i] = ticket{&body, 1 + i%2, []string{"sport", "money"}[i%2], inner{}}
	}
	return list
}

// made collects rows.
var made struct {
	sync.Mutex
	rows      []Row
	failAfter int    // rows, after which the bundle fails
	killAfter int    // rows, after which the process is killed
	file      string // of the rows of a process that will be killed
}

func seeRow(r Row) error {
	made.Lock()
	defer made.Unlock()
	if made.failAfter > 0 && len(made.rows) == made.failAfter {
		return errors.New("the worker is lost")
	}
	made.rows = append(made.rows, r)
	if made.killAfter > 0 && len(made.rows) == made.killAfter {
		data, _ := json.Marshal(made.rows)
		_ = os.WriteFile(made.file, data, 0o600)
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
	}
	return nil
}

func init() {
	beam.RegisterType(reflect.TypeFor[ticket]())
	beam.RegisterFunction(seeRow)
}

// synthesized runs records through Synthesize on Prism.
func synthesized(list []ticket, cfg Synthesis) error {
	reset()
	made.rows = nil
	p, s := beam.NewPipelineWithRoot()
	// Some bundles: the list in parts.
	var parts []beam.PCollection
	for part := range slices.Chunk(list, max(1, len(list)/4)) {
		parts = append(parts, beam.CreateList(s, part))
	}
	col := beam.Reshuffle(s, beam.ParDo(s, none, beam.Impulse(s))) // without a bundle
	if len(parts) > 0 {
		col = beam.Flatten(s, append(parts, col)...)
	}
	r, err := TrySynthesize(s, col, cfg)
	if err != nil {
		return err
	}
	beam.ParDo0(s, seeRow, r.Rows)
	beam.ParDo0(s, seeStatement, r.Statement)
	_, err = prism.Execute(context.Background(), p)
	return err
}

// none makes an empty collection.
func none(_ []byte, _ func(ticket)) {}

func init() { beam.RegisterFunction(none) }

func byTopic(t testing.TB) Synthesis {
	return Synthesis{Epsilon: 4, Corpus: news(t), Text: "Body", By: []Labels{{Field: "Topic", Values: []string{"sport", "money", "health"}}}}
}

type stated struct {
	Claim struct {
		Unit, Neighbouring string
		Epsilon            float64
	}
	Documents    *int
	RecordsNoisy int `json:"records_noisy"`
	Cells        int
	Clusters     int
	Randomness   string
	Version      string
}

func statementOf(t testing.TB) (s stated) {
	t.Helper()
	if len(seen.statements) != 1 {
		t.Fatalf("%d statements", len(seen.statements))
	}
	if err := json.Unmarshal([]byte(seen.statements[0]), &s); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestCollectionComesOutAsPublicTextsWithLabels(t *testing.T) {
	cfg := byTopic(t)
	if err := synthesized(tickets(400), cfg); err != nil {
		t.Fatal(err)
	}
	s := statementOf(t)
	// At most 34 cells of noise of scale 0.27: the sum deviates by more than 30 with a chance below 1e-9.
	if s.Claim.Unit != "record" || s.Claim.Neighbouring != "add-remove" || s.Claim.Epsilon != 4 || s.Documents != nil ||
		s.RecordsNoisy < 370 || s.RecordsNoisy > 430 || s.Cells != 3*s.Clusters+1 || s.Randomness != "caller" || s.Version == "" {
		t.Errorf("the statement is %+v", s)
	}
	right := 0
	for _, r := range made.rows {
		if strings.Contains(r.Text, hidden) || len(r.Labels) != 1 || r.Weight != 1 {
			t.Fatalf("a row is %+v", r)
		}
		if at := slices.Index([]string{"sport", "money"}, r.Labels[0]); at >= 0 && strings.Contains(topics[at], strings.Fields(r.Text)[0]) {
			right++
		}
	}
	if n := len(made.rows); n < 370 || n > 460 || float64(right) < 0.9*float64(n) {
		t.Errorf("%d rows, %d of the topic of their label", n, right)
	}
	cfg.Weights = true
	if err := synthesized(tickets(400), cfg); err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for _, r := range made.rows {
		sum += r.Weight
	}
	if sum < 370 || sum > 460 {
		t.Errorf("the weights come to %g", sum)
	}
}

// The counts are released in one pane, whatever triggers the collection has: every firing
// would be another release of the same records.
func TestATriggeredCollectionIsReleasedOnce(t *testing.T) {
	reset()
	p, s := beam.NewPipelineWithRoot()
	col := beam.Flatten(s, beam.CreateList(s, tickets(3)), beam.CreateList(s, tickets(4)), beam.CreateList(s, tickets(5)))
	col = beam.WindowInto(s, window.NewGlobalWindows(), col, beam.Trigger(trigger.Repeat(trigger.AfterCount(1))), beam.PanesAccumulate())
	r, err := TrySynthesize(s, col, byTopic(t))
	if err != nil {
		t.Fatal(err)
	}
	beam.ParDo0(s, seeStatement, r.Statement)
	edges, _, err := p.Build()
	if err != nil {
		t.Fatal(err)
	}
	grouped := 0
	for _, e := range edges {
		if e.Op != graph.CoGBK {
			continue
		}
		if grouped++; fmt.Sprint(e.Input[0].From.WindowingStrategy().Trigger) != fmt.Sprint(trigger.DefaultTrigger{}) {
			t.Errorf("counts are combined under the trigger %T", e.Input[0].From.WindowingStrategy().Trigger)
		}
	}
	if grouped == 0 {
		t.Error("nothing is combined")
	}
	if _, err := prism.Execute(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	if len(seen.statements) != 1 {
		t.Errorf("%d releases", len(seen.statements))
	}
}

// A collection without records is released like any other: every cell is noised.
func TestEmptyCollectionIsReleasedToo(t *testing.T) {
	cfg := byTopic(t)
	cfg.Epsilon = 0.05
	// The statement has the noisy count of each of 3 labels, a sum over 10 cells of noise of
	// scale 20. Two runs agree in all three with a chance below 100^-3.
	released := map[string]bool{}
	for range 2 {
		if err := synthesized(nil, cfg); err != nil {
			t.Fatal(err)
		}
		if s := statementOf(t); s.Claim.Epsilon != 0.05 || s.Clusters != 10 || s.Cells != 31 {
			t.Errorf("the statement is %+v", s)
		}
		released[seen.statements[0]] = true
	}
	if len(released) != 2 {
		t.Error("two releases of no records are the same")
	}
}

// Nothing that a record holds becomes an error: it counts for a fixed cell.
func TestAnyElementVotes(t *testing.T) {
	cfg := byTopic(t)
	cfg.By = append(cfg.By, Labels{Field: "Stars", Bins: "1..2"}, Labels{Field: "Inner.Body", Values: []string{""}})
	list := tickets(40)
	list[0].Body = nil
	list[1].Topic = "politics"
	list[2].Stars = 17
	broken := "\xff\xfe"
	list[3].Body = &broken
	list[4].Inner.Body = hidden
	if err := synthesized(list, cfg); err != nil {
		t.Fatal(err)
	}
	if s := statementOf(t); s.Cells != 6*s.Clusters+1 {
		t.Errorf("the statement is %+v", s)
	}
}

// The noise comes once, after the last bundle: a second attempt releases the same rows
// and pays nothing.
func TestRetriedReleaseIsTheSameAndPaidOnce(t *testing.T) {
	for _, charged := range []bool{true, false} {
		cfg := byTopic(t)
		cfg.Run = "a run with a name of its own"
		spent := func() float64 { return 4 }
		if charged {
			cfg.Ledger, spent = book(t, "4")
			cfg.Account = "alice"
		}
		made.failAfter = 50
		err := synthesized(tickets(200), cfg)
		made.failAfter = 0
		if err == nil || len(made.rows) != 50 || spent() != 4 {
			t.Fatalf("the first attempt released %d rows for %g (%v)", len(made.rows), spent(), err)
		}
		first := made.rows
		if err := synthesized(tickets(200), cfg); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(made.rows[:50], first) || spent() != 4 {
			t.Errorf("charged %v: the second attempt released other rows, for %g", charged, spent())
		}
		// Other records under the same run: no second release for one charge, and never
		// the same noise on other counts.
		whole := made.rows
		err = synthesized(tickets(202), cfg)
		if charged && (err == nil || !strings.Contains(err.Error(), "charged for a release of other records") || len(made.rows) > 0) {
			t.Errorf("other records: %d rows, %v", len(made.rows), err)
		}
		if !charged && (err != nil || len(made.rows) >= 50 && reflect.DeepEqual(made.rows[:50], whole[:50])) {
			t.Errorf("other records come out as the first ones (%v)", err)
		}
		cfg.Run = "a run with another name"
		if err := synthesized(tickets(200), cfg); charged && (err == nil || !strings.Contains(err.Error(), "budget")) {
			t.Errorf("a second run beyond the budget: %v", err)
		} else if !charged && reflect.DeepEqual(made.rows, whole) {
			t.Error("another run has the same noise")
		}
	}
}

// In a process that is killed while its rows are written, and in the next one, the rows
// are the same and are paid for once.
func TestKilledWorkerReleasesTheSameRows(t *testing.T) {
	cfg := byTopic(t)
	cfg.Account, cfg.Run = "alice", "a run with a name of its own"
	var spent func() float64
	cfg.Ledger, spent = book(t, "4")
	first := releasedBeforeKill(t, cfg, "TestVictim")
	if len(first) != 30 || spent() != 4 {
		t.Fatalf("the killed process released %d rows for %g", len(first), spent())
	}
	if err := synthesized(tickets(200), cfg); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(made.rows[:30], first) || spent() != 4 {
		t.Errorf("the next process released other rows, for %g", spent())
	}
}

// TestVictim is the process that is killed.
func TestVictim(t *testing.T) { victim(t, 30, tickets(200)) }

// releasedBeforeKill runs a test as a process that is killed while it releases, and
// returns the rows that it released before.
func releasedBeforeKill(t *testing.T, cfg Synthesis, test string) (rows []Row) {
	t.Helper()
	data, err := json.Marshal(cfg)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "rows.json")
	victim := exec.Command(os.Args[0], "-test.run", "^"+test+"$")
	victim.Env = append(os.Environ(), "SOTTO_TEST_VICTIM="+string(data), "SOTTO_TEST_ROWS="+file)
	var exit *exec.ExitError
	if out, err := victim.CombinedOutput(); !errors.As(err, &exit) || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
		t.Fatalf("the process was not killed: %v: %s", err, out)
	}
	if data, err = os.ReadFile(file); err == nil {
		err = json.Unmarshal(data, &rows)
	}
	if err != nil {
		t.Fatalf("the killed process left no rows: %v", err)
	}
	return rows
}

// victim is what releasedBeforeKill runs: it releases, and is killed after killAfter rows.
func victim(t *testing.T, killAfter int, list []ticket) {
	config := os.Getenv("SOTTO_TEST_VICTIM")
	if config == "" {
		t.Skip("runs in a process that is killed")
	}
	var cfg Synthesis
	if err := json.Unmarshal([]byte(config), &cfg); err != nil {
		t.Fatal(err)
	}
	made.killAfter, made.file = killAfter, os.Getenv("SOTTO_TEST_ROWS")
	t.Fatalf("the process lives on: %v", synthesized(list, cfg))
}

// A bundle that is tried again counts its records once, and bundles add up to what one
// worker counts.
func TestRetriedBundleCountsOnce(t *testing.T) {
	cfg, err := byTopic(t).Checked()
	if err != nil {
		t.Fatal(err)
	}
	list := tickets(600)
	f := &voteFn{Config: cfg, Type: beam.EncodedType{T: reflect.TypeFor[ticket]()}}
	if err := f.Setup(); err != nil {
		t.Fatal(err)
	}
	var sums []counted
	bundle := func(list []ticket) {
		t.Helper()
		for attempt := range 2 {
			err := f.StartBundle(t.Context(), nil)
			for i, x := range list {
				if attempt == 0 && i == len(list)*2/3 {
					break // the first attempt is lost
				}
				err = errors.Join(err, f.ProcessElement(t.Context(), x, nil))
			}
			if attempt == 1 {
				err = errors.Join(err, f.FinishBundle(t.Context(), func(c counted) { sums = append(sums, c) }))
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	bundle(list)
	bundle(list[:513])
	bundle(list[513:])
	merge := &mergeFn{cfg}
	parts, err := merge.MergeAccumulators(sums[1], counted{})
	if err == nil {
		parts, err = merge.MergeAccumulators(parts, sums[2])
	}
	if err != nil || !reflect.DeepEqual(parts, sums[0]) {
		t.Errorf("two bundles add up to other counts than one (%v)", err)
	}
	m, err := openMaker(cfg)
	if err != nil {
		t.Fatal(err)
	}
	source, err := cfg.source(reflect.TypeFor[ticket]())
	if err != nil {
		t.Fatal(err)
	}
	counts := m.plan.NewCounts()
	for _, x := range list {
		counts.Add(m.plan.Vote([]synthesis.Record{source.record(x)}))
	}
	if data, err := counts.MarshalBinary(); err != nil || !reflect.DeepEqual(data, sums[0].Data) {
		t.Errorf("a bundle counts other votes than one worker (%v)", err)
	}
}

func TestWrongSynthesisIsRefused(t *testing.T) {
	_, s := beam.NewPipelineWithRoot()
	records, texts := beam.CreateList(s, tickets(1)), beam.CreateList(s, []string{"x"})
	good := byTopic(t)
	with := func(change func(*Synthesis)) Synthesis {
		cfg := good
		change(&cfg)
		return cfg
	}
	for _, c := range []struct {
		col  beam.PCollection
		cfg  Synthesis
		want string
	}{
		{records, with(func(c *Synthesis) { c.Epsilon = 0 }), "epsilon must be positive and finite, got 0"},
		{records, with(func(c *Synthesis) { c.Text = "" }), "needs the field of the text"},
		{records, with(func(c *Synthesis) { c.Text = "Boby" }), "there is no field Boby"},
		{records, with(func(c *Synthesis) { c.Text = "Inner" }), "must be a string, a number or a truth value"},
		{records, with(func(c *Synthesis) { c.By = []Labels{{Field: "Topic"}} }), "both values and bins, or neither"},
		{records, with(func(c *Synthesis) { c.By = []Labels{{Field: "Stars", Bins: "5..1"}} }), "bins of"},
		{records, with(func(c *Synthesis) { c.Corpus = "nowhere" }), "no such file"},
		{records, with(func(c *Synthesis) { c.CorpusDigest = strings.Repeat("0", 64) }), "give every worker the corpus with SHA-256"},
		{records, with(func(c *Synthesis) { c.Account = "alice" }), "a ledger and an account belong together"},
		{records, with(func(c *Synthesis) { c.Run = "short" }), "got 5 characters"},
		{records, with(func(c *Synthesis) { c.Weights, c.Size = true, 5 }), "size cannot be used with Weights"},
		{texts, good, "elements must be structures"},
		{beam.WindowInto(s, window.NewFixedWindows(time.Hour), records), good, "mismatched Flatten window types"},
	} {
		if _, err := TrySynthesize(s, c.col, c.cfg); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("the error is %v, want %s", err, c.want)
		}
	}
}

// Without a ledger the noise follows from the name of the run. The claim assumes that the
// name is secret, and the statement records it and verifies. With a ledger the secret is
// random, and the claim assumes nothing of the name.
func TestStatementSaysThatTheNameOfTheRunIsSecret(t *testing.T) {
	for _, charged := range []bool{false, true} {
		cfg := byTopic(t)
		cfg.Run = "tonight, once and for all"
		if charged {
			cfg.Ledger, _ = book(t, "4")
			cfg.Account = "alice"
		}
		if err := synthesized(tickets(40), cfg); err != nil {
			t.Fatal(err)
		}
		if len(seen.statements) != 1 {
			t.Fatalf("%d statements", len(seen.statements))
		}
		s, err := synthesis.ReadStatement([]byte(seen.statements[0]))
		if err == nil {
			err = s.Verify()
		}
		if err != nil {
			t.Fatal(err)
		}
		said := strings.Contains(strings.Join(s.NotProtected, "\n"), "the name of the run")
		if assumed := s.Claim.Assumes&privacy.SecretRun != 0; assumed == charged || said == charged {
			t.Errorf("charged: %t; the claim assumes %v and leaves open %q", charged, s.Claim.Assumes.Names(), s.NotProtected)
		}
	}
}
