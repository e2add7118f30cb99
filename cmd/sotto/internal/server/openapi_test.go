package server_test

import (
	"encoding/json"
	"github.com/sotto-dp/sotto/internal/stage"
	"regexp"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/server"
)

func TestAnswersMatchTheOpenAPIDocument(t *testing.T) {
	stage.Unraced(t)
	r := start(t, server.Config{Ledger: newBudgets(t, map[string]string{"alice": "50", "tickets": "50"}), Playground: true, Spans: true})
	d := readDocument(t, r)
	if d.OpenAPI != "3.0.3" {
		t.Errorf("version %q", d.OpenAPI)
	}
	answered := map[string]bool{}
	for _, c := range []struct{ method, path, pattern, body string }{
		{"post", "/v1/rewrite", "", `{"texts":["my doctor",null],"epsilon":8,"account":"alice","report":true}`},
		{"post", "/v1/rewrite", "", `{"texts":["my doctor"],"epsilon":2,"notion":"pure","mechanism":"tem","calibrate":"published","embeddings":"english"}`},
		{"post", "/v1/rewrite", "", `{"texts":["my doctor in Boston agreed"],"epsilon":8,"account":"alice"}`}, // over budget
		{"post", "/v1/rewrite", "", `{"texts":["a"],"epsilon":8,"neighbours":0}`},
		{"post", "/v1/rewrite", "", `{"texts":["my doctor",null],"epsilon":2,"unit":"text","account":"alice","report":true}`},
		{"post", "/v1/rewrite", "", `{"texts":["my doctor"],"epsilon":2,"corpus":"nosuch","objective":"topic"}`},
		{"post", "/v1/cost", "", `{"texts":["my doctor",null],"epsilon":2,"account":"alice"}`},
		{"post", "/v1/cost", "", `{"texts":["my doctor"],"epsilon":2,"unit":"text"}`},
		{"post", "/v1/cost", "", `{"texts":["my doctor"],"epsilon":2,"mechanism":"brr"}`},
		{"post", "/v1/cost", "", `{"texts":["my doctor"],"epsilon":0}`},
		{"post", "/v1/synthesize", "", `{"records":[{"text":"my doctor","labels":["health"]},{"text":null,"labels":[1,{}]},{},{"text":{},"labels":"health","user":[]}],"by":[{"name":"topic","values":["health","sport"]}],"epsilon":2,"expect":50,"account":"tickets","report":true}`},
		{"post", "/v1/synthesize", "", `{"records":[],"epsilon":2,"expect":0}`},
		{"post", "/v1/explain", "", `{"texts":["my doctor"],"epsilon":2,"unit":"text","corpus":"english"}`},
		{"post", "/v1/explain", "", `{"words":["doctor"],"epsilon":8,"parameters":{"neighbours":"5"}}`},
		{"get", "/v1/mechanisms", "", ""},
		{"get", "/v1/accounts/alice", "/v1/accounts/{id}", ""},
		{"get", "/v1/accounts/bob", "/v1/accounts/{id}", ""},
		{"post", "/v1/read", "", `{"texts":["my doctor",null],"epsilon":2}`},
		{"post", "/v1/read", "", `{"texts":["Anna left on 2024-03-17",null],"epsilon":2,"typed":true,"spans":[[{"start":0,"end":4,"entity_type":"PERSON"}],[]],"mark_patterns":true}`},
		{"post", "/v1/rewrite", "", `{"texts":["Anna left"],"epsilon":2,"typed":true,"spans":[[{"start":0,"end":4,"entity_type":"PERSON"}]],"pieces":true}`},
		{"post", "/v1/figures", "", `{"epsilon":2}`},
		{"get", "/v1/playground", "", ""}, {"get", "/", "", ""},
		{"get", "/openapi.json", "", ""}, {"get", "/healthz", "", ""}, {"get", "/readyz", "", ""}, {"get", "/metrics", "", ""},
	} {
		pattern := c.pattern
		if pattern == "" {
			pattern = c.path
		}
		op, ok := d.Paths[pattern][c.method]
		if !ok {
			t.Errorf("the document lacks %s %s", c.method, pattern)
			continue
		}
		if c.body != "" {
			var v any
			_ = json.Unmarshal([]byte(c.body), &v)
			if err := d.fits("request", v, op.RequestBody.Content["application/json"].Schema); err != nil {
				t.Errorf("%s: %v", pattern, err)
			}
		}
		a := r.ask(strings.ToUpper(c.method), c.path, c.body)
		described, ok := d.answer(op, a.status)
		if !ok {
			t.Errorf("%s: the document lacks status %d", pattern, a.status)
			continue
		}
		kind, _, _ := strings.Cut(a.header.Get("Content-Type"), ";")
		if _, ok := described.Content[kind]; !ok {
			t.Errorf("%s: the document lacks %s for %d", pattern, kind, a.status)
		}
		answered[pattern] = answered[pattern] || a.status == 200
		if strings.HasPrefix(kind, "text/") {
			continue
		}
		var v any
		if err := json.Unmarshal([]byte(a.body), &v); err != nil {
			t.Fatal(err)
		}
		if err := d.fits("answer", v, described.Content[kind].Schema); err != nil {
			t.Errorf("%s: %v in %.300s", pattern, err, a.body)
		}
	}
	for pattern := range d.Paths {
		if !answered[pattern] {
			t.Errorf("%s is described and has not answered", pattern)
		}
	}
	if d.fits("x", map[string]any{"nosuch": 1.0}, d.Components.Schemas["SynthesizeRecord"]) == nil {
		t.Error("the names of a record's fields are not described")
	}
	// Values that the check must refuse.
	if d.fits("x", map[string]any{"texts": "a", "epsilon": 8.0}, d.Components.Schemas["RewriteRequest"]) == nil ||
		d.fits("x", map[string]any{"nosuch": 1.0}, d.Components.Schemas["RewriteRequest"]) == nil {
		t.Error("the check fits everything")
	}
}

var drawn = regexp.MustCompile(`"drawn":\{[^}]*\}`)

// No answer says which tokens the table lacks.
func TestNoAnswerCountsUnknownTokens(t *testing.T) {
	r := start(t, server.Config{Playground: true})
	found := 0
	for name, schema := range readDocument(t, r).Components.Schemas {
		properties, _ := schema["properties"].(map[string]any)
		for property, of := range properties {
			// A cost is of the caller's own texts, and nothing is drawn for it.
			if strings.Contains(property, "unknown") && name != "CostResponse" {
				found++
				if only, _ := of.(map[string]any)["enum"].([]any); len(only) != 1 || only[0] != nil {
					t.Errorf("%s.%s is %v, must be null", name, property, of)
				}
			}
		}
	}
	if found < 2 {
		t.Errorf("%d properties were looked at", found)
	}
	var answers []string
	for _, text := range []string{"doctor house river", "qqxqq zzxzz wwxww"} {
		a := r.rewrite(`{"texts":["`+text+`"],"epsilon":8,"report":true}`).want(t, 200, "")
		_, rest, _ := strings.Cut(a.body, `"mechanism"`) // after the private texts
		rest = drawn.ReplaceAllString(rest, "")          // it follows from them
		answers = append(answers, rest)
	}
	if answers[0] != answers[1] {
		t.Errorf("texts of three tokens have two answers:\n%s\n%s", answers[0], answers[1])
	}
}

// A number that is a parameter may be a string, as the document says in words: clients have numbers.
func TestNumbersOfParametersMayBeStrings(t *testing.T) {
	r := start(t, server.Config{})
	var d struct{ Info struct{ Description string } }
	if err := json.Unmarshal([]byte(r.ask("GET", "/openapi.json", "").body), &d); err != nil || !strings.Contains(d.Info.Description, "as a string") {
		t.Errorf("%q (%v)", d.Info.Description, err)
	}
	number := r.ask("POST", "/v1/explain", `{"words":["doctor"],"epsilon":8,"neighbours":5}`).want(t, 200, "")
	text := r.ask("POST", "/v1/explain", `{"words":["doctor"],"epsilon":8,"neighbours":"5"}`).want(t, 200, "")
	if number.body != text.body {
		t.Errorf("%s, not %s", text.body, number.body)
	}
}
