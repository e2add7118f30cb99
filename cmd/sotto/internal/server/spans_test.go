package server_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/server"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/gate"
)

// Spans are refused unless the operator allows them, whatever else a request has.
func TestSpansAreRefusedUnlessAllowed(t *testing.T) {
	r := start(t, server.Config{})
	for _, spans := range []string{`[[{"start":0,"end":4}]]`, `[[]]`, `[]`} {
		r.ask("POST", "/v1/rewrite", `{"texts":["Anna agreed"],"epsilon":30,"spans":`+spans+`}`).want(t, 403, "spans-refused")
	}
	r.ask("POST", "/v1/cost", `{"texts":["Anna agreed"],"epsilon":30,"spans":[[]]}`).want(t, 400, "malformed")
	r.ask("POST", "/v1/rewrite", `{"texts":["Anna agreed"],"epsilon":30}`).want(t, 200, "")
}

// Only what is marked is rewritten, and the answer's claim is conditional.
func TestSpansMarkWhatIsRewritten(t *testing.T) {
	r := start(t, server.Config{Spans: true, Ledger: newBudgets(t, map[string]string{"alice": "100"})})
	a := r.ask("POST", "/v1/rewrite", `{"texts":["KEPT secretword KEPT",null,"All kept é Secretword","KEPT"],"epsilon":1,"report":true,
		"spans":[[{"start":5,"end":15,"entity_type":"PERSON","score":0.9}],[],{"ents":[{"start":11,"end":21}]},[{"start":2,"end":9}]]}`).want(t, 200, "")
	answer := a.rewritten(t)
	first, third := *answer.Results[0].Text, *answer.Results[2].Text
	if !strings.HasPrefix(first, "KEPT ") || !strings.HasSuffix(first, " KEPT") || !strings.HasPrefix(third, "All kept é ") || strings.Contains(strings.ToLower(a.body), "secretword") {
		t.Errorf("%s", a.body)
	}
	if answer.Results[1].Error == nil || answer.Results[3].Error == nil || *answer.Results[3].Error != "span 1 is empty or outside the text (places are counted in characters, from 0)" {
		t.Errorf("%s", a.body)
	}
	for _, want := range []string{`"unit":"marked token"`, `"public-spans"`, `"document_epsilon_max":null`, `"spans":2`, "the total of a text is infinite"} {
		if !strings.Contains(a.body, want) {
			t.Errorf("%s lacks %s", a.body, want)
		}
	}
	// The same mechanism without spans is another opening, which rewrites all.
	if whole := *r.rewrite(`{"texts":["KEPT secretword KEPT QQQX KEPT QQQX KEPT QQQX"],"epsilon":1}`).rewritten(t).Results[0].Text; strings.Contains(whole, "QQQX") {
		t.Errorf("a text without spans is %s", whole)
	}
	for more, want := range map[string]string{
		`"account":"alice"`:                         "a text with copied parts has no bound",
		`"unit":"text"`:                             "a whole text has no guarantee",
		`"consistent":true`:                         "outside the spans",
		`"document_epsilon":30,"document_tokens":5`: "the loss of a whole text has no bound",
		`"pieces":true`:                             "no pieces",
	} {
		if a := r.ask("POST", "/v1/rewrite", `{"texts":["Anna agreed"],"epsilon":3,"spans":[[{"start":0,"end":4}]],`+more+`}`); a.status != 400 || !strings.Contains(a.body, want) {
			t.Errorf("%s: %d %s", more, a.status, a.body)
		}
	}
	for _, spans := range []string{`[]`, `[[],[]]`, `[null]`, `null,"spans":[[{"start":0}]]`, `[[{"start":0,"START":1,"end":4}]]`, `["secretword"]`, `[[{"start":0,"end":"secretword"}]]`} {
		if a := r.ask("POST", "/v1/rewrite", `{"texts":["Anna agreed"],"epsilon":3,"spans":`+spans+`}`); a.status != 400 || strings.Contains(a.body, "secretword") {
			t.Errorf("%s: %d %s", spans, a.status, a.body)
		}
	}
	if a := accountOf(t, r, "alice"); a.Charges != 0 {
		t.Errorf("%+v", a)
	}
	if log := r.log.String(); strings.Contains(log, "secretword") || strings.Contains(log, "Anna") {
		t.Errorf("the log has %s", log)
	}
}

// Marks are replaced within their types, and the answer shows no length of what they held.
func TestTypedSpansAreReplacedWithinTheirTypes(t *testing.T) {
	r := start(t, server.Config{Spans: true})
	a := r.ask("POST", "/v1/rewrite", `{"texts":["KEPT secretword KEPT","age 67.","Anna"],"epsilon":0,"typed":true,"report":true,
		"spans":[[{"start":5,"end":15,"entity_type":"PERSON"}],[{"start":4,"end":6,"label":"age"}],[{"start":0,"end":4,"label":"BADGE"}]]}`).want(t, 200, "")
	answer := a.rewritten(t)
	first := strings.Fields(*answer.Results[0].Text)
	if len(first) != 4 || first[0] != "KEPT" || first[3] != "KEPT" || !strings.HasPrefix(*answer.Results[1].Text, "age ") || strings.Contains(a.body, "secretword") {
		t.Errorf("%s", a.body)
	}
	if answer.Results[2].Error == nil || *answer.Results[2].Error != "span 1 has a type without a codebook: give the type one" {
		t.Errorf("%s", a.body)
	}
	for _, want := range []string{`"unit":"mark"`, `"public-spans"`, `"tokens":null`, `"document_epsilon_max":null`, `"codebook":"person"`} {
		if !strings.Contains(a.body, want) {
			t.Errorf("%s lacks %s", a.body, want)
		}
	}
	a = r.ask("POST", "/v1/rewrite", `{"texts":["Bob and Bob"],"epsilon":4,"typed":true,"consistent":true,"strict_types":true,"spans":[[{"start":0,"end":3,"label":"PER"},{"start":8,"end":11,"label":"PER"}]]}`).want(t, 200, "")
	if one, other, _ := strings.Cut(*a.rewritten(t).Results[0].Text, " and "); one != other || !strings.Contains(a.body, `"unit":"distinct mark"`) {
		t.Errorf("%s", a.body)
	}
	a = r.ask("POST", "/v1/rewrite", `{"texts":["Bob is Dutch"],"epsilon":4,"typed":true,"spans":[[{"start":0,"end":3,"label":"PER"},{"start":7,"end":12,"label":"NORP"}]]}`).want(t, 200, "")
	for _, want := range []string{`"untyped":{"mechanism":"neighbours"`, `"tokens":1`, `"certificate":null`, `"claim":{"unit":"mark","neighbouring":"replace","notion":"pure","distance":null,"epsilon":null`} {
		if !strings.Contains(a.body, want) {
			t.Errorf("%s lacks %s", a.body, want)
		}
	}
	for more, want := range map[string]string{
		`"epsilon":3,"typed":true`:                                     "given with typed",
		`"epsilon":3,"typed":true,"spans":[[]],"mechanism":"response"`: "types have their own",
		`"epsilon":3,"typed":true,"spans":[[]],"unit":"text"`:          "a whole text has no guarantee",
		`"epsilon":0,"typed":true,"spans":[[]],"neighbours":3`:         "types have their own",
		`"epsilon":3,"strict_types":true,"spans":[[]]`:                 "given with strict_types",
		`"epsilon":0,"spans":[[]]`:                                     "positive",
	} {
		if a := r.ask("POST", "/v1/rewrite", `{"texts":["Anna agreed"],`+more+`}`); a.status != 400 || !strings.Contains(a.body, want) {
			t.Errorf("%s: %d %s", more, a.status, a.body)
		}
	}
	start(t, server.Config{}).ask("POST", "/v1/rewrite", `{"texts":["Anna agreed"],"epsilon":3,"typed":true,"spans":[[]]}`).want(t, 403, "spans-refused")
}

// The length of a mark decides nothing: no text with marks within their types is too long.
func TestLengthsOfTypedSpansAreNotRefused(t *testing.T) {
	r := start(t, server.Config{Spans: true, Playground: true, Limits: gate.Limits{Text: 40}})
	name := strings.Repeat("Anna ", 20)
	ask := func(path, more string) reply {
		return r.ask("POST", path, fmt.Sprintf(`{"texts":["from %s with love"],"spans":[[{"start":5,"end":%d,"label":"PER"}]],%s}`, name, 5+len(name), more)).want(t, 200, "")
	}
	for _, more := range []string{`"epsilon":0,"typed":true`, `"epsilon":0,"typed":true,"consistent":true`, `"epsilon":4,"typed":true,"strict_types":true`} {
		if a := ask("/v1/rewrite", more).rewritten(t); a.Results[0].Error != nil || !strings.HasPrefix(*a.Results[0].Text, "from ") {
			t.Errorf("%s: %+v", more, a.Results[0])
		}
	}
	if a := ask("/v1/read", `"epsilon":0,"typed":true`); !strings.Contains(a.body, `"marks":[{"start":5,`) {
		t.Errorf("%s", a.body)
	}
	// Where words are drawn their number is public, and so the limit holds.
	if a := ask("/v1/rewrite", `"epsilon":4`).rewritten(t); a.Results[0].Error == nil {
		t.Errorf("%+v", a.Results[0])
	}
}
