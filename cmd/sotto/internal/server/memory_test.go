package server_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/server"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/gate"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/wire"
	"github.com/sotto-dp/sotto/internal/stage"
)

// stuck is a client that reads none of its answer until it is released.
type stuck struct {
	*httptest.ResponseRecorder
	begun   func()
	release chan struct{}
}

func (w *stuck) Write(b []byte) (int, error) {
	w.begun()
	<-w.release
	return w.ResponseRecorder.Write(b)
}

// together has n clients send one request each. It returns the live memory of the server
// when each client has been refused or has stopped reading, and the final statuses.
func together(t *testing.T, cfg server.Config, n int, path, body string, header ...string) (held int64, statuses map[int]int) {
	t.Helper()
	s, err := server.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	request := func() *http.Request {
		q := httptest.NewRequest("POST", "http://localhost"+path, strings.NewReader(body))
		q.Header.Set("Content-Type", "application/json")
		for i := 0; i < len(header); i += 2 {
			q.Header.Set(header[i], header[i+1])
		}
		return q
	}
	// This opens the mechanism and fills its caches.
	w := httptest.NewRecorder()
	s.Handler().ServeHTTP(w, request())
	if w.Code != 200 {
		t.Fatalf("one request alone gets %d %.300s", w.Code, w.Body)
	}
	*w = httptest.ResponseRecorder{}
	var ready, done sync.WaitGroup
	release, clients := make(chan struct{}), make([]*stuck, n)
	requests := make([]*http.Request, n)
	for i := range clients {
		var once sync.Once
		clients[i] = &stuck{httptest.NewRecorder(), func() { once.Do(ready.Done) }, release}
		requests[i] = request()
	}
	base := live()
	for i := range clients {
		ready.Add(1)
		done.Go(func() {
			s.Handler().ServeHTTP(clients[i], requests[i])
			clients[i].begun()
		})
	}
	ready.Wait()
	held = live() - base
	close(release)
	done.Wait()
	statuses = map[int]int{}
	for _, c := range clients {
		statuses[c.Code]++
	}
	return held, statuses
}

// live returns the size of the live heap.
func live() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC() // what pools released
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// These requests cost a client little and the server much. Together they hold no more
// than the limit, and the others are told to come back.
func TestLargeAnswersHoldBoundedMemoryTogether(t *testing.T) {
	stage.Unraced(t)
	const memory = 48 << 20
	cfg := server.Config{Playground: true, Limits: gate.Limits{Body: 1 << 20, Memory: memory, Tokens: 1 << 20}}
	dots := strings.Repeat(".", 200_000)
	quoted := strings.Repeat("<", 100_000) // JSON encodes each in six bytes
	empty := strings.Repeat(`"",`, 9999) + `""`
	words := strings.TrimSuffix(strings.Repeat(`"river",`, 20), ",")
	requests := []struct{ name, path, body string }{
		{"reading dots", "/v1/read", `{"epsilon":8,"texts":["` + dots + `"]}`},
		{"rewriting what JSON escapes", "/v1/rewrite", `{"epsilon":30,"pieces":true,"texts":["` + quoted + `"]}`},
		{"replacing texts in pieces from large sets", "/v1/rewrite", `{"epsilon":0.01,"unit":"text","pieces":true,"texts":[` + empty[:3000] + `""]}`},
		{"reading empty texts", "/v1/read", `{"epsilon":8,"texts":[` + empty + `]}`},
		{"rewriting dots", "/v1/rewrite", `{"epsilon":8,"texts":["` + dots + `"]}`},
		{"rewriting dots in pieces", "/v1/rewrite", `{"epsilon":8,"pieces":true,"texts":["` + dots[:150_000] + `"]}`},
		{"rewriting empty texts", "/v1/rewrite", `{"epsilon":8,"texts":[` + empty + `]}`},
		{"explaining to the last output", "/v1/explain", `{"epsilon":8,"top":0,"words":[` + words + `]}`},
		{"replacing empty texts", "/v1/rewrite", `{"epsilon":8,"unit":"text","texts":[` + empty + `]}`},
		{"explaining texts to the last output", "/v1/explain", `{"epsilon":8,"unit":"text","top":0,"texts":["river"]}`},
		{"one long token", "/v1/rewrite", `{"epsilon":8,"texts":["` + strings.Repeat("a", 250_000) + `"]}`},
	}
	if !stage.Runs(stage.Large) {
		requests = requests[:3]
	}
	for _, c := range requests {
		t.Run(c.name, func(t *testing.T) {
			held, statuses := together(t, cfg, 30, c.path, c.body)
			t.Logf("%.1f MB are held, statuses %v", float64(held)/1e6, statuses)
			if held > memory {
				t.Errorf("%d bytes are held, want at most %d", held, memory)
			}
			if statuses[200] == 0 || statuses[200]+statuses[429] != 30 {
				t.Errorf("statuses %v, want 200 and 429", statuses)
			}
		})
	}
}

// Concurrent requests get the same answers as single ones. Explanations and readings are
// streamed and still decode to their types.
func TestStreamedAnswersAreThoseOfTheirTypes(t *testing.T) {
	r := start(t, server.Config{Playground: true})
	for _, c := range []struct {
		path, body string
		into       any
	}{
		{"/v1/read", `{"epsilon":8,"texts":["my \"doctor\" zzqx",null,"","a"]}`, &wire.ReadResponse{}},
		{"/v1/explain", `{"epsilon":8,"top":3,"words":["my doctor","zzqx"]}`, &struct {
			Words []struct {
				Word             string  `json:"word"`
				Known            bool    `json:"known"`
				Unchanged        float64 `json:"unchanged"`
				ExpectedDistance float64 `json:"expected_distance"`
				Outputs          []struct {
					Word        string  `json:"word"`
					Probability float64 `json:"probability"`
				} `json:"outputs"`
				Rest       float64 `json:"rest"`
				Others     int     `json:"others"`
				Neighbours int     `json:"neighbours"`
				Inside     float64 `json:"inside"`
			} `json:"words"`
			Claim json.RawMessage `json:"claim"`
		}{}},
	} {
		a := r.ask("POST", c.path, c.body).want(t, 200, "")
		if a.header.Get("Content-Type") != "application/json" || a.header.Get("Content-Length") != "" && len(a.body) > 16<<10 {
			t.Errorf("%s: header %v", c.path, a.header)
		}
		if c.path == "/v1/read" {
			for _, want := range []string{`"results":[{"words":[`, `{"error":"must be a string, got null"}`, `{},`, `"known":false`, `"promise":`, `"statement":`, `"cost":{`} {
				if !strings.Contains(a.body, want) {
					t.Errorf("%s lacks %s: %s", c.path, want, a.body)
				}
			}
			if !json.Valid([]byte(a.body)) {
				t.Errorf("%s is no JSON", a.body)
			}
			continue
		}
		if err := json.Unmarshal([]byte(a.body), c.into); err != nil {
			t.Fatalf("%s: %v in %s", c.path, err, a.body)
		}
		again, err := json.Marshal(c.into)
		if err != nil || string(again)+"\n" != a.body {
			t.Errorf("%s: the answer is %s, its type would be %s (%v)", c.path, a.body, again, err)
		}
	}
	// A request that cannot be answered gets a problem, not a partial answer.
	r.ask("POST", "/v1/explain", `{"epsilon":8,"words":["a",""]}`).want(t, 400, "invalid-parameter")
}

func TestRewriteBoundsTokens(t *testing.T) {
	l := newBudgets(t, map[string]string{"alice": "1000000"})
	r := start(t, server.Config{Playground: true, Ledger: l, Limits: gate.Limits{Tokens: 1000}})
	for n, status := range map[int]int{1000: 200, 1001: 413} {
		texts := fmt.Sprintf(`"texts":["%s","%s"],"epsilon":8`, strings.Repeat(".", 500), strings.Repeat(". ", n-500))
		for _, a := range []reply{
			r.ask("POST", "/v1/read", `{`+texts+`}`), r.rewrite(`{` + texts + `}`), r.rewrite(`{` + texts + `,"account":"alice"}`),
			r.rewrite(`{`+texts+`,"account":"alice"}`, "Idempotency-Key", uuid),
		} {
			if a.status != status {
				t.Errorf("%d tokens: %d %.200s", n, a.status, a.body)
			}
			if status == 413 && (a.kind() != "too-many-tokens" || !strings.Contains(a.body, `"limit":1000,"count":1001`)) {
				t.Errorf("the problem is %s", a.body)
			}
		}
	}
	if a := accountOf(t, r, "alice"); a.Spent.Epsilon != 2*8*1000 {
		t.Errorf("refused requests left %+v", a)
	}
}

// Once decoded, an empty text takes many times its three bytes.
func TestDecodeRefusesManyValuesBeforeDecoding(t *testing.T) {
	s, err := server.New(server.Config{})
	if err != nil {
		t.Fatal(err)
	}
	for _, body := range []string{
		`{"epsilon":8,"texts":[` + strings.Repeat(`"",`, 300_000) + `""]}`, `{"epsilon":8,"texts":["a"],"parameters":{` + strings.Repeat(`"a":1,`, 150_000) + `"b":1}}`,
		`{"epsilon":8,"texts":[` + strings.Repeat(`null,`, 200_000) + `""]}`,
	} {
		q := httptest.NewRequest("POST", "http://localhost/v1/rewrite", strings.NewReader(body))
		q.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		s.Handler().ServeHTTP(w, q)
		runtime.ReadMemStats(&after)
		// The body while its slice doubles: at most 2.5 times its length.
		if used := int(after.TotalAlloc - before.TotalAlloc); used > 4*len(body) {
			t.Errorf("%d bytes are allocated for a body of %d", used, len(body))
		}
		if !strings.Contains(w.Body.String(), `"too-many-values"`) || w.Code != 413 {
			t.Errorf("got %d %.200s", w.Code, w.Body)
		}
	}
}

// Few explanations are computed at a time. A client that does not read its answer holds
// none of their places.
func TestExplainIsNotBlockedBySlowClients(t *testing.T) {
	s, err := server.New(server.Config{})
	if err != nil {
		t.Fatal(err)
	}
	var ready, done sync.WaitGroup
	release := make(chan struct{})
	for range 4 * runtime.GOMAXPROCS(0) {
		q := httptest.NewRequest("POST", "http://localhost/v1/explain", strings.NewReader(`{"epsilon":8,"words":["river"]}`))
		q.Header.Set("Content-Type", "application/json")
		var once sync.Once
		ready.Add(1)
		w := &stuck{httptest.NewRecorder(), func() { once.Do(ready.Done) }, release}
		done.Go(func() {
			s.Handler().ServeHTTP(w, q)
			w.begun()
			if w.Code != 200 {
				t.Errorf("status %d", w.Code)
			}
		})
	}
	ready.Wait() // each answer has begun before any has been read
	close(release)
	done.Wait()
}
