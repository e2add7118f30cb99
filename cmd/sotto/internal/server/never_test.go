package server_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/server"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/builtin"
)

// withoutThe returns the first words of the embedded table, and the same table without
// the word "the".
func withoutThe(t *testing.T, words int) (first, cut *embedding.Table) {
	t.Helper()
	english, err := builtin.English()
	if err != nil {
		t.Fatal(err)
	}
	first, err = english.First(words)
	if err != nil {
		t.Fatal(err)
	}
	list, err := embedding.ReadWordList(strings.NewReader("the"))
	if err != nil {
		t.Fatal(err)
	}
	cut, err = first.Without(list)
	if err != nil {
		t.Fatal(err)
	}
	return first, cut
}

// The words of a corpus or a model are not those of the tables, so a list does not leave
// them out: a server that has one serves neither, at any endpoint.
func TestServersWithAListServeNoWholeTexts(t *testing.T) {
	first, cut := withoutThe(t, 300)
	asked := map[string][]string{
		"/v1/rewrite": {
			`{"texts":["good"],"epsilon":4,"unit":"text"}`,
			`{"texts":["good"],"epsilon":4,"corpus":"english"}`,
			`{"texts":["good"],"epsilon":4,"mechanism":"retrieval"}`,
			`{"texts":["good"],"epsilon":4,"mechanism":"adept"}`,
			`{"texts":["good"],"epsilon":4,"mechanism":"adept","unit":"word"}`,
		},
		"/v1/cost":       {`{"texts":["good"],"epsilon":4,"unit":"text"}`},
		"/v1/explain":    {`{"texts":["good"],"epsilon":4,"unit":"text"}`},
		"/v1/synthesize": {`{"records":[{"text":"good"}],"epsilon":4,"expect":5}`},
	}
	listed := start(t, server.Config{Tables: []*embedding.Table{cut}, Model: model(t, true)})
	for path, bodies := range asked {
		for _, body := range bodies {
			listed.ask("POST", path, body).want(t, 400, "listed-words")
		}
	}
	listed.rewrite(`{"texts":["the good"],"epsilon":4,"mechanism":"response"}`).rewritten(t)

	free := start(t, server.Config{Tables: []*embedding.Table{first}, Model: model(t, true)})
	free.rewrite(asked["/v1/rewrite"][0]).rewritten(t)
	free.rewrite(asked["/v1/rewrite"][3]).rewritten(t)
}

// The playground offers no corpus whose requests would be refused.
func TestPlaygroundOfAListOffersNoCorpus(t *testing.T) {
	first, cut := withoutThe(t, 200)
	for _, c := range []struct {
		table *embedding.Table
		want  int
	}{{cut, 0}, {first, 1}} {
		var settings struct{ Corpora []struct{ Name string } }
		answer := start(t, server.Config{Tables: []*embedding.Table{c.table}, Playground: true}).ask("GET", "/v1/playground", "").want(t, 200, "")
		if err := json.Unmarshal([]byte(answer.body), &settings); err != nil {
			t.Fatal(err)
		}
		if len(settings.Corpora) != c.want || settings.Corpora == nil {
			t.Errorf("it offers %+v, want %d corpora", settings.Corpora, c.want)
		}
	}
}
