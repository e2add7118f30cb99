package server_test

import (
	"encoding/json"
	"github.com/sotto-dp/sotto/internal/stage"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/server"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/gate"
)

type price struct {
	Texts, Refused, Units int
	Each                  *float64 `json:"epsilon_each"`
	Longest               *float64 `json:"epsilon_longest"`
	Total                 *float64 `json:"epsilon_total"`
	Unchanged, Recovered  *float64
	Left                  *struct{ Epsilon float64 } `json:"account_left"`
	Suffices              *bool                      `json:"account_suffices"`
}

func (r *running) price(t *testing.T, body string, header ...string) (p price) {
	t.Helper()
	a := r.ask("POST", "/v1/cost", body, header...).want(t, 200, "")
	if err := json.Unmarshal([]byte(a.body), &p); err != nil {
		t.Fatal(err)
	}
	return p
}

// A price is what the rewrite then charges, and asking it charges nothing.
func TestCostIsWhatARewriteCharges(t *testing.T) {
	stage.Unraced(t)
	r := start(t, server.Config{Ledger: newBudgets(t, map[string]string{"alice": "100"}), Limits: gate.Limits{Text: 100}})
	const asked = `{"texts":["my doctor in Boston agreed",null,"and paid"],"epsilon":8,"account":"alice"}`
	p := r.price(t, asked)
	if p.Texts != 2 || p.Refused != 1 || p.Units != 7 || *p.Each != 8 || *p.Longest != 40 || *p.Total != 56 || p.Left.Epsilon != 100 || !*p.Suffices {
		t.Errorf("%+v", p)
	}
	if p.Unchanged == nil || *p.Unchanged <= 0 || *p.Unchanged > 0.1 {
		t.Errorf("unchanged %v", p.Unchanged)
	}
	if p.Recovered == nil || *p.Recovered <= *p.Unchanged || *p.Recovered > 0.5 {
		t.Errorf("recovered %v", p.Recovered)
	}
	if fast := r.price(t, `{"texts":["my doctor in Boston agreed",null,"and paid"],"epsilon":8,"fast":true}`); fast.Recovered != nil || *fast.Unchanged != *p.Unchanged {
		t.Errorf("%+v", fast)
	}
	if a := accountOf(t, r, "alice"); a.Charges != 0 || a.Remaining.Epsilon != 100 {
		t.Errorf("asking a price charged: %+v", a)
	}
	if a := r.rewrite(asked).rewritten(t); a.Receipt.Cost.Epsilon != *p.Total {
		t.Errorf("%g was charged, the price was %g", a.Receipt.Cost.Epsilon, *p.Total)
	}
	if p = r.price(t, asked); p.Left.Epsilon != 44 || *p.Suffices {
		t.Errorf("%+v", p)
	}
	if p = r.price(t, `{"texts":["my doctor","a"],"epsilon":3,"unit":"text"}`); p.Units != 2 || *p.Total != 6 || *p.Longest != 3 || p.Unchanged != nil || p.Recovered != nil || p.Left != nil {
		t.Errorf("%+v", p)
	}
	if p = r.price(t, `{"texts":["a doctor is a doctor"],"epsilon":3,"consistent":true}`); p.Units != 3 || *p.Total != 9 {
		t.Errorf("%+v", p)
	}
	if log := r.log.String(); strings.Contains(log, "doctor") || strings.Contains(log, "unchanged") {
		t.Errorf("the log has %s", log)
	}
}

// A price needs a key, and shows the balance of no account that the key may not charge.
func TestCostShowsNoOtherBalance(t *testing.T) {
	keys, rewriting, admin := newKeys(t)
	r := start(t, server.Config{Keys: keys, Ledger: newBudgets(t, map[string]string{"alice": "100", "bob": "77.5"})})
	as := func(key string) []string {
		return []string{"Authorization", "Bearer " + key, "Host", "service.example"}
	}
	const alice, bob, none = `{"texts":["a"],"epsilon":1,"fast":true,"account":"alice"}`, `{"texts":["a"],"epsilon":1,"fast":true,"account":"bob"}`, `{"texts":["a"],"epsilon":1,"fast":true}`
	r.ask("POST", "/v1/cost", none).want(t, 401, "unauthorized")
	if a := r.ask("POST", "/v1/cost", bob, as(rewriting)...).want(t, 403, "not-permitted"); strings.Contains(a.body, "77.5") {
		t.Error(a.body)
	}
	r.ask("POST", "/v1/cost", `{"texts":["a"],"epsilon":1,"account":"nosuch"}`, as(rewriting)...).want(t, 403, "not-permitted")
	if p := r.price(t, alice, as(rewriting)...); p.Left == nil || p.Left.Epsilon != 100 {
		t.Errorf("%+v", p)
	}
	if p := r.price(t, none, as(rewriting)...); p.Left != nil {
		t.Errorf("%+v", p)
	}
	if p := r.price(t, bob, as(admin)...); p.Left == nil || p.Left.Epsilon != 77.5 {
		t.Errorf("%+v", p)
	}
}

func TestCostRefusals(t *testing.T) {
	r := start(t, server.Config{Ledger: newBudgets(t, map[string]string{"alice": "10"})})
	for body, want := range map[string]struct {
		status int
		kind   string
	}{
		`{"texts":["a"]}`:                                                    {400, "invalid-parameter"},
		`{"texts":["a"],"epsilon":8,"seed":1}`:                               {400, "seed-refused"},
		`{"texts":["a"],"epsilon":8,"account":"bob"}`:                        {404, "unknown-account"},
		`{"texts":["a"],"epsilon":8,"account":""}`:                           {400, "malformed"},
		`{"texts":["a"],"epsilon":8,"scope":"` + uuid + `"}`:                 {400, ""},
		`{"texts":["a"],"epsilon":8,"mechanism":"madlib","account":"alice"}`: {409, "wrong-unit"},
	} {
		if a := r.ask("POST", "/v1/cost", body); a.status != want.status || want.kind != "" && a.kind() != want.kind {
			t.Errorf("%s: %d %s", body, a.status, a.body)
		}
	}
	start(t, server.Config{}).ask("POST", "/v1/cost", `{"texts":["a"],"epsilon":8,"account":"alice"}`).want(t, 400, "no-ledger")
}
