package server_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/server"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/gate"
	"github.com/sotto-dp/sotto/corpus"
)

// publicCorpus returns a small corpus of the given texts.
func publicCorpus(t *testing.T, name string, public bool, texts ...string) *corpus.Corpus {
	t.Helper()
	return build(t, corpus.Options{Name: name, Public: public, Encoder: corpus.LSA}, texts...)
}

// brought returns a corpus without an encoder.
func brought(t *testing.T) *corpus.Corpus {
	t.Helper()
	return build(t, corpus.Options{Name: "brought", Public: true, Dimensions: 2, Vectors: func(v []float64, i int) error {
		v[0], v[1] = 1, float64(i)
		return nil
	}}, "one text", "another one", "a third")
}

func build(t *testing.T, o corpus.Options, texts ...string) *corpus.Corpus {
	t.Helper()
	b, err := corpus.NewBuilder(o)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range texts {
		if err := b.Add([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	c, err := b.Build(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func phones(t *testing.T) *corpus.Corpus {
	return publicCorpus(t, "phones", true, "the phone rings all day", "nobody answers the phone", "the parcel was lost", "a phone is a phone")
}

func english(t *testing.T) *corpus.Corpus {
	t.Helper()
	c, err := corpus.English()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func holds(c *corpus.Corpus, text string) bool {
	for i := range c.Len() {
		if c.Text(i) == text {
			return true
		}
	}
	return false
}

// The output is a text of the corpus, for one epsilon per text, and the answer reveals
// nothing about the length of the input.
func TestWholeTextsAreReplacedByPublicOnesAndPaidOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "budgets.db")
	l := openBudgets(t, path, map[string]string{"alice": "21"})
	r := start(t, server.Config{Ledger: l, Limits: gate.Limits{Text: 100}})
	hostile := []string{"", "My order 12345 has not arrived.", strings.Repeat("long ", 10_000), "我的订单还没到", "zzxqj"}
	texts, err := json.Marshal(hostile)
	if err != nil {
		t.Fatal(err)
	}
	request := fmt.Sprintf(`{"texts":%s,"epsilon":4,"unit":"text","account":"alice","report":true}`, texts)
	first := r.rewrite(request, "Idempotency-Key", uuid)
	a := first.rewritten(t)
	if len(a.Results) != len(hostile) {
		t.Fatalf("%d results", len(a.Results))
	}
	for i, result := range a.Results {
		if result.Text == nil || !holds(english(t), *result.Text) {
			t.Errorf("result %d is no text of the corpus: %+v", i, result)
		}
	}
	if a.Claim.Unit != "text" || a.Claim.Epsilon != 4 || a.Draws != 5 || a.Receipt.Cost.Epsilon != 20 || a.Receipt.Remaining.Epsilon != 1 {
		t.Errorf("%+v", a)
	}
	for _, want := range []string{`"mechanism":"retrieval"`, `"tokens":null,"draws":5`, `"unknown_tokens":null`, `"document_tokens_max":null`,
		`"neighbours":598`, `"inside":0.49995`, `"declared_public":true`, `"sha256":"` + corpus.EnglishDigest + `"`} {
		if !strings.Contains(first.body, want) {
			t.Errorf("the answer lacks %s: %.2000s", want, first.body)
		}
	}
	if again := r.rewrite(request, "Idempotency-Key", uuid); again.body != first.body || again.header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("a retry gets another answer: %.300s", again.body)
	}
	r.rewrite(`{"texts":["a"],"epsilon":2,"unit":"text","account":"alice"}`).want(t, 403, "budget-exhausted")
	if a := accountOf(t, r, "alice"); a.Spent.Epsilon != 20 {
		t.Errorf("the account is %+v", a)
	}
}

// An account is one protected party: the losses of its texts and its words add up.
func TestWordsAndWholeTextsOfAnAccountAddUp(t *testing.T) {
	r := start(t, server.Config{Ledger: newBudgets(t, map[string]string{"alice": "100"})})
	r.rewrite(`{"texts":["the food was good"],"epsilon":8,"account":"alice"}`).want(t, 200, "")
	r.rewrite(`{"texts":["the food was good",""],"epsilon":3,"mechanism":"retrieval","account":"alice"}`).want(t, 200, "")
	if a := accountOf(t, r, "alice"); a.Spent.Epsilon != 4*8+2*3 {
		t.Errorf("4 words at 8 and 2 texts at 3 leave %+v", a)
	}
}

// The mechanism or a corpus implies the unit; a corpus is found by name only.
func TestCorporaAreChosenByName(t *testing.T) {
	r := start(t, server.Config{Corpora: []*corpus.Corpus{english(t), phones(t)}})
	for body, of := range map[string]*corpus.Corpus{
		`"unit":"text"`:                                         english(t),
		`"mechanism":"retrieval"`:                               english(t),
		`"corpus":"english"`:                                    english(t),
		`"corpus":"phones"`:                                     phones(t),
		`"unit":"text","corpus":"phones","neighbours":2`:        phones(t),
		`"unit":"text","objective":"readable"`:                  english(t),
		`"mechanism":"retrieval","unit":"text","notion":"pure"`: english(t),
	} {
		a := r.rewrite(`{"texts":["nobody answers"],"epsilon":4,"report":true,"pieces":true,` + body + `}`)
		if text := a.rewritten(t).Results[0].Text; text == nil || !holds(of, *text) {
			t.Errorf("%s: %.300s", body, a.body)
		}
		if !strings.Contains(a.body, `"name":"`+of.Name()+`"`) {
			t.Errorf("%s: the statement names another corpus: %s", body, a.body)
		}
		if strings.Contains(body, "readable") && !strings.Contains(a.body, `"objective":"readable"`) {
			t.Errorf("the objective is not in the statement: %s", a.body)
		}
	}
	// If corpora are configured, requests can name no others.
	only := start(t, server.Config{Corpora: []*corpus.Corpus{phones(t)}})
	only.rewrite(`{"texts":["a"],"epsilon":4,"corpus":"english"}`).want(t, 400, "invalid-parameter")
	if a := only.rewrite(`{"texts":["a"],"epsilon":4,"unit":"text"}`).rewritten(t); !holds(phones(t), *a.Results[0].Text) {
		t.Errorf("the default is another corpus: %+v", a)
	}
}

func TestRefusalsOfWholeTexts(t *testing.T) {
	r := start(t, server.Config{Playground: true, Ledger: newBudgets(t, map[string]string{"alice": "100"})})
	for _, more := range []string{
		`"unit":"line"`, `"unit":"word","corpus":"english"`, `"unit":"word","mechanism":"retrieval"`, `"corpus":"/etc/passwd"`, `"corpus":"nosuch","unit":"text"`,
		`"unit":"text","mechanism":"tem"`, `"corpus":"english","mechanism":"tem"`, `"unit":"text","mechanism":"adept"`, `"unit":"text","notion":"metric"`,
		`"unit":"text","consistent":true`, `"unit":"text","scope":"` + scopeName + `"`, `"unit":"text","document_epsilon":8,"document_tokens":9`,
		`"unit":"text","words":10`, `"unit":"text","embeddings":"english"`, `"unit":"text","neighbours":0`, `"unit":"text","neighbours":33255`,
		`"unit":"text","objective":"best"`, `"unit":"text","objective":"topic","neighbours":5`, `"unit":"text","clip":1`,
	} {
		r.rewrite(`{"texts":["private"],"epsilon":4,"account":"alice",`+more+`}`).want(t, 400, "invalid-parameter")
	}
	r.rewrite(`{"texts":["private"],"unit":"text","account":"alice"}`).want(t, 400, "invalid-parameter")
	for _, body := range []string{
		`{"words":["a"],"epsilon":4,"unit":"text"}`, `{"epsilon":4,"unit":"text"}`, `{"texts":["a"],"epsilon":4}`, `{"texts":["a"],"words":["a"],"epsilon":4,"unit":"text"}`,
		`{"texts":["a","b"],"words":["a"],"epsilon":4}`, `{"texts":["a","b","c","d","e","f","g","h","i","j","k","l","m","n","o","p"],"top":0,"epsilon":4,"unit":"text"}`,
	} {
		r.ask("POST", "/v1/explain", body).want(t, 400, "invalid-parameter")
	}
	r.ask("POST", "/v1/figures", `{"epsilon":4,"unit":"text"}`).want(t, 400, "invalid-parameter")
	if a := accountOf(t, r, "alice"); a.Spent.Epsilon != 0 {
		t.Errorf("refused requests left %+v", a)
	}
}

func TestCorporaNotDeclaredPublicAreRefused(t *testing.T) {
	private := publicCorpus(t, "private", false, "one text", "another one", "a third")
	for _, c := range []struct {
		corpora []*corpus.Corpus
		want    string
	}{
		{[]*corpus.Corpus{private}, "corpus private: it is not declared public"},
		{[]*corpus.Corpus{phones(t), phones(t)}, "two corpora are named phones"},
		{[]*corpus.Corpus{brought(t)}, "it has no encoder"},
	} {
		if _, err := server.New(server.Config{Corpora: c.corpora}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
}

// The exact probabilities of all texts add up to 1.
func TestExplainReturnsExactDistributionsOfWholeTexts(t *testing.T) {
	r := start(t, server.Config{Corpora: []*corpus.Corpus{phones(t)}})
	a := r.ask("POST", "/v1/explain", `{"texts":["my phone rings","zzxqj"],"top":0,"epsilon":3,"unit":"text","neighbours":1}`).want(t, 200, "")
	var got struct {
		Texts []struct {
			Text       string
			Neighbours int
			Inside     float64
			Outputs    []struct {
				Index       int
				Text        string
				Probability float64
			}
		}
		Codebook struct {
			Name  string
			Texts int
		}
		Claim struct{ Unit string }
	}
	if err := json.Unmarshal([]byte(a.body), &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Texts) != 2 || got.Codebook.Name != "phones" || got.Codebook.Texts != 4 || got.Claim.Unit != "text" || strings.Contains(a.body, `"words"`) {
		t.Fatalf("%s", a.body)
	}
	for _, text := range got.Texts {
		sum := 0.0
		for _, o := range text.Outputs {
			sum += o.Probability
		}
		if len(text.Outputs) != 4 || sum < 1-1e-9 || sum > 1+1e-9 || text.Outputs[0].Probability != text.Inside || text.Neighbours != 1 {
			t.Errorf("%+v", text)
		}
	}
	if got.Texts[0].Outputs[0].Text != "the phone rings all day" {
		t.Errorf("the likeliest of %q is %q", got.Texts[0].Text, got.Texts[0].Outputs[0].Text)
	}
	top := r.ask("POST", "/v1/explain", `{"texts":["my phone rings"],"top":2,"epsilon":3,"corpus":"phones"}`).want(t, 200, "")
	if n := strings.Count(top.body, `"probability"`); n != 2 {
		t.Errorf("%d outputs, want 2", n)
	}
}

// Reading a text for the playground returns the guarantee and the cost.
func TestReadReturnsNoWordsOfWholeTexts(t *testing.T) {
	r := start(t, server.Config{Playground: true})
	var bodies []string
	for _, text := range []string{"my doctor", strings.Repeat("zzxq ", 1000)} {
		a := r.ask("POST", "/v1/read", `{"texts":["`+text+`"],"epsilon":1,"unit":"text"}`).want(t, 200, "")
		bodies = append(bodies, a.body)
	}
	for _, want := range []string{`"results":[{}]`, "any two texts, whatever their words, length or language, by a factor of at most 2.72.", `"cost":{"epsilon":1,"delta":0}`} {
		if !strings.Contains(bodies[0], want) {
			t.Errorf("lacks %s: %s", want, bodies[0])
		}
	}
	if len(slices.Compact(bodies)) != 1 {
		t.Errorf("what is read depends on the text: %s", bodies)
	}
}

// The comparisons of one request with the corpus are bounded.
func TestComparisonsOfARequestAreBounded(t *testing.T) {
	r := start(t, server.Config{Ledger: newBudgets(t, map[string]string{"alice": "100"}), Limits: gate.Limits{Products: 2 * 33254 * 100}})
	r.rewrite(`{"texts":["a","b"],"epsilon":4,"unit":"text","account":"alice"}`).want(t, 200, "")
	for _, a := range []reply{
		r.rewrite(`{"texts":["a","b","c"],"epsilon":4,"unit":"text","account":"alice"}`),
		r.ask("POST", "/v1/explain", `{"texts":["a","b","c"],"epsilon":4,"unit":"text"}`),
	} {
		if a.want(t, 413, "too-many-texts"); !strings.Contains(a.body, `"limit":2,"count":3`) {
			t.Errorf("the problem is %s", a.body)
		}
	}
	if a := accountOf(t, r, "alice"); a.Spent.Epsilon != 8 {
		t.Errorf("a refused request left %+v", a)
	}
}

// The page offers the corpora that requests may name.
func TestPlaygroundOffersCorpora(t *testing.T) {
	r := start(t, server.Config{Playground: true, Corpora: []*corpus.Corpus{phones(t), english(t)}})
	a := r.ask("GET", "/v1/playground", "").want(t, 200, "")
	var got struct {
		Corpora []struct {
			Name  string
			Texts int
			Stops []float64
			Start float64
		}
	}
	if err := json.Unmarshal([]byte(a.body), &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Corpora) != 2 || got.Corpora[0].Name != "phones" || got.Corpora[1].Texts != english(t).Len() || !slices.Contains(got.Corpora[0].Stops, got.Corpora[0].Start) {
		t.Errorf("%+v", got)
	}
}
