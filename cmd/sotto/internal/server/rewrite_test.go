package server_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/server"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/gate"
	"github.com/sotto-dp/sotto/embedding/builtin"
	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/ledger"
	"github.com/sotto-dp/sotto/privacy"
)

func TestRewriteReturnsResultsInOrder(t *testing.T) {
	r := start(t, server.Config{Limits: gate.Limits{Text: 100}})
	a := r.rewrite(`{"texts":["my doctor agreed",null,"","` + strings.Repeat("a", 101) + `","the food. The end?"],"epsilon":8,"report":true}`).rewritten(t)
	if len(a.Results) != 5 {
		t.Fatalf("%d results", len(a.Results))
	}
	for i, wrong := range []string{"", "must be a string, got null", "", "must have at most 100 bytes, got 101", ""} {
		if res := a.Results[i]; (res.Error != nil) != (wrong != "") || (res.Text != nil) == (wrong != "") || wrong != "" && *res.Error != wrong {
			t.Errorf("result %d is %v, want error %q", i, res, wrong)
		}
	}
	if *a.Results[0].Text == "" {
		t.Error("three words became none")
	}
	if *a.Results[2].Text != "" {
		t.Errorf("an empty text became %q", *a.Results[2].Text)
	}
	if a.Tokens != 9 || a.Receipt != nil || a.Claim.Notion != "pure" || a.Claim.Epsilon != 8 || a.Statement.Randomness != "secure" {
		t.Errorf("%+v", a)
	}
}

func TestRefusals(t *testing.T) {
	r := start(t, server.Config{Ledger: newBudgets(t, map[string]string{"alice": "10"})})
	for _, c := range []struct {
		name, body string
		status     int
		kind       string
	}{
		{"no epsilon", `{"texts":["a"]}`, 400, "invalid-parameter"},
		{"an epsilon of -1", `{"texts":["a"],"epsilon":-1}`, 400, "invalid-parameter"},
		{"a seed", `{"texts":["a"],"epsilon":8,"insecure_seed":7}`, 400, "seed-refused"},
		{"another seed", `{"texts":["a"],"epsilon":8,"seed":null}`, 400, "seed-refused"},
		{"an unknown mechanism", `{"texts":["a"],"epsilon":8,"mechanism":"nosuch"}`, 400, "unknown-mechanism"},
		{"a mechanism for vectors", `{"texts":["a"],"epsilon":8,"mechanism":"adept"}`, 400, "invalid-parameter"},
		{"a mechanism below proved", `{"texts":["a"],"epsilon":8,"mechanism":"trlaplace-published","accept":"refuted"}`, 403, "standing-not-allowed"},
		{"an unknown parameter", `{"texts":["a"],"epsilon":8,"parameters":{"nosuch":1}}`, 400, "invalid-parameter"},
		{"a parameter out of range", `{"texts":["a"],"epsilon":8,"neighbours":0}`, 400, "invalid-parameter"},
		{"a file of the server", `{"texts":["a"],"epsilon":8,"mechanism":"packing","parameters":{"channel":"/etc/passwd"}}`, 403, "file-refused"},
		{"another file of the server", `{"texts":["a"],"epsilon":8,"parameters":{"similar":"/etc/passwd"}}`, 403, "file-refused"},
		{"an unknown table", `{"texts":["a"],"epsilon":8,"embeddings":"/etc/passwd"}`, 400, "invalid-parameter"},
		{"too many words", `{"texts":["a"],"epsilon":8,"words":20001}`, 400, "invalid-parameter"},
		{"no texts", `{"epsilon":8}`, 400, "malformed"},
		{"texts that are null", `{"texts":null,"epsilon":8}`, 400, "malformed"},
		{"a long computation", `{"texts":["a"],"epsilon":8,"mechanism":"balanced"}`, 403, "slow-opening"},
		{"a parameter that needs one", `{"texts":["a"],"epsilon":8,"mechanism":"gaussian-analytic","sensitivity":"table"}`, 403, "slow-opening"},
		{"a parameter that needs one", `{"texts":["a"],"epsilon":8,"mechanism":"laplace","parameters":{"sensitivity":"table"}}`, 403, "slow-opening"},
		{"a calibration that is none", `{"texts":["a"],"epsilon":8,"calibrate":"x"}`, 400, "invalid-parameter"},
		{"a notion that is none", `{"texts":["a"],"epsilon":8,"notion":"x"}`, 400, "invalid-parameter"},
		{"an account without a grant", `{"texts":["a"],"epsilon":8,"account":"bob"}`, 404, "unknown-account"},
		{"an account in another unit", `{"texts":["a"],"epsilon":8,"account":"alice","mechanism":"madlib"}`, 409, "wrong-unit"},
		{"no account's name", `{"texts":["a"],"epsilon":8,"account":"../alice"}`, 400, "invalid-parameter"},
	} {
		t.Run(c.name, func(t *testing.T) { r.rewrite(c.body).want(t, c.status, c.kind) })
	}
	r.rewrite(`{"texts":["a"],"epsilon":8}`, "Idempotency-Key", uuid).want(t, 400, "account-needed")
	r.rewrite(`{"texts":["a"],"epsilon":8,"account":"alice"}`, "Idempotency-Key", strings.Repeat("k", 300)).want(t, 400, "invalid-parameter")
	r.rewrite(`{"texts":["a"],"epsilon":8}`, "Content-Type", "text/plain").want(t, 415, "not-json")
	r.rewrite(`{"texts":["a"],"epsilon":8}`, "Content-Encoding", "gzip").want(t, 415, "encoded")
	r.rewrite(`{"texts":["a"],"epsilon":8}`, "Sec-Fetch-Site", "cross-site").want(t, 403, "cross-origin")
	for _, path := range []string{"/v1/accounts/alice", "/v1/mechanisms", "/metrics", "/openapi.json", "/none"} {
		if a := r.ask("GET", path, "", "Sec-Fetch-Site", "cross-site"); a.header.Get("Cross-Origin-Resource-Policy") != "same-origin" {
			t.Errorf("%s can be embedded by a page of another origin: %v", path, a.header)
		}
	}
	r.rewrite(`{"texts":["a"],"epsilon":8}`, "Host", "evil.example").want(t, 421, "wrong-host")
	if left := accountOf(t, r, "alice").Remaining.Epsilon; left != 10 {
		t.Errorf("refusals left %g of 10", left)
	}
}

func TestMembersBelowProvedOpenWhenServerAndRequestSaySo(t *testing.T) {
	r := start(t, server.Config{Accept: privacy.Refuted, RequireAccount: true, Ledger: newBudgets(t, map[string]string{"alice": "10"})})
	const asked = `{"texts":["a"],"epsilon":0.5,"account":"alice","mechanism":"trlaplace-published","parameters":{"delta":0.5}`
	r.rewrite(asked+`}`).want(t, 403, "standing-not-accepted")
	// It opens, and the charge is the true loss: a delta near 1.
	a := r.rewrite(asked+`,"accept":"refuted"}`).want(t, 403, "budget-exhausted")
	var p struct{ Cost struct{ Delta float64 } }
	if err := json.Unmarshal([]byte(a.body), &p); err != nil || p.Cost.Delta < 0.9 {
		t.Errorf("%v: %s", err, a.body)
	}
	r.rewrite(`{"texts":["a"],"epsilon":8}`).want(t, 400, "invalid-parameter")
}

func TestExplainGivesTheExactDistribution(t *testing.T) {
	stage.Unraced(t)
	r := start(t, server.Config{})
	a := r.ask("POST", "/v1/explain", `{"words":["doctor","zzqx"],"epsilon":8,"top":0}`).want(t, 200, "")
	var e struct {
		Words []struct {
			Word    string
			Known   bool
			Outputs []struct{ Probability float64 }
		}
	}
	if err := json.Unmarshal([]byte(a.body), &e); err != nil {
		t.Fatal(err)
	}
	if len(e.Words) != 2 || e.Words[0].Word != "doctor" || !e.Words[0].Known || e.Words[1].Known {
		t.Fatalf("%.200s", a.body)
	}
	sum := 0.0
	for _, o := range e.Words[0].Outputs {
		sum += o.Probability
	}
	if sum < 1-1e-9 || sum > 1+1e-9 {
		t.Errorf("probabilities add up to %g", sum)
	}
	r.ask("POST", "/v1/explain", `{"words":["doctor"],"epsilon":8,"mechanism":"madlib"}`).want(t, 400, "no-distribution")
	r.ask("POST", "/v1/explain", `{"words":[" "],"epsilon":8}`).want(t, 400, "invalid-parameter")
	r.ask("POST", "/v1/explain", `{"words":[],"epsilon":8}`).want(t, 400, "invalid-parameter")
	r.ask("POST", "/v1/explain", `{"words":["`+strings.Repeat("a ", 120)+`","`+strings.Repeat("a ", 120)+`"],"epsilon":8}`).want(t, 400, "invalid-parameter")
	r.ask("POST", "/v1/explain", `{"words":["a"],"epsilon":8,"top":-1}`).want(t, 400, "invalid-parameter")
}

func TestCatalogueAndHealth(t *testing.T) {
	r := start(t, server.Config{})
	if a := r.ask("GET", "/v1/mechanisms", "").want(t, 200, ""); !strings.Contains(a.body, `"name":"neighbours"`) {
		t.Error(a.body)
	}
	r.ask("GET", "/healthz", "").want(t, 200, "")
	r.ask("GET", "/readyz", "").want(t, 200, "")
	r.ask("GET", "/v1/accounts/alice", "").want(t, 404, "no-ledger")
	if a := r.ask("DELETE", "/v1/accounts/alice", "").want(t, 405, "wrong-method"); a.header.Get("Allow") != http.MethodGet {
		t.Errorf("allowed: %q", a.header.Get("Allow"))
	}
	l := newBudgets(t, map[string]string{"alice": "10"})
	broken := start(t, server.Config{Ledger: l})
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	broken.ask("GET", "/readyz", "").want(t, 503, "")
	a := broken.rewrite(`{"texts":["doctor"],"epsilon":1,"account":"alice"}`).want(t, 503, "ledger-unavailable")
	if a.header.Get("Retry-After") == "" || strings.Contains(a.body, "results") {
		t.Errorf("%v %s", a.header, a.body)
	}
}

func TestMetricAccountsPayForTheirTable(t *testing.T) {
	l := newBudgets(t, nil)
	amount, _ := ledger.ParseLimit("10", "")
	english, err := builtin.English()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.Grant(t.Context(), ledger.Grant{Account: "carol", Amount: amount, Basis: ledger.Basis{Table: english.Digest(), Distance: "euclidean"}}); err != nil {
		t.Fatal(err)
	}
	r := start(t, server.Config{Ledger: l})
	if a := r.rewrite(`{"texts":["my doctor"],"epsilon":2,"account":"carol","mechanism":"tem"}`).rewritten(t); a.Receipt.Cost.Epsilon > 4 || a.Receipt.Cost.Epsilon < 3.9 {
		t.Errorf("two tokens at a certified epsilon of 2 cost %+v", a.Receipt)
	}
	r.rewrite(`{"texts":["my doctor"],"epsilon":2,"account":"carol"}`).want(t, 409, "wrong-unit")
}

type account struct {
	Charges          int64
	Spent, Remaining struct{ Epsilon float64 }
}

func accountOf(t *testing.T, r *running, name string) (a account) {
	t.Helper()
	if err := json.Unmarshal([]byte(r.ask("GET", "/v1/accounts/"+name, "").want(t, 200, "").body), &a); err != nil {
		t.Fatal(err)
	}
	return a
}
