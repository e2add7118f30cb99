package sottobeam

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/sotto-dp/sotto/corpus"
)

// phones writes a small public corpus to a file.
func phones(t testing.TB, file string, texts ...string) (place string, public []string) {
	t.Helper()
	b, err := corpus.NewBuilder(corpus.Options{Name: "phones", Public: true, Encoder: corpus.LSA})
	if err != nil {
		t.Fatal(err)
	}
	public = append([]string{"the phone rings all day", "nobody answers the phone", "the parcel was lost", "a phone is a phone"}, texts...)
	for _, text := range public {
		if err := b.Add([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	c, err := b.Build(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := c.WriteFile(file); err != nil {
		t.Fatal(err)
	}
	return file, public
}

// Each private field is a text of its own, at the full epsilon, empty ones too. Neither
// counters nor the statement reveal the lengths.
func TestWholeTextsAreReplacedByPublicOnes(t *testing.T) {
	const n = 60
	cfg := Config{Epsilon: 3, Unit: "text", Fields: []string{"Text", "Note", "Tags", "Inner.Body"}}
	var public []string
	cfg.Corpus, public = phones(t, filepath.Join(t.TempDir(), "phones.corpus"))
	counters, err := run(t, reviews(n), seeReview, cfg)
	if err != nil {
		t.Fatal(err)
	}
	if len(seen.reviews) != n || len(seen.failures) != 0 {
		t.Fatalf("%d elements, %d failures", len(seen.reviews), len(seen.failures))
	}
	for _, r := range seen.reviews {
		for _, text := range append([]string{r.Text, *r.Note, r.Inner.Body}, r.Tags...) {
			if !slices.Contains(public, text) {
				t.Fatalf("element %d has %q, which is no text of the corpus", r.ID, text)
			}
		}
	}
	const each = 5 // texts
	var s struct {
		Claim struct {
			Unit    string
			Epsilon float64
		}
		Documents  int
		Tokens     *int
		Neighbours int
		Corpus     struct {
			Name   string
			Public bool `json:"declared_public"`
		}
	}
	if err := json.Unmarshal([]byte(seen.statements[0]), &s); err != nil || s.Documents != n*each || s.Tokens != nil || s.Claim.Unit != "text" || s.Claim.Epsilon != 3 || s.Corpus.Name != "phones" || !s.Corpus.Public {
		t.Errorf("the statement is %s (%v)", seen.statements[0], err)
	}
	want := map[string]int64{"elements": n, "texts": n * each, "epsilon_nano": n * each * 3e9}
	if !reflect.DeepEqual(counters, want) {
		t.Errorf("the counters are %v, want %v", counters, want)
	}
}

// A retried pipeline pays epsilon per text once and gives the same texts.
func TestWholeTextsArePaidOnce(t *testing.T) {
	const n, each = 40, 2 * 3 // epsilon of one element
	cfg := Config{Epsilon: 3, Mechanism: "retrieval", Fields: []string{"Text", "Note"}, Account: "alice", Run: "a run with a name of its own"}
	var spent func() float64
	cfg.Ledger, spent = book(t, fmt.Sprint(n*each))
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
	if _, err := run(t, reviews(n), seeReview, cfg); err != nil {
		t.Fatal(err)
	}
	if len(released) == 0 || len(seen.reviews) != n || spent() != n*each {
		t.Errorf("%d and %d elements for %g, want %d for %d", len(released), len(seen.reviews), spent(), n, n*each)
	}
	for _, r := range seen.reviews {
		if first, ok := released[r.ID]; ok && first != r.Text {
			t.Fatalf("element %d was released as %q and then as %q", r.ID, first, r.Text)
		}
	}
	if _, err := run(t, append(reviews(n), review{ID: n, Text: "one more"}), seeReview, cfg); err == nil || !strings.Contains(err.Error(), "budget") {
		t.Errorf("a text beyond the budget: %v", err)
	}
}

// Every worker uses the corpus with which the pipeline was made.
func TestWorkerRefusesAnotherCorpusUnderTheName(t *testing.T) {
	file := filepath.Join(t.TempDir(), "phones.corpus")
	cfg := Config{Epsilon: 3, Run: "a run with a name of its own"}
	cfg.Corpus, _ = phones(t, file)
	cfg, err := cfg.Checked()
	if err != nil || len(cfg.CorpusDigest) != 64 {
		t.Fatalf("%+v: %v", cfg, err)
	}
	phones(t, file, "another text in it")
	if _, err := openWorker(t.Context(), cfg); err == nil || !strings.Contains(err.Error(), "give every worker the corpus with SHA-256") {
		t.Errorf("another corpus: %v", err)
	}
}

// A runner shows how long a bundle takes, so the search is never skipped. A configuration
// for words is encoded as before, so that older runs can be resumed.
func TestWholeTextsAreAlwaysSearchedFor(t *testing.T) {
	for _, c := range []Config{{Epsilon: 3, Unit: "text"}, {Epsilon: 3, Mechanism: "retrieval"}, {Epsilon: 3, Corpus: "english"}} {
		asked := c.request()
		if _, err := asked.Config(t.Context(), "sottobeam", c.sources()); err != nil || c.sources().Untimed {
			t.Errorf("%+v: untimed %v, %v", c, c.sources().Untimed, err)
		}
	}
	if data, _ := json.Marshal(config); strings.Contains(string(data), "Unit") || strings.Contains(string(data), "Corpus") {
		t.Errorf("a configuration for words is %s", data)
	}
}

func TestWhatDoesNotGoWithWholeTextsIsRefused(t *testing.T) {
	_, s := beam.NewPipelineWithRoot()
	texts := beam.CreateList(s, []string{"x"})
	for want, cfg := range map[string]Config{
		"unit must be word or text, got \"line\"":   {Epsilon: 3, Unit: "line"},
		"consistent cannot be used with unit text":  {Epsilon: 3, Unit: "text", Consistent: true},
		"words cannot be used with unit text":       {Epsilon: 3, Unit: "text", Words: 10},
		"corpus cannot be used with unit word":      {Epsilon: 3, Unit: "word", Corpus: "english"},
		"tem: unit must be token or word, got text": {Epsilon: 3, Unit: "text", Mechanism: "tem"},
		"no such file or directory":                 {Epsilon: 3, Corpus: "nowhere"},
	} {
		if _, err := TryRewrite(s, texts, cfg); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", cfg, err, want)
		}
	}
}
