package sottohttp_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/sottohttp"
)

// hidden is not in any table, so no draw can return it.
const hidden = "xylophonistic"

func rewriter(t testing.TB) *sotto.Rewriter {
	t.Helper()
	r, err := sotto.Open(t.Context(), sotto.Config{Epsilon: 4, Parameters: map[string]string{"neighbours": "10"}})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// echo returns what reached it.
var echo = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	w.Header().Set("Content-Type", r.Header.Get("Content-Type"))
	w.Header().Set("Seen-Length", r.Header.Get("Content-Length"))
	w.Header().Set("Seen-Digest", r.Header.Get("Content-Digest"))
	w.Header().Set("Seen-URI", r.RequestURI+" "+r.URL.String())
	_, _ = w.Write(body)
})

func refuse(context.Context, *sotto.Pending) error { return errors.New(hidden) }

func TestNamedFieldsOfRequestsAreRewrittenOrRefused(t *testing.T) {
	const jsonType, formType = "application/json", "application/x-www-form-urlencoded"
	for _, c := range []struct {
		name, kind, target, body string
		status                   int
		keeps                    string
		charge                   func(context.Context, *sotto.Pending) error
		encoding                 string
	}{
		{name: "json", kind: jsonType, body: `{"note":"` + hidden + `","id":7}`, status: 200, keeps: `"id":7`},
		{name: "json of another vendor", kind: "application/ld+json; charset=utf-8", body: `{"note":"` + hidden + `","id":7}`, status: 200, keeps: `"id":7`},
		{name: "another case", kind: jsonType, body: `{"note":"x","NOTE":"` + hidden + `","id":7}`, status: 200, keeps: `"id":7`},
		{name: "an optional field", kind: jsonType, body: `{"note":"x","more":[{"text":"` + hidden + `"}],"id":7}`, status: 200, keeps: `"id":7`},
		{name: "a form", kind: formType, body: "note=" + hidden + "&id=7", status: 200, keeps: "id=7"},
		{name: "a form with two values", kind: formType, body: "note=x&note=" + hidden + "&Note=" + hidden + "&id=7", status: 200, keeps: "id=7"},
		{name: "a query", kind: jsonType, target: "/?note=" + hidden + "&id=7", status: 200},
		{name: "no body", target: "/?id=7", status: 200},
		{name: "a missing field", kind: jsonType, body: `{"nota":"` + hidden + `"}`, status: 400},
		{name: "a missing form field", kind: formType, body: "nota=" + hidden, status: 400},
		{name: "no document", kind: jsonType, body: hidden, status: 400},
		{name: "no text", kind: jsonType, body: `{"note":{"text":"` + hidden + `"}}`, status: 400},
		{name: "a malformed form", kind: formType, body: "note=%zz" + hidden, status: 400},
		{name: "a malformed query", target: "/?note=%zz" + hidden, status: 400},
		{name: "plain text", kind: "text/plain", body: hidden, status: 415},
		{name: "no type", body: `{"note":"` + hidden + `"}`, status: 415},
		{name: "an encoded body", kind: jsonType, encoding: "gzip", body: `{"note":"` + hidden + `"}`, status: 415},
		{name: "a long body", kind: jsonType, body: `{"note":"` + strings.Repeat(hidden+" ", 200) + `"}`, status: 413},
		{name: "a refused charge", kind: jsonType, body: `{"note":"` + hidden + `"}`, status: 403, charge: refuse},
	} {
		t.Run(c.name, func(t *testing.T) {
			h, err := sottohttp.Requests(echo, sottohttp.Config{
				Rewriter: rewriter(t), Fields: []string{"note"}, Optional: []string{"more[*].text"}, MaxBytes: 1000, Charge: c.charge,
			})
			if err != nil {
				t.Fatal(err)
			}
			target := c.target
			if target == "" {
				target = "/"
			}
			r := httptest.NewRequest(http.MethodPost, target, strings.NewReader(c.body))
			r.Header.Set("Content-Type", c.kind)
			r.Header.Set("Content-Encoding", c.encoding)
			r.Header.Set("Content-Digest", "sha-256=of-the-original")
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			got := w.Body.String()
			if w.Code != c.status || !strings.Contains(got, c.keeps) {
				t.Errorf("%d: %s, want %d with %s", w.Code, got, c.status, c.keeps)
			}
			if seen := got + w.Header().Get("Seen-URI"); strings.Contains(seen, hidden) {
				t.Errorf("the original came through: %s", seen)
			}
			if c.status == 200 && c.body != "" && (w.Header().Get("Seen-Digest") != "" || w.Header().Get("Seen-Length") == "") {
				t.Errorf("the headers are still those of the original: %v", w.Header())
			}
		})
	}
}

// Bodies that hold a field in another shape than its path says: it is rewritten
// all the same, or the body is refused. It never passes as it is.
func TestFieldInAnotherShapeIsRewrittenOrRefused(t *testing.T) {
	const jsonType, formType = "application/json", "application/x-www-form-urlencoded"
	h, err := sottohttp.Requests(echo, sottohttp.Config{Rewriter: rewriter(t), Optional: []string{"user.token", "note", "items[*].body", "tags[]"}})
	if err != nil {
		t.Fatal(err)
	}
	for body, status := range map[string]int{
		`{"user":{"token":"MARK"}}`: 200, `{"user":[{"token":"MARK"}]}`: 200, `{"user":[[{"TOKEN":"MARK"}],{"id":7}]}`: 200,
		`[{"user":{"token":"MARK"}},{"note":"MARK"}]`: 200, `{"user":{"token":"x"},"user":[{"token":"MARK"}]}`: 200,
		`{"user.token":"MARK"}`: 200, `{"x":1,"User.Token":["MARK"]}`: 400, `{"user.token":{"a":"MARK"}}`: 400, `{"user.token.a":"MARK"}`: 400,
		`{"user.name":"x","x.note":"y"}`: 200,
		`{"items":[[{"body":"MARK"}]]}`:  200, `{"tags":["MARK","MARK"]}`: 200, `{"user":null,"note":null,"items":[],"id":7}`: 200,
		`{"user":"MARK"}`: 400, `{"user":["MARK"]}`: 400, `{"user":{"token":["MARK"]}}`: 400, `{"user":{"token":{"a":"MARK"}}}`: 400, `{"note":["MARK"]}`: 400,
		`{"items":{"body":"MARK"}}`: 400, `{"items":{"a":{"body":"MARK"}}}`: 400, `{"items":"MARK"}`: 400, `{"tags":"MARK"}`: 400, `{"tags":{"a":"MARK"}}`: 400, `"MARK"`: 400,

		"user.token=MARK": 200, "user[token]=MARK": 200, "User[][Token]=MARK": 200, "user[0][token]=MARK&user[1].token=MARK": 200, "note[]=MARK": 200,
		"note=x&note[]=MARK&note[7]=MARK": 200, "items[][body]=MARK": 200, "items[*].body=MARK": 200, "tags=MARK": 200, "tags[]=MARK": 200, " note=MARK": 200, "note[=MARK": 200,
		"user['token']=MARK": 200, "id=7": 200,
		"user=MARK": 400, "user[]=MARK": 400, "note[a]=MARK": 400, "note.a=MARK": 400, "user[token][a]=MARK": 400, "items=MARK": 400,
	} {
		for _, query := range []bool{false, true} {
			kind, target, sent := jsonType, "/", strings.ReplaceAll(body, "MARK", hidden)
			if strings.Contains(body, "=") {
				kind = formType
			}
			if query {
				if kind == jsonType {
					continue
				}
				kind, target, sent = jsonType, "/?"+strings.ReplaceAll(sent, " ", "+"), ""
			}
			r := httptest.NewRequest(http.MethodPost, target, strings.NewReader(sent))
			r.Header.Set("Content-Type", kind)
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			if seen := w.Body.String() + w.Header().Get("Seen-URI"); w.Code != status || strings.Contains(seen, hidden) {
				t.Errorf("%s (in the query: %v) gives %d %s, want %d", body, query, w.Code, seen, status)
			}
		}
	}
	// A form in EBCDIC has other bytes for note; UTF-7 and UTF-16 do so for JSON.
	for charset, status := range map[string]int{"utf-8": 200, `"UTF-8"`: 200, "us-ascii": 200, "iso-8859-1": 415, "ibm500": 415, "utf-7": 415, "utf-16": 415} {
		for kind, body := range map[string]string{jsonType: `{"note":"a"}`, formType: "%95%96%A3%85=" + hidden} {
			r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(body))
			r.Header.Set("Content-Type", kind+"; charset="+charset)
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			if w.Code != status {
				t.Errorf("%s in %s gives %d, want %d", kind, charset, w.Code, status)
			}
		}
	}
	for _, header := range []string{"Content-Encoding", "Content-Type"} {
		r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(`{"note":"`+hidden+`"}`))
		r.Header.Set("Content-Type", jsonType)
		r.Header["Content-Encoding"] = []string{"identity"}
		r.Header.Add(header, "gzip")
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != 415 {
			t.Errorf("a second %s gives %d", header, w.Code)
		}
	}
}

func TestNamedFieldsOfResponsesAreRewrittenOrDropped(t *testing.T) {
	for _, c := range []struct {
		name, kind, body string
		writes, status   int
		keeps            string
		charge           func(context.Context, *sotto.Pending) error
	}{
		{name: "json", kind: "application/json", body: `{"note":"` + hidden + `","id":7}`, writes: 201, status: 201, keeps: `"id":7`},
		{name: "nothing", writes: 204, status: 204},
		{name: "an error in json", kind: "application/json", body: `{"note":"` + hidden + `","id":7}`, writes: 404, status: 404, keeps: `"id":7`},
		{name: "an error in text", kind: "text/plain", body: hidden, writes: 404, status: 404},
		{name: "text", kind: "text/plain", body: hidden, writes: 200, status: 500},
		{name: "a missing field", kind: "application/json", body: `{"nota":"` + hidden + `"}`, writes: 200, status: 500},
		{name: "a long body", kind: "application/json", body: `{"note":"` + strings.Repeat(hidden+" ", 200) + `"}`, writes: 200, status: 500},
		{name: "a refused charge", kind: "application/json", body: `{"note":"` + hidden + `"}`, writes: 200, status: 403, charge: refuse},
	} {
		t.Run(c.name, func(t *testing.T) {
			inner := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", c.kind)
				w.Header().Set("ETag", `"of-the-original"`)
				w.WriteHeader(c.writes)
				_, _ = io.WriteString(w, c.body)
				w.Header().Set(http.TrailerPrefix+"Content-Digest", "sha-256=of-the-original")
			})
			h, err := sottohttp.Responses(inner, sottohttp.Config{Rewriter: rewriter(t), Fields: []string{"note"}, MaxBytes: 1000, Charge: c.charge})
			if err != nil {
				t.Fatal(err)
			}
			w := httptest.NewRecorder()
			h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/", nil))
			if got := w.Body.String(); w.Code != c.status || !strings.Contains(got, c.keeps) || strings.Contains(got, hidden) {
				t.Errorf("%d: %s, want %d with %s", w.Code, got, c.status, c.keeps)
			}
			if w.Header().Get("ETag") != "" || w.Header().Get(http.TrailerPrefix+"Content-Digest") != "" || len(w.Result().Trailer) > 0 {
				t.Error("a header made from the original came through")
			}
		})
	}
}

func TestWrongConfigIsRefused(t *testing.T) {
	for _, c := range []struct {
		cfg  sottohttp.Config
		want string
	}{
		{sottohttp.Config{Fields: []string{"note"}}, "sottohttp needs a rewriter"},
		{sottohttp.Config{Rewriter: rewriter(t)}, "sottohttp needs fields"},
		{sottohttp.Config{Rewriter: rewriter(t), Fields: []string{"note"}, MaxBytes: -1}, "sottohttp: most bytes must be 0 or more, got -1"},
		{sottohttp.Config{Rewriter: rewriter(t), Fields: []string{"a..b"}}, `path "a..b" has an empty step`},
	} {
		for _, wrap := range []func(http.Handler, sottohttp.Config) (http.Handler, error){sottohttp.Requests, sottohttp.Responses} {
			if _, err := wrap(echo, c.cfg); err == nil || !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("the error is %v, want %s", err, c.want)
			}
		}
	}
}

// What reaches the handler does not depend on how a field was written.
func TestHowAFieldWasWrittenIsNotKept(t *testing.T) {
	seed := uint64(1)
	r, err := sotto.Open(t.Context(), sotto.Config{Epsilon: 4, Parameters: map[string]string{"neighbours": "10"}, InsecureSeed: &seed})
	if err != nil {
		t.Fatal(err)
	}
	h, err := sottohttp.Requests(echo, sottohttp.Config{Rewriter: r, Optional: []string{"note"}})
	if err != nil {
		t.Fatal(err)
	}
	for kind, bodies := range map[string][]string{
		"application/json":                  {`{"note":"good, food","n":"\u0041"}`, `{"note":"\u0067ood,\u0020food","n":"\u0041"}`},
		"application/x-www-form-urlencoded": {"note=good%2C+food&n=%41", "n=%41&note=%67ood,%20food"},
	} {
		var seen []string
		for _, body := range bodies {
			req := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(body))
			req.Header.Set("Content-Type", kind)
			w := httptest.NewRecorder()
			h.ServeHTTP(w, req)
			seen = append(seen, w.Header().Get("Seen-Length")+" "+w.Body.String())
		}
		if seen[0] != seen[1] {
			t.Errorf("%s: %s becomes %s, %s becomes %s", kind, bodies[0], seen[0], bodies[1], seen[1])
		}
	}
}

// With a rewriter for whole texts a field becomes a public text, and what reaches the
// handler does not depend on its length.
func TestWholeFieldsBecomePublicTexts(t *testing.T) {
	english, err := corpus.English()
	if err != nil {
		t.Fatal(err)
	}
	public := map[string]bool{}
	for i := range english.Len() {
		public[english.Text(i)] = true
	}
	r, err := sotto.Open(t.Context(), sotto.Config{Epsilon: 4, Unit: privacy.Text})
	if err != nil {
		t.Fatal(err)
	}
	draws := int64(0)
	charge := func(_ context.Context, p *sotto.Pending) error { draws += p.Draws(); return nil }
	cfg := sottohttp.Config{Rewriter: r, Fields: []string{"note"}, Optional: []string{"items[*].body"}, Charge: charge}
	requests, err := sottohttp.Requests(echo, cfg)
	if err != nil {
		t.Fatal(err)
	}
	responses, err := sottohttp.Responses(echo, cfg)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{hidden, "", strings.Repeat("long ", 50_000)} {
		for name, handler := range map[string]http.Handler{"request": requests, "response": responses} {
			draws = 0
			body := `{"note":"` + text + `","items":[{"body":"` + text + `"},{"body":"ok"}],"id":7}`
			q := httptest.NewRequest("POST", "/", strings.NewReader(body))
			q.Header.Set("Content-Type", "application/json")
			w := httptest.NewRecorder()
			handler.ServeHTTP(w, q)
			var got struct {
				Note  string
				Items []struct{ Body string }
				ID    int
			}
			if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || w.Code != 200 {
				t.Fatalf("%s of %.20q: %d %v", name, text, w.Code, err)
			}
			if !public[got.Note] || len(got.Items) != 2 || !public[got.Items[0].Body] || !public[got.Items[1].Body] || got.ID != 7 || draws != 3 {
				t.Errorf("%s of %.20q becomes %.300s, %d draws", name, text, w.Body, draws)
			}
		}
	}
	q := httptest.NewRequest("GET", "/?note="+hidden+"&id=7", nil)
	w := httptest.NewRecorder()
	requests.ServeHTTP(w, q)
	uri, err := url.Parse(strings.Fields(w.Header().Get("Seen-URI"))[0])
	if err != nil || !public[uri.Query().Get("note")] || uri.Query().Get("id") != "7" {
		t.Errorf("a query becomes %s (%v)", w.Header().Get("Seen-URI"), err)
	}
}
