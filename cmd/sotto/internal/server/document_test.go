package server_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/server"
)

type capped struct {
	Results  []struct{ Text, Error *string }
	Claim    struct{ Epsilon float64 }
	Draws    int
	Document *struct {
		Epsilon, Delta float64
		Tokens         int
		Composition    string
		ClampedTexts   int `json:"clamped_texts"`
		ClampedTokens  int `json:"clamped_tokens"`
	}
	Receipt *struct{ Cost struct{ Epsilon float64 } }
}

func (a reply) capped(t *testing.T) (c capped) {
	t.Helper()
	a.want(t, 200, "")
	if err := json.Unmarshal([]byte(a.body), &c); err != nil || c.Document == nil {
		t.Fatalf("%v: %s", err, a.body)
	}
	return c
}

func TestDocumentCapChoosesEpsilonAndRefusesLongerTextsByItem(t *testing.T) {
	l := newBudgets(t, map[string]string{"alice": "100"})
	r := start(t, server.Config{Ledger: l})
	c := r.rewrite(`{"texts":["my doctor agreed","my ` + marker + ` agreed in town"],"document_epsilon":12,"document_tokens":4,"account":"alice"}`).capped(t)
	// Four tokens share 12: each gets 3 or, to 1 part in 4,096, the largest epsilon that
	// holds.
	if c.Claim.Epsilon < 2.99 || c.Claim.Epsilon*4 > 12 || c.Document.Epsilon > 12 || c.Document.Tokens != 4 || c.Document.Composition == "" {
		t.Errorf("%+v %+v", c.Claim, c.Document)
	}
	if c.Results[0].Text == nil || c.Results[1].Text != nil || c.Draws != 3 || c.Receipt.Cost.Epsilon > 9 || c.Receipt.Cost.Epsilon < 8.9 {
		t.Errorf("%+v", c)
	}
	if e := c.Results[1].Error; e == nil || !strings.Contains(*e, "has 5 tokens, must have at most 4") || !strings.Contains(*e, "document_tokens of 5") || strings.Contains(*e, marker) {
		t.Errorf("the error of the longer text is %v", e)
	}
	c = r.rewrite(`{"texts":["my doctor agreed","my house agreed in town"],"document_epsilon":12,"document_tokens":4,"over":"clamp","account":"alice"}`).capped(t)
	if c.Results[1].Text == nil || c.Draws != 7 || c.Document.ClampedTokens != 1 || c.Document.ClampedTexts != 1 {
		t.Errorf("%+v %+v", c, c.Document)
	}
	// With a delta each token gets a larger epsilon.
	with := r.rewrite(`{"texts":["a"],"document_epsilon":12,"document_delta":1e-6,"document_tokens":400}`).capped(t)
	pure := r.rewrite(`{"texts":["a"],"document_epsilon":12,"document_tokens":400}`).capped(t)
	if with.Claim.Epsilon < 1.2*pure.Claim.Epsilon || with.Document.Delta != 1e-6 {
		t.Errorf("%g with a delta, %g without", with.Claim.Epsilon, pure.Claim.Epsilon)
	}
}

func TestDocumentCapsThatCannotHoldAreRefusedWithARemedy(t *testing.T) {
	r := start(t, server.Config{Ledger: newBudgets(t, map[string]string{"alice": "100"})})
	a := r.rewrite(`{"texts":["a"],"epsilon":8,"document_epsilon":20,"document_tokens":4}`).want(t, 422, "cap-cannot-hold")
	if !strings.Contains(a.body, "use document_tokens 2,") || strings.Contains(a.body, "--") {
		t.Error(a.body)
	}
	for name, body := range map[string]string{
		"no length":          `{"texts":["a"],"document_epsilon":20}`,
		"no cap":             `{"texts":["a"],"epsilon":8,"document_tokens":4}`,
		"a cap of 0":         `{"texts":["a"],"document_epsilon":0,"document_tokens":4}`,
		"a delta of 1":       `{"texts":["a"],"document_epsilon":1,"document_delta":1,"document_tokens":4}`,
		"a length beyond":    `{"texts":["a"],"document_epsilon":1,"document_tokens":1048577}`,
		"another policy":     `{"texts":["a"],"document_epsilon":1,"document_tokens":4,"over":"x"}`,
		"a consistent text":  `{"texts":["a"],"document_epsilon":1,"document_tokens":4,"consistent":true}`,
		"a scope":            `{"texts":["a"],"document_epsilon":1,"document_tokens":4,"account":"alice","scope":"` + scopeName + `"}`,
		"an epsilon of none": `{"texts":["a"]}`,
	} {
		t.Run(name, func(t *testing.T) { r.rewrite(body).want(t, 400, "invalid-parameter") })
	}
	r.rewrite(`{"texts":["a"],"document_epsilon":8,"document_tokens":4,"mechanism":"tem"}`).want(t, 403, "slow-opening")
}
