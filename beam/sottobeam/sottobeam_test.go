package sottobeam

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/metrics"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"

	"github.com/sotto-dp/sotto/ledger"
	"github.com/sotto-dp/sotto/ledger/sqlite"
	"github.com/sotto-dp/sotto/privacy/identity"
)

func TestMain(m *testing.M) {
	beam.Init()
	os.Exit(m.Run())
}

// hidden is in no table, so no draw can return it.
const hidden = "xylophonistic"

type review struct {
	ID    int64 `sotto:"key"`
	Text  string
	Note  *string
	Tags  []string
	Stars int
	Inner inner
}

type inner struct{ Body string }

func reviews(n int) []review {
	note := "a " + hidden + " note"
	list := make([]review, n)
	for i := range list {
		list[i] = review{int64(i), "the food was good " + hidden, &note, []string{hidden, ""}, i % 5, inner{hidden + " body"}}
	}
	return list
}

// seen collects what reaches the last step of a test. The workers run in this process.
var seen struct {
	sync.Mutex
	reviews    []review
	texts      []string
	failures   []Failure
	statements []string
	failAfter  int // elements, after which the bundle fails
}

func seeReview(r review) error {
	seen.Lock()
	defer seen.Unlock()
	if seen.failAfter > 0 && len(seen.reviews) == seen.failAfter {
		return errors.New("the worker is lost")
	}
	seen.reviews = append(seen.reviews, r)
	return nil
}

func seeText(s string) { seen.Lock(); defer seen.Unlock(); seen.texts = append(seen.texts, s) }
func seeFailure(f Failure) {
	seen.Lock()
	defer seen.Unlock()
	seen.failures = append(seen.failures, f)
}
func seeStatement(text string) {
	seen.Lock()
	defer seen.Unlock()
	seen.statements = append(seen.statements, text)
}

func init() {
	beam.RegisterType(reflect.TypeFor[review]())
	beam.RegisterFunction(seeReview)
	beam.RegisterFunction(seeText)
	beam.RegisterFunction(seeFailure)
	beam.RegisterFunction(seeStatement)
}

func reset() { seen.reviews, seen.texts, seen.failures, seen.statements = nil, nil, nil, nil }

// run sends elements through Rewrite on Prism, which has workers and stages as a cluster has.
func run(t testing.TB, list any, see any, cfg Config) (map[string]int64, error) {
	t.Helper()
	reset()
	p, s := beam.NewPipelineWithRoot()
	r, err := TryRewrite(s, beam.CreateList(s, list), cfg)
	if err != nil {
		t.Fatal(err)
	}
	beam.ParDo0(s, see, r.Private)
	beam.ParDo0(s, seeFailure, r.Failed)
	beam.ParDo0(s, seeStatement, r.Statement)
	result, err := prism.Execute(context.Background(), p)
	if err != nil {
		return nil, err
	}
	counters := map[string]int64{}
	for _, c := range result.Metrics().Query(func(r metrics.SingleResult) bool { return r.Namespace() == "sotto" }).Counters() {
		counters[c.Name()] += c.Result()
	}
	return counters, nil
}

var config = Config{Epsilon: 4, Parameters: map[string]string{"neighbours": "10"}}

func TestNamedFieldsOfStructuresAreRewritten(t *testing.T) {
	const n = 100
	cfg := config
	cfg.Fields = []string{"Text", "Note", "Tags", "Inner.Body"}
	in := reviews(n)
	counters, err := run(t, in, seeReview, cfg)
	if err != nil {
		t.Fatal(err)
	}
	if len(seen.reviews) != n || len(seen.failures) != 0 || len(seen.statements) != 1 {
		t.Fatalf("%d elements, %d failures, %d statements", len(seen.reviews), len(seen.failures), len(seen.statements))
	}
	slices.SortFunc(seen.reviews, func(a, b review) int { return int(a.ID - b.ID) })
	for i, r := range seen.reviews {
		if data, _ := json.Marshal(r); strings.Contains(string(data), hidden) || r.ID != int64(i) || r.Stars != i%5 || len(r.Tags) != 2 || r.Tags[1] != "" {
			t.Fatalf("element %d becomes %s", i, data)
		}
	}
	const each = 5 + 3 + 1 + 2 // tokens
	var s struct {
		Tokens int
		Drawn  identity.Drawn
	}
	if err := json.Unmarshal([]byte(seen.statements[0]), &s); err != nil || s.Tokens != n*each {
		t.Errorf("the statement is of %d tokens (%v), want %d", s.Tokens, err, n*each)
	}
	if own := identified(seen.reviews); s.Drawn != own {
		t.Errorf("the statement is of %+v, the elements are %+v", s.Drawn, own)
	}
	want := map[string]int64{"elements": n, "tokens": n * each, "epsilon_nano": n * each * 4e9}
	if !reflect.DeepEqual(counters, want) {
		t.Errorf("the counters are %v, want %v", counters, want)
	}
	if *in[0].Note != "a "+hidden+" note" || in[0].Tags[0] != hidden {
		t.Error("the elements themselves were changed")
	}
}

func TestStringsAreRewritten(t *testing.T) {
	if _, err := run(t, []string{hidden, "", "the food was " + hidden}, seeText, config); err != nil {
		t.Fatal(err)
	}
	if len(seen.texts) != 3 || strings.Contains(strings.Join(seen.texts, " "), hidden) || !slices.Contains(seen.texts, "") {
		t.Errorf("the texts become %q", seen.texts)
	}
}

// book opens a ledger with an account, and returns its place and a function for what is
// spent.
func book(t testing.TB, epsilon string) (place string, spent func() float64) {
	t.Helper()
	place = filepath.Join(t.TempDir(), "ledger.db")
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
	defer l.Close()
	amount, err := ledger.ParseLimit(epsilon, "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.Grant(t.Context(), ledger.Grant{Account: "alice", Amount: amount}); err != nil {
		t.Fatal(err)
	}
	return place, func() float64 {
		l := open()
		defer l.Close()
		a, err := l.Account(t.Context(), "alice")
		if err != nil {
			t.Fatal(err)
		}
		return float64(a.Spent.Epsilon) / 1e9
	}
}

// A bundle that fails after its elements were charged is retried. The second attempt
// gives the answers of the first and spends only what was not yet spent.
func TestRetryGetsTheSameAnswersAndPaysOnce(t *testing.T) {
	const n, each = 300, 5 * 4 // epsilon of one element
	cfg := config
	cfg.Fields = []string{"Text"}
	var spent func() float64
	cfg.Ledger, spent = book(t, fmt.Sprint(n*each))
	cfg.Account, cfg.Run = "alice", "a run with a name of its own"

	seen.failAfter = n / 2
	_, err := run(t, reviews(n), seeReview, cfg)
	seen.failAfter = 0
	if err == nil {
		t.Fatal("the first attempt did not fail")
	}
	released := map[int64]string{}
	for _, r := range seen.reviews {
		released[r.ID] = r.Text
	}
	if len(released) != n/2 || spent() < n/2*each {
		t.Fatalf("the first attempt released %d and spent %g", len(released), spent())
	}
	counters, err := run(t, reviews(n), seeReview, cfg)
	if err != nil {
		t.Fatal(err)
	}
	if len(seen.reviews) != n || spent() != n*each {
		t.Errorf("%d elements are there and %g is spent, want %d and %d", len(seen.reviews), spent(), n, n*each)
	}
	for _, r := range seen.reviews {
		if first, ok := released[r.ID]; ok && first != r.Text {
			t.Fatalf("element %d was released as %q and then as %q", r.ID, first, r.Text)
		}
	}
	if counters["elements"] != n {
		t.Errorf("the counters are %v", counters)
	}
}

func TestBudgetThatRunsOutStopsThePipeline(t *testing.T) {
	cfg := config
	cfg.Fields = []string{"Text"}
	var spent func() float64
	cfg.Ledger, spent = book(t, "90") // four elements and a half
	cfg.Account = "alice"
	_, err := run(t, reviews(100), seeReview, cfg)
	if err == nil {
		t.Fatal("the pipeline did not stop")
	}
	if s := spent(); s > 90 || len(seen.reviews) > 4 {
		t.Errorf("%g is spent and %d elements are released", s, len(seen.reviews))
	}
	if strings.Contains(err.Error(), hidden) {
		t.Errorf("the error holds a text: %v", err)
	}
}

// Elements with the same key are an error of the keys: one gets its answer, and the others are left
// out, whatever their lengths, and not charged. The message quotes no text.
func TestWhatCannotBeRewrittenIsLeftOutWithoutItsText(t *testing.T) {
	cfg := config
	cfg.Fields = []string{"Text"}
	var spent func() float64
	cfg.Ledger, spent = book(t, "10000")
	cfg.Account = "alice"
	list := reviews(2*atOnce + 2)
	last := len(list) - 1
	for i, text := range map[int]string{0: list[0].Text, 1: "the cook was rude " + hidden, last: "the wine was bad " + hidden} {
		list[i].ID, list[i].Text = 0, text
	}
	counters, err := run(t, list, seeReview, cfg)
	if err != nil {
		t.Fatal(err)
	}
	rest := len(list) - 2
	if len(seen.reviews) != rest || counters["failures"] != 2 || spent() != float64(rest*5*4) {
		t.Fatalf("%d elements for %g, %v", len(seen.reviews), spent(), counters)
	}
	failure := Failure{"0", "its key is that of another element"}
	if want := []Failure{failure, failure}; !slices.Equal(seen.failures, want) {
		t.Errorf("the failures are %v, want %v", seen.failures, want)
	}
}

// identified returns what identifies the texts of some elements.
func identified(list []review) identity.Drawn {
	var texts identity.Tally
	for _, r := range list {
		for _, one := range append(r.Tags, r.Text, *r.Note, r.Inner.Body) {
			texts.AddText([]byte(one))
		}
	}
	return texts.Drawn()
}

func TestElementsWithoutKeysArePaidForToo(t *testing.T) {
	cfg := config
	var spent func() float64
	cfg.Ledger, spent = book(t, "1000")
	cfg.Account = "alice"
	if _, err := run(t, []string{"one two", "one two", hidden}, seeText, cfg); err != nil {
		t.Fatal(err)
	}
	if len(seen.texts) != 3 || spent() != 5*4 {
		t.Errorf("%q for %g", seen.texts, spent())
	}
	var s struct{ Drawn identity.Drawn }
	if err := json.Unmarshal([]byte(seen.statements[0]), &s); err != nil || s.Drawn != identity.OfTexts([][]byte{[]byte(seen.texts[0]), []byte(seen.texts[1]), []byte(seen.texts[2])}) {
		t.Errorf("%q have the statement of %+v (%v)", seen.texts, s, err)
	}
}

func TestWrongConfigIsRefused(t *testing.T) {
	_, s := beam.NewPipelineWithRoot()
	texts, structs, numbers := beam.CreateList(s, []string{"x"}), beam.CreateList(s, reviews(1)), beam.CreateList(s, []int{1})
	with := func(change func(*Config)) Config {
		cfg := config
		change(&cfg)
		return cfg
	}
	for _, c := range []struct {
		col  beam.PCollection
		cfg  Config
		want string
	}{
		{texts, with(func(c *Config) { c.Epsilon = 0 }), "sottobeam needs epsilon, the privacy parameter per token"},
		{texts, with(func(c *Config) { c.Account = "alice" }), "a ledger and an account belong together"},
		{texts, with(func(c *Config) { c.Run = "short" }), "got 5 characters"},
		{texts, with(func(c *Config) { c.Mechanism = "santext" }), "santext"},
		{texts, with(func(c *Config) { c.Certificate = []byte(`{}`) }), "certificate"},
		{texts, with(func(c *Config) { c.Fields = []string{"Text"} }), "strings have no fields"},
		{numbers, config, "elements must be strings or structures, got int"},
		{structs, config, "is named or tagged"},
		{structs, with(func(c *Config) { c.Fields = []string{"Txet"} }), "there is no field Txet"},
		{structs, with(func(c *Config) { c.Fields = []string{"Stars"} }), "got int"},
	} {
		if _, err := TryRewrite(s, c.col, c.cfg); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("the error is %v, want %s", err, c.want)
		}
	}
}
