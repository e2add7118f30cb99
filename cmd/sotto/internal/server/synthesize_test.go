package server_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/server"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/gate"
	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/builtin"
	"github.com/sotto-dp/sotto/language"
	"github.com/sotto-dp/sotto/synthesis"
	"github.com/sotto-dp/sotto/text/tokenize"
)

// ofTopics has 30 texts of each of two topics.
func ofTopics(t *testing.T) *corpus.Corpus {
	t.Helper()
	topics := []string{"goal match team", "bank price money"}
	var texts []string
	for i := range 60 {
		words := strings.Fields(topics[i%2])
		texts = append(texts, fmt.Sprintf("%s %s %s report %d", words[i/2%3], words[i/6%3], words[i/18%3], i))
	}
	return build(t, corpus.Options{Name: "topics", Public: true, Encoder: corpus.LSA, Similar: 1}, texts...)
}

type synthesized struct {
	Rows []struct {
		Labels []string
		Text   string
	}
	Claim struct {
		Unit, Neighbouring string
		Epsilon            float64
	}
	RecordsNoisy int64 `json:"records_noisy"`
	Receipt      *struct{ Cost, Remaining struct{ Epsilon float64 } }
	Statement    *struct{ Documents *int }
}

func (a reply) synthesized(t *testing.T) (s synthesized) {
	t.Helper()
	a.want(t, 200, "")
	if err := json.Unmarshal([]byte(a.body), &s); err != nil {
		t.Fatal(err)
	}
	return s
}

// records is a list of n records of two topics.
func records(n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = []string{`{"text":"the match ` + marker + `, team","labels":["sport"]}`, `{"text":"bank money","labels":["money"]}`}[i%2]
	}
	return "[" + strings.Join(list, ",") + "]"
}

const byTopic = `"by":[{"name":"topic","values":["sport","money"]}],"corpus":"topics","epsilon":4`

func TestSmallCorpusIsCopiedAndPaidOnce(t *testing.T) {
	l := newBudgets(t, map[string]string{"corpus": "9"})
	r := start(t, server.Config{Ledger: l, Corpora: []*corpus.Corpus{english(t), ofTopics(t)}})
	body := `{"records":` + records(300) + `,` + byTopic + `,"expect":300,"account":"corpus","report":true}`
	first := r.ask("POST", "/v1/synthesize", body, "Idempotency-Key", uuid)
	s := first.synthesized(t)
	// At most 15 cells of noise of scale 0.26: the sum deviates by more than 30 with a chance below 1e-9.
	if s.RecordsNoisy < 270 || s.RecordsNoisy > 330 || s.Claim.Unit != "record" || s.Claim.Neighbouring != "add-remove" || s.Claim.Epsilon != 4 ||
		s.Receipt.Cost.Epsilon != 4 || s.Receipt.Remaining.Epsilon != 5 || s.Statement == nil || s.Statement.Documents != nil {
		t.Errorf("%+v", s)
	}
	right := 0
	for _, row := range s.Rows {
		if at := slices.Index([]string{"sport", "money"}, row.Labels[0]); at >= 0 && strings.Contains([]string{"goal match team", "bank price money"}[at], strings.Fields(row.Text)[0]) {
			right++
		}
	}
	if n := len(s.Rows); n < 270 || n > 360 || float64(right) < 0.9*float64(n) || strings.Contains(first.body, marker) {
		t.Errorf("%d rows, %d of the topic of their label", n, right)
	}
	again := r.ask("POST", "/v1/synthesize", body, "Idempotency-Key", uuid)
	if again.body != first.body || again.header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("a retry gets another answer: %.300s", again.body)
	}
	r.ask("POST", "/v1/synthesize", strings.Replace(body, "match", "team", 1), "Idempotency-Key", uuid).want(t, 422, "idempotency-key-reused")
	// A corpus that a retry does not cover is another release.
	r.ask("POST", "/v1/synthesize", body).want(t, 200, "")
	r.ask("POST", "/v1/synthesize", body).want(t, 403, "budget-exhausted")
	// Its account adds up losses of records: no word's or text's bounds one.
	r.rewrite(`{"texts":["a"],"epsilon":0.1,"account":"corpus"}`).want(t, 409, "wrong-unit")
	r.rewrite(`{"texts":["a"],"epsilon":0.1,"unit":"text","account":"corpus"}`).want(t, 409, "wrong-unit")
	if a := r.ask("GET", "/v1/accounts/corpus", "").want(t, 200, ""); !strings.Contains(a.body, `"unit":"record","neighbouring":"add-remove"`) {
		t.Errorf("the account is %s", a.body)
	}
	// Sizes and times depend on the records, so the log has none.
	for line := range strings.Lines(r.log.String()) {
		if strings.Contains(line, "/v1/synthesize") && (strings.Contains(line, "bytes_in") || strings.Contains(line, "duration_ms") || strings.Contains(line, `"texts"`) || strings.Contains(line, marker)) {
			t.Errorf("the log has %s", line)
		}
	}
}

// Whatever a record holds, it counts for some cell.
func TestAnyRecordCounts(t *testing.T) {
	r := start(t, server.Config{Corpora: []*corpus.Corpus{ofTopics(t)}})
	for _, list := range []string{
		`[]`,
		`[{"text":"a match","labels":["politics"]},{"text":"a match"},{"text":"a match","labels":["sport","sport"]}]`,
		`[{"text":null,"labels":["sport"]},{"text":17,"labels":[3]},{"text":{"a":["b"]},"labels":[{"c":null}]},{"labels":[null]},{}]`,
		`[{"text":"a match","labels":"sport"},{"text":"a match","labels":5},{"text":"a match","labels":{}},{"text":"a match","labels":null},{"labels":[["sport"]]}]`,
		`[{"text":{"a":1,"A":2},"labels":["sport"]},[{"a":1,"a":1}],{"labels":[{"a":1,"A":1}]},{"labels":{"a":1,"a":1}}]`,
		`[5,null,"a match",["a match"],[["a match"]],true,{}]`,
		`[{"text":"","labels":["sport"],"user":null},{"text":"` + strings.Repeat("long ", 1000) + `","labels":["sport"],"user":5}]`,
	} {
		for _, more := range []string{"", `,"per_user":2`, `,"size":3`} {
			s := r.ask("POST", "/v1/synthesize", `{"records":`+list+`,`+byTopic+`,"expect":50`+more+`}`).synthesized(t)
			if more == `,"size":3` && len(s.Rows) != 3 && len(s.Rows) != 0 {
				t.Errorf("%d rows, want 3", len(s.Rows))
			}
		}
	}
	// A number names one user however it is spelt.
	for i, users := range [][4]string{{"1", "1.0", "10e-1", `"1"`}, {"1", `"01"`, "1.5", "2"}} {
		list := ""
		for _, user := range users {
			list += `,{"text":"match","labels":["sport"],"user":` + user + `}`
		}
		s := r.ask("POST", "/v1/synthesize", `{"records":[`+list[1:]+`],`+strings.Replace(byTopic, `"epsilon":4`, `"epsilon":90`, 1)+`,"expect":4,"per_user":1}`).synthesized(t)
		if want := []int64{1, 4}[i]; s.RecordsNoisy != want {
			t.Errorf("users %v count %d", users, s.RecordsNoisy)
		}
	}
	// Numbers count in bins.
	s := r.ask("POST", "/v1/synthesize", `{"records":[`+strings.Repeat(`{"text":"match","labels":[5]},`, 99)+`{"text":"match","labels":["5"]}],"by":[{"name":"stars","bins":"1..5"}],"epsilon":8,"expect":100}`).synthesized(t)
	stars := map[string]int{}
	for _, row := range s.Rows {
		stars[row.Labels[0]]++
	}
	if stars["5"] < 80 {
		t.Errorf("the rows have the stars %v", stars)
	}
}

func TestWrongSynthesisIsRefused(t *testing.T) {
	r := start(t, server.Config{Limits: gate.Limits{Texts: 10}, Corpora: []*corpus.Corpus{ofTopics(t)}, Ledger: newBudgets(t, map[string]string{"alice": "9"})})
	for _, c := range []struct {
		body   string
		status int
		kind   string
	}{
		{`{"expect":5}`, 400, "malformed"},
		{`{"records":null,"expect":5}`, 400, "malformed"},
		{`{"records":[],"expect":5}`, 400, "invalid-parameter"},
		{`{"records":[],"epsilon":0,"expect":5}`, 400, "invalid-parameter"},
		{`{"records":[],"epsilon":1}`, 400, "invalid-parameter"},
		{`{"records":[],"epsilon":1,"expect":5,"size":11}`, 400, "invalid-parameter"},
		{`{"records":[],"epsilon":1,"expect":5,"delta":1}`, 400, "invalid-parameter"},
		{`{"records":[],"epsilon":1,"expect":5,"corpus":"` + marker + `"}`, 400, "invalid-parameter"},
		{`{"records":[],"epsilon":1,"expect":5,"by":[{"name":"a"}]}`, 400, "invalid-parameter"},
		{`{"records":[],"epsilon":1,"expect":5,"by":[{"name":"a","values":["` + marker + `","` + marker + `"]}]}`, 400, "invalid-parameter"},
		{`{"records":[],"epsilon":1,"expect":5,"by":[{"name":"a","values":["x"]},{"name":"a","values":["y"]}]}`, 400, "invalid-parameter"},
		{`{"records":[],"epsilon":1,"expect":5,"by":[{"name":"a","bins":"` + marker + `"}]}`, 400, "invalid-parameter"},
		{`{"records":` + records(11) + `,"epsilon":1,"expect":5}`, 400, "invalid-parameter"},
		{`{"records":[{"txet":"` + marker + `"}],"epsilon":1,"expect":5}`, 400, "malformed"},
		{`{"records":[{"Text":"` + marker + `"}],"epsilon":1,"expect":5}`, 400, "malformed"},
		{`{"records":[{"text":"` + marker + `","text":"a"}],"epsilon":1,"expect":5}`, 400, "malformed"},
		{`{"records":[],"epsilon":1,"expect":5,"seed":1}`, 400, "seed-refused"},
		{`{"records":[],"epsilon":1,"expect":5,"account":"bob"}`, 404, "unknown-account"},
	} {
		if a := r.ask("POST", "/v1/synthesize", c.body).want(t, c.status, c.kind); strings.Contains(a.body, marker) {
			t.Errorf("%s is repeated: %s", marker, a.body)
		}
	}
	for field, more := range map[string]string{"expect": `"expect":1000000000000000000`, "per_user": `"expect":5,"per_user":1000000000000`} {
		if a := r.ask("POST", "/v1/synthesize", `{"records":[],"epsilon":1,`+more+`}`).want(t, 400, "invalid-parameter"); !strings.Contains(a.body, field+" must be 1 to") {
			t.Errorf("%s is not named: %s", field, a.body)
		}
	}
	if strings.Contains(r.log.String(), marker) {
		t.Error("the log holds text")
	}
}

// languageModel is trained on the words of ofTopics.
func languageModel(t *testing.T, public bool) *language.Model {
	t.Helper()
	table, err := builtin.English()
	if err != nil {
		t.Fatal(err)
	}
	tokens := tokenize.NewTokenizer(table)
	m, err := language.Train(t.Context(), table, func(yield func([]embedding.ID, error) bool) {
		for i := range 60 {
			ids, _ := tokens.Tokenize(nil, fmt.Append(nil, []string{"goal match team report", "bank price money report"}[i%2]))
			if !yield(ids, nil) {
				return
			}
		}
	}, language.Options{Order: 3, Public: public})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// A model writes texts of the clusters' words, and the report names it and can be verified.
func TestModelWritesTheTextsOfACopy(t *testing.T) {
	if _, err := server.New(server.Config{Language: languageModel(t, false)}); err == nil || !strings.Contains(err.Error(), "declared public") {
		t.Errorf("a model that nobody declared public: %v", err)
	}
	m, topics := languageModel(t, true), ofTopics(t)
	r := start(t, server.Config{Language: m, Corpora: []*corpus.Corpus{topics}})
	public := map[string]bool{}
	for i := range topics.Len() {
		public[topics.Text(i)] = true
	}
	body := `{"records":` + records(300) + `,` + byTopic + `,"expect":300,"report":true,"size":100,"from_model":true,"model_seed":3}`
	a := r.ask("POST", "/v1/synthesize", body)
	s := a.synthesized(t)
	known := strings.Fields("goal match team bank price money report <num>")
	for _, row := range s.Rows {
		words := strings.Fields(row.Text)
		if len(words) == 0 || public[row.Text] || slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(known, w) }) {
			t.Fatalf("a row is %q", row.Text)
		}
	}
	if len(s.Rows) != 100 || strings.Contains(a.body, marker) {
		t.Errorf("%d rows, want 100", len(s.Rows))
	}
	var answer struct{ Statement json.RawMessage }
	if err := json.Unmarshal([]byte(a.body), &answer); err != nil {
		t.Fatal(err)
	}
	statement, err := synthesis.ReadStatement(answer.Statement)
	if err != nil {
		t.Fatal(err)
	}
	if w := statement.Written; w == nil || w.Model != m.Digest() || w.Seed != 3 {
		t.Errorf("the report names the model %+v", statement.Written)
	}
	if err := statement.Verify(); err != nil {
		t.Errorf("the report: %v", err)
	}
	r.ask("POST", "/v1/synthesize", strings.Replace(body, `"from_model":true,`, "", 1)).want(t, 400, "invalid-parameter")
	without := start(t, server.Config{Corpora: []*corpus.Corpus{topics}})
	without.ask("POST", "/v1/synthesize", body).want(t, 400, "no-language-model")
}

// What a model may write for one request is bounded by the limits of products and memory,
// before any record counts.
func TestModelWritesNoMoreThanTheLimits(t *testing.T) {
	// Each text takes at least 16 steps: 4 words, of 4 or more.
	r := start(t, server.Config{Language: languageModel(t, true), Corpora: []*corpus.Corpus{ofTopics(t)}, Limits: gate.Limits{Products: 10 * 5000 * 40}})
	body := `{"records":` + records(300) + `,` + byTopic + `,"expect":300,"from_model":true`
	if s := r.ask("POST", "/v1/synthesize", body+`}`).synthesized(t); len(s.Rows) < 1 || len(s.Rows) > 25 {
		t.Errorf("%d rows without a size, want 1 to 25", len(s.Rows))
	}
	r.ask("POST", "/v1/synthesize", body+`,"size":299}`).want(t, 413, "too-many-texts")
}
