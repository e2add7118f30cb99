package server_test

import (
	"encoding/json"
	"math"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/server"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/gate"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/playground"
	"github.com/sotto-dp/sotto/privacy"
)

func TestPlaygroundHasAStrictPolicyAndCorrectTypes(t *testing.T) {
	r := start(t, server.Config{Playground: true})
	page := r.ask("GET", "/", "").want(t, 200, "")
	assets := regexp.MustCompile(`/assets/[A-Za-z0-9_.-]+`).FindAllString(page.body, -1)
	if len(assets) < 3 {
		t.Fatalf("the page names %q, want script, style and icon", assets)
	}
	for _, path := range append(assets, "/") {
		a := r.ask("GET", path, "").want(t, 200, "")
		policy := a.header.Get("Content-Security-Policy")
		for _, must := range []string{"default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'"} {
			if !strings.Contains(policy, must) {
				t.Errorf("%s: the policy lacks %s: %s", path, must, policy)
			}
		}
		if strings.Contains(policy, "unsafe") || strings.Contains(policy, "*") || strings.Contains(policy, "http") {
			t.Errorf("%s: the policy allows too much: %s", path, policy)
		}
		if a.header.Get("X-Content-Type-Options") != "nosniff" || a.header.Get("Referrer-Policy") != "no-referrer" {
			t.Errorf("%s: headers are %v", path, a.header)
		}
		want := map[string]string{"/": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8", "svg": "image/svg+xml"}[path[max(0, len(path)-3):]]
		if got := a.header.Get("Content-Type"); got != want {
			t.Errorf("%s is %q, want %q", path, got, want)
		}
		cache := "public, max-age=31536000, immutable"
		if path == "/" {
			cache = "no-cache"
		}
		if got := a.header.Get("Cache-Control"); got != cache {
			t.Errorf("%s: cache control %q, want %q", path, got, cache)
		}
		again := r.ask("GET", path, "", "If-None-Match", `"other", W/`+a.header.Get("ETag")).want(t, 304, "")
		if again.body != "" {
			t.Errorf("%s: an unchanged file comes again", path)
		}
		if head := r.ask("HEAD", path, "").want(t, 200, ""); head.body != "" || head.header.Get("ETag") != a.header.Get("ETag") {
			t.Errorf("%s: HEAD gives %v", path, head.header)
		}
	}
}

func TestPlaygroundServesNoOtherFileAndNothingWhenDisabled(t *testing.T) {
	on, off := start(t, server.Config{Playground: true}), start(t, server.Config{})
	for _, path := range []string{"/index.html", "/assets/", "/assets", "/assets/../index.html", "/..%2fgo.mod", "/assets/%2e%2e/index.html", "//", "/dist/index.html", "/figures.json", "/assets/x.js"} {
		on.ask("GET", path, "").want(t, 404, "not-found")
	}
	on.ask("POST", "/", "{}").want(t, 405, "wrong-method")
	for _, path := range []string{"/", "/v1/playground"} {
		off.ask("GET", path, "").want(t, 404, "not-found")
	}
	for _, path := range []string{"/v1/read", "/v1/figures"} {
		off.ask("POST", path, `{"texts":["hello"],"epsilon":8}`).want(t, 404, "not-found")
	}
}

func TestPlaygroundSettingsListTheRightsOfAKey(t *testing.T) {
	type settings struct {
		Keys, Uncharged, Ledger bool
		Accounts                []string
		Tables                  []struct {
			Words   int
			Members []struct {
				Name, Closed, Accept, Notion string
				Stops                        []float64
			}
		}
	}
	read := func(a reply) (s settings) {
		t.Helper()
		if err := json.Unmarshal([]byte(a.want(t, 200, "").body), &s); err != nil {
			t.Fatal(err)
		}
		return s
	}
	closed := func(s settings) map[string]string {
		all := map[string]string{}
		for _, m := range s.Tables[0].Members {
			if all[m.Name] = m.Closed; len(m.Stops) < 2 {
				t.Errorf("%s has the stops %g", m.Name, m.Stops)
			}
		}
		return all
	}
	plain := read(start(t, server.Config{Playground: true}).ask("GET", "/v1/playground", ""))
	if !plain.Uncharged || plain.Ledger || plain.Keys || plain.Accounts != nil {
		t.Errorf("on loopback without a ledger: %+v", plain)
	}
	for name, want := range map[string]string{"neighbours": "", "tem": "", "packing": "", "balanced": "slow-opening", "trlaplace-published": "standing-not-allowed", "adept-published": "vectors-only"} {
		if got := closed(plain)[name]; got != want {
			t.Errorf("%s is closed for %q, want %q", name, got, want)
		}
	}
	all := read(start(t, server.Config{Playground: true, Accept: privacy.Refuted, Slow: true}).ask("GET", "/v1/playground", ""))
	if c := closed(all); c["balanced"] != "" || c["trlaplace-published"] != "" {
		t.Errorf("what the server was started to open is closed: %v", c)
	}
	if paid := read(start(t, server.Config{Playground: true, Ledger: newBudgets(t, nil), RequireAccount: true}).ask("GET", "/v1/playground", "")); paid.Uncharged || !paid.Ledger {
		t.Errorf("where each request pays: %+v", paid)
	}
	secret, line, err := gate.NewKey("app", gate.Rewrite, []string{"alice"})
	if err != nil {
		t.Fatal(err)
	}
	keys, err := gate.ReadKeys(strings.NewReader(line))
	if err != nil {
		t.Fatal(err)
	}
	r := start(t, server.Config{Playground: true, Keys: keys})
	for _, path := range []string{"GET /v1/playground", "POST /v1/read", "POST /v1/figures"} {
		method, path, _ := strings.Cut(path, " ")
		r.ask(method, path, `{"epsilon":8}`).want(t, 401, "unauthorized")
	}
	r.ask("GET", "/", "").want(t, 200, "") // the page asks for the key
	own := read(r.ask("GET", "/v1/playground", "", "Authorization", "Bearer "+secret))
	if own.Uncharged || !own.Keys || len(own.Accounts) != 1 || own.Accounts[0] != "alice" {
		t.Errorf("a key for one account: %+v", own)
	}
}

func TestReadDrawsAndChargesNothing(t *testing.T) {
	l := newBudgets(t, map[string]string{"alice": "100"})
	r := start(t, server.Config{Playground: true, Ledger: l})
	a := r.ask("POST", "/v1/read", `{"texts":["My doctor isn't Kowalczyk",null],"epsilon":8}`).want(t, 200, "")
	var read struct {
		Results []struct {
			Words []struct {
				Word  string
				Known bool
			}
			Error string
		}
		Promise   string
		Statement struct {
			Tokens             int
			UnknownTokens      *int    `json:"unknown_tokens"`
			DocumentEpsilonMax float64 `json:"document_epsilon_max"`
		}
		Cost struct{ Epsilon float64 }
	}
	if err := json.Unmarshal([]byte(a.body), &read); err != nil {
		t.Fatal(err)
	}
	words := []string{}
	for _, w := range read.Results[0].Words {
		words = append(words, w.Word)
	}
	if got := strings.Join(words, " "); got != "my doctor is not <unk>" || read.Results[0].Words[4].Known || !read.Results[0].Words[0].Known {
		t.Errorf("read as %q", got)
	}
	if read.Results[1].Error == "" {
		t.Error("a text that is null was read")
	}
	if s := read.Statement; s.Tokens != 5 || s.UnknownTokens != nil || s.DocumentEpsilonMax != 40 || read.Cost.Epsilon != 40 {
		t.Errorf("5 tokens at 8: %+v, cost %g", s, read.Cost.Epsilon)
	}
	if !strings.Contains(read.Promise, "by a factor of at most 2,981.") {
		t.Errorf("the promise is %q", read.Promise)
	}
	account, err := l.Account(t.Context(), "alice")
	if err != nil || account.Charges != 0 {
		t.Errorf("%d charges, %v", account.Charges, err)
	}
	if strings.Contains(r.log.String(), "doctor") || strings.Contains(r.log.String(), "Kowalczyk") {
		t.Error("the log holds the text")
	}
	r.ask("POST", "/v1/read", `{"texts":["secretword"],"epsilon":8,"mechanism":"secretname"}`).want(t, 400, "unknown-mechanism")
}

func TestFiguresAreShippedOrComputed(t *testing.T) {
	r := start(t, server.Config{Playground: true})
	var f struct {
		Reader struct {
			Sentence string
			Measured *struct {
				Below, Above struct {
					Epsilon   float64
					InContext struct{ Share float64 } `json:"recovered_in_context"`
				}
			}
		}
		Row struct {
			Mechanism          string
			Epsilon, Unchanged float64
			AttackSuccess      *float64 `json:"attack_success"`
		}
		Curve, Limits []struct{ Epsilon, Unchanged float64 }
		MostExposed   *struct {
			Mean  float64
			Alike int
			Words []struct {
				Word      string
				Recovered float64
			}
		} `json:"most_exposed"`
	}
	ask := func(body string) {
		t.Helper()
		f.Curve, f.Limits, f.MostExposed = nil, nil, nil
		if err := json.Unmarshal([]byte(r.ask("POST", "/v1/figures", body).want(t, 200, "").body), &f); err != nil {
			t.Fatal(err)
		}
	}
	ask(`{"epsilon":8}`)
	if f.Row.Mechanism != "neighbours" || f.Row.Epsilon != 8 || len(f.Curve) != 31 || f.Row.AttackSuccess == nil {
		t.Errorf("the row is %+v among %d", f.Row, len(f.Curve))
	}
	if m := f.Reader.Measured; m == nil || m.Below != m.Above || m.Below.Epsilon != 8 || m.Below.InContext.Share <= *f.Row.AttackSuccess || !strings.Contains(f.Reader.Sentence, "of the words of news") {
		t.Errorf("a reader is said to recover %+v", f.Reader)
	}
	if e := f.MostExposed; e == nil || len(e.Words) != playground.ExposedWords || e.Words[0].Recovered < 2*e.Mean || math.Abs(e.Mean-*f.Row.AttackSuccess) > 1e-9 {
		t.Errorf("the most exposed words are %+v", e)
	}
	reached := false
	for _, limit := range f.Limits {
		if limit.Epsilon == f.Row.Epsilon {
			if reached = true; f.Row.Unchanged > limit.Unchanged {
				t.Errorf("%g of words stay, beyond the limit %g", f.Row.Unchanged, limit.Unchanged)
			}
		}
	}
	if !reached {
		t.Error("no limit stands where the row does")
	}
	f.Reader.Measured = nil
	ask(`{"notion":"metric","epsilon":2}`)
	if f.Reader.Measured != nil || !strings.Contains(f.Reader.Sentence, "was not measured for this table") {
		t.Errorf("without figures a reader is said to recover %+v", f.Reader)
	}
	if f.Row.Mechanism != "packing" || len(f.Curve) != 5 || len(f.Limits) != 0 {
		t.Errorf("the row is %+v among %d with %d limits", f.Row, len(f.Curve), len(f.Limits))
	}
	ask(`{"epsilon":3.25,"words":300,"mechanism":"response"}`) // does not ship
	if want := 0.0798; f.Row.Unchanged < want-1e-3 || f.Row.Unchanged > want+1e-3 || len(f.Curve) != 0 {
		t.Errorf("%g of words stay, want about e^3.25/(e^3.25+299) = %g; the curve has %d rows", f.Row.Unchanged, want, len(f.Curve))
	}
	if e := f.MostExposed; e == nil || e.Alike != 300 || math.Abs(e.Mean-f.Row.Unchanged) > 1e-9 {
		t.Errorf("of 300 words that are exposed alike it has %+v", e)
	}
	if ask(`{"epsilon":1,"words":300,"mechanism":"madlib"}`); f.MostExposed != nil {
		t.Errorf("without a channel the most exposed words are %+v", f.MostExposed)
	}
	r.ask("POST", "/v1/figures", `{"epsilon":8,"mechanism":"trlaplace-published","accept":"refuted"}`).want(t, 403, "standing-not-allowed")
}

func TestPiecesJoinToTheText(t *testing.T) {
	r := start(t, server.Config{})
	var a struct {
		Results []struct {
			Text   string
			Pieces []string
		}
		Tokens int
	}
	body := r.rewrite(`{"texts":["My doctor, Anna, isn't in (Boston)."],"epsilon":9,"pieces":true}`).want(t, 200, "").body
	if err := json.Unmarshal([]byte(body), &a); err != nil {
		t.Fatal(err)
	}
	if one := a.Results[0]; strings.Join(one.Pieces, "") != one.Text || len(one.Pieces) != a.Tokens || a.Tokens != 12 {
		t.Errorf("%d pieces of %d tokens, %q, for %q", len(one.Pieces), a.Tokens, one.Pieces, one.Text)
	}
	if strings.Contains(r.rewrite(`{"texts":["hello"],"epsilon":9}`).want(t, http.StatusOK, "").body, "pieces") {
		t.Error("pieces come unasked")
	}
}
