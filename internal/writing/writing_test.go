package writing_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sotto-dp/sotto/internal/writing"
	"github.com/sotto-dp/sotto/internal/writing/modeltest"
)

const secret = "sk-test-0123456789abcdef"

// run is a run against a server of the test.
type run struct {
	writing.Plan
	url    string
	name   string
	resume bool
	mu     sync.Mutex
	waits  []time.Duration
	told   []time.Duration // the waits that were told before
	last   writing.Progress
}

func newRun(t *testing.T, url string, texts int) *run {
	return &run{url: url, name: filepath.Join(t.TempDir(), "run"),
		Plan: writing.Plan{About: "support tickets", Texts: texts, Seed: 1, Batch: 5, Workers: 1, Attributes: []writing.Attribute{{Name: "tone", Values: []string{"angry", "polite"}}}}}
}

func (r *run) do(ctx context.Context, t *testing.T) ([]string, writing.Tally, error) {
	t.Helper()
	kept, err := os.OpenFile(r.name, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer kept.Close()
	seen := map[string]bool{}
	w := &writing.Writer{Plan: r.Plan, Distinct: func(text string) bool { old := seen[text]; seen[text] = true; return !old },
		Client: &writing.Client{Endpoint: r.url, Model: "small", Key: secret, Timeout: 5 * time.Second, Wait: func(_ context.Context, d time.Duration) error {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.waits = append(r.waits, d)
			return nil
		}, Again: func(err error, wait time.Duration) {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.told = append(r.told, wait)
			if err == nil {
				t.Error("a request is repeated without a reason")
			}
		}}, Report: func(p writing.Progress) { r.last = p }}
	texts, tally, err := w.Run(ctx, kept, r.resume)
	if err != nil && strings.Contains(err.Error(), secret[3:9]) {
		t.Errorf("the error holds the key: %v", err)
	}
	return texts, tally, err
}

func TestTextsAreWrittenByAttributes(t *testing.T) {
	model := modeltest.Start(t, nil)
	r := newRun(t, model.URL, 30)
	r.Attributes = nil
	texts, tally, err := r.do(t.Context(), t)
	if err != nil || len(texts) != 30 || tally.Calls != 6 || tally.Tokens != 7*150 {
		t.Fatalf("%d texts, %+v, %v", len(texts), tally, err)
	}
	asked := model.Asked()
	if !asked[0].Proposes() || asked[0].Key != "Bearer "+secret || asked[1].Stream || asked[1].Model != "small" || asked[1].Seed == asked[2].Seed {
		t.Errorf("asked %+v", asked[:3])
	}
	tones := map[string]bool{}
	for _, a := range asked[1:] {
		for line := range strings.Lines(a.Prompt()) {
			if tone, ok := strings.CutPrefix(line, "tone: "); ok {
				tones[strings.TrimSpace(tone)] = true
			}
		}
		if !strings.Contains(a.Prompt(), "support tickets") || !strings.Contains(a.Prompt(), "what: a ") {
			t.Errorf("the prompt is %s", a.Prompt())
		}
	}
	if !tones["angry"] || !tones["polite"] || len(tones) != 2 {
		t.Errorf("the tones are %v", tones)
	}
	if r.last.Texts != 30 || r.last.Wanted != 30 {
		t.Errorf("the last report is %+v", r.last)
	}
	data, err := os.ReadFile(r.name)
	if err != nil || strings.Contains(string(data), secret) || strings.Contains(string(data), "127.0.0.1") {
		t.Errorf("the file of the run has the key or the endpoint: %v", err)
	}
}

// The same seed asks the same, with any number of workers, and gives the same texts.
func TestWorkersDoNotChangeTheTexts(t *testing.T) {
	var all [][]string
	for _, workers := range []int{1, 3} {
		r := newRun(t, modeltest.Start(t, nil).URL, 42)
		r.Workers = workers
		texts, _, err := r.do(t.Context(), t)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, texts)
	}
	if !slices.Equal(all[0], all[1]) || len(all[0]) != 42 {
		t.Errorf("%d and %d texts", len(all[0]), len(all[1]))
	}
}

// faults are answers that are asked for again, or left out.
var faults = map[string]struct {
	answer func(w http.ResponseWriter)
	waits  int // before it is asked again
	first  time.Duration
	tally  func(writing.Tally) int
}{
	"rate limit": {func(w http.ResponseWriter) {
		w.Header().Set("Retry-After", "7")
		http.Error(w, `{"error":{"message":"slow down"}}`, http.StatusTooManyRequests)
	}, 1, 7*time.Second + time.Millisecond, nil},
	"rate limit with a date": {func(w http.ResponseWriter) {
		w.Header().Set("Retry-After", time.Now().Add(time.Hour).UTC().Format(http.TimeFormat))
		w.WriteHeader(http.StatusTooManyRequests)
	}, 1, 10 * time.Minute, nil},
	"busy":            {func(w http.ResponseWriter) { w.WriteHeader(http.StatusServiceUnavailable) }, 1, 0, nil},
	"cut":             {func(w http.ResponseWriter) { cut(w, false) }, 1, 0, nil},
	"cut in the body": {func(w http.ResponseWriter) { cut(w, true) }, 1, 0, nil},
	"no JSON":         {func(w http.ResponseWriter) { fmt.Fprint(w, "<html>") }, 1, 0, nil},
	"no choice":       {func(w http.ResponseWriter) { fmt.Fprint(w, `{"choices":[]}`) }, 1, 0, nil},
	"endless": {func(w http.ResponseWriter) {
		fmt.Fprint(w, `{"choices":[{"message":{"content":"`)
		for range 6 << 10 {
			if _, err := w.Write([]byte(strings.Repeat("and so on ", 100))); err != nil {
				return
			}
		}
	}, 1, 0, nil},
	"refusal":       {func(w http.ResponseWriter) { modeltest.Say(w, "I'm sorry, but I can't help with that.") }, 0, 0, func(t writing.Tally) int { return t.Refused }},
	"refused texts": {func(w http.ResponseWriter) { modeltest.Say(w, `["As an AI language model, I cannot complain."]`) }, 0, 0, func(t writing.Tally) int { return t.Refused }},
	"prose":         {func(w http.ResponseWriter) { modeltest.Say(w, "The parcel was late [again].") }, 0, 0, func(t writing.Tally) int { return t.Unread }},
	"long":          {func(w http.ResponseWriter) { modeltest.Say(w, `["`+strings.Repeat("long ", 2000)+`"]`) }, 0, 0, func(t writing.Tally) int { return t.Unread }},
	"twice":         {func(w http.ResponseWriter) { modeltest.Say(w, `["one text here","one text here"]`) }, 0, 0, func(t writing.Tally) int { return t.Similar }},
}

// cut ends the connection, within a body that promised more.
func cut(w http.ResponseWriter, body bool) {
	if body {
		w.Header().Set("Content-Length", "1000")
		fmt.Fprint(w, `{"choices":[{"mess`)
	}
	if f, ok := w.(http.Flusher); ok && body {
		f.Flush()
	}
	panic(http.ErrAbortHandler)
}

func TestFaultsOfAnEndpointCostNoTexts(t *testing.T) {
	for name, fault := range faults {
		t.Run(name, func(t *testing.T) {
			model := modeltest.Start(t, func(w http.ResponseWriter, n int, _ modeltest.Request) bool {
				if n == 1 {
					fault.answer(w)
				}
				return n == 1
			})
			r := newRun(t, model.URL, 20)
			texts, tally, err := r.do(t.Context(), t)
			if err != nil || len(texts) != 20 {
				t.Fatalf("%d texts, %+v, %v", len(texts), tally, err)
			}
			if len(r.waits) != fault.waits || fault.first > 0 && (r.waits[0] > fault.first || r.waits[0] < fault.first-2*time.Second) {
				t.Errorf("waited %v", r.waits)
			}
			if !slices.Equal(r.told, r.waits) {
				t.Errorf("told of %v, waited %v", r.told, r.waits)
			}
			if fault.tally != nil && fault.tally(tally) != 1 {
				t.Errorf("counted %+v", tally)
			}
			for _, text := range texts {
				if writing.IsRefusal(text) || len(text) > 4000 {
					t.Errorf("a text is %.80s", text)
				}
			}
		})
	}
}

// A list that breaks off gives what is whole.
func TestAnswerThatIsCutOffGivesItsWholeTexts(t *testing.T) {
	model := modeltest.Start(t, func(w http.ResponseWriter, n int, _ modeltest.Request) bool {
		if n == 0 {
			modeltest.Say(w, `<think>[1] maybe</think>{"texts": ["first text", {"text": "second text", "tone": "angry"}, "third te`)
		}
		return n == 0
	})
	texts, _, err := newRun(t, model.URL, 7).do(t.Context(), t)
	if err != nil || len(texts) != 7 || texts[0] != "first text" || texts[1] != "second text" || strings.Contains(texts[2], "third") {
		t.Errorf("%q, %v", texts, err)
	}
}

func TestEndpointThatStaysBusyEndsTheRunAndResumes(t *testing.T) {
	busy := true
	model := modeltest.Start(t, func(w http.ResponseWriter, n int, r modeltest.Request) bool {
		if busy && r.Seed >= 3 {
			http.Error(w, `{"error":"overloaded, your key is `+secret+`"}`, http.StatusTooManyRequests)
			return true
		}
		return false
	})
	r := newRun(t, model.URL, 20)
	texts, _, err := r.do(t.Context(), t)
	if err == nil || len(texts) != 10 || !strings.Contains(err.Error(), "429") {
		t.Fatalf("%d texts, %v", len(texts), err)
	}
	for i, d := range r.waits {
		if least := time.Second << i / 2; d < least || d > 3*least {
			t.Errorf("wait %d is %v, want about %v", i, d, 2*least)
		}
	}
	// A kill leaves half a line.
	f, err := os.OpenFile(r.name, os.O_APPEND|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = f.WriteString(`{"calls":1,"tokens":1,"texts":["half`)
	}
	if err != nil || f.Close() != nil {
		t.Fatal(err)
	}
	busy, r.resume = false, true
	again, tally, err := r.do(t.Context(), t)
	if err != nil || len(again) != 20 || !slices.Equal(again[:10], texts) || tally.Calls != 4 || tally.Tokens != 600 {
		t.Fatalf("%d texts, %+v, %v", len(again), tally, err)
	}
	whole, _, err := newRun(t, modeltest.Start(t, nil).URL, 20).do(t.Context(), t)
	if err != nil || !slices.Equal(again, whole) {
		t.Errorf("the resumed run gave other texts than one that was not interrupted: %v", err)
	}
	for what, change := range map[string]func(*writing.Plan){
		"description": func(p *writing.Plan) { p.About = "reviews" }, "seed": func(p *writing.Plan) { p.Seed = 2 },
		"attributes": func(p *writing.Plan) { p.Attributes = []writing.Attribute{{Name: "tone", Values: []string{"calm"}}} },
	} {
		other := &run{Plan: r.Plan, url: r.url, name: r.name, resume: true}
		change(&other.Plan)
		if _, _, err := other.do(t.Context(), t); err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("another %s: %v", what, err)
		}
	}
}

// What an endpoint says of a request that it refuses is told, unless it may have the key.
func TestKeyIsInNoError(t *testing.T) {
	for _, one := range []struct {
		status int
		body   string
		want   string
	}{
		{http.StatusUnauthorized, `{"error":{"message":"Incorrect API key provided: ` + secret + `"}}`, "401 Unauthorized: is the key right?"},
		{http.StatusBadRequest, `{"error":{"message":"bad request from ` + secret[3:12] + `***"}}`, "400 Bad Request"},
		{http.StatusBadRequest, `{"error":{"message":"no such\u001b[31m model"}}`, "no such [31m model"},
		{http.StatusNotFound, `{"error":"model small not found"}`, "model small not found"},
		{http.StatusTemporaryRedirect, ``, "307"},
	} {
		model := modeltest.Start(t, func(w http.ResponseWriter, _ int, _ modeltest.Request) bool {
			w.Header().Set("Location", "http://127.0.0.1:1/elsewhere")
			w.WriteHeader(one.status)
			fmt.Fprint(w, one.body)
			return true
		})
		r := newRun(t, model.URL, 5)
		_, _, err := r.do(t.Context(), t)
		if err == nil || !strings.HasSuffix(err.Error(), one.want) && !strings.Contains(err.Error(), one.want+" ") || len(r.waits) > 0 {
			t.Errorf("%d %s: %v, after %v", one.status, one.body, err, r.waits)
		}
	}
}

func TestEndpointsThatWouldRevealTheKeyAreRefused(t *testing.T) {
	for endpoint, free := range map[string]bool{
		"https://models.example/v1": true, "http://127.0.0.1:8080/v1": true, "http://localhost:11434/v1": true, "http://[::1]:8080/v1": true,
		"http://models.example/v1": false, "https://user:pass@models.example/v1": false, "models.example": false, "file:///etc": false, "": false,
	} {
		if err := (&writing.Client{Endpoint: endpoint, Key: secret}).Check(); (err == nil) != free {
			t.Errorf("%s: %v", endpoint, err)
		}
	}
	if err := (&writing.Client{Endpoint: "http://models.example/v1"}).Check(); err != nil {
		t.Errorf("without a key: %v", err)
	}
}

func TestRunEndsByTokensAndWhereNothingIsNew(t *testing.T) {
	r := newRun(t, modeltest.Start(t, nil).URL, 100)
	r.MaxTokens = 700
	texts, tally, err := r.do(t.Context(), t)
	if !errors.Is(err, writing.ErrTokens) || tally.Tokens > 700 || len(texts) != 20 {
		t.Errorf("%d texts, %+v, %v", len(texts), tally, err)
	}
	model := modeltest.Start(t, func(w http.ResponseWriter, _ int, _ modeltest.Request) bool {
		modeltest.Say(w, `["always the same text"]`)
		return true
	})
	if texts, _, err := newRun(t, model.URL, 100).do(t.Context(), t); !errors.Is(err, writing.ErrBarren) || len(texts) != 1 {
		t.Errorf("%q, %v", texts, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := newRun(t, model.URL, 100).do(ctx, t); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
}

func TestAttributesAreReadFromLines(t *testing.T) {
	got, err := writing.ReadAttributes(strings.NewReader("# who writes\nwho: a new customer; a shop ; a shop;\n\nlength: one sentence: short\n"))
	want := []writing.Attribute{{Name: "who", Values: []string{"a new customer", "a shop"}}, {Name: "length", Values: []string{"one sentence: short"}}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%q, %v", got, err)
	}
	for _, data := range []string{"", "# nothing", "who", "who: ;", ": a"} {
		if _, err := writing.ReadAttributes(strings.NewReader(data)); err == nil {
			t.Errorf("%q was read", data)
		}
	}
}

func TestRefusalsAreNotApologies(t *testing.T) {
	for text, refuses := range map[string]bool{
		"I'm sorry, but I can’t help with that request.": true, "I cannot create content of this kind.": true, "As an AI language model, I have no orders.": true,
		"Tut mir leid, aber ich kann dabei nicht helfen.": true, "Sorry, I can't assist with this.": true, "Je ne peux pas vous aider.": true,
		"I'm sorry, I can't make it on Friday.": false, "I cannot log in.": false, "Sorry to hear that, your refund is on its way.": false,
		"I am sorry but I can not open the app.": false, "Es tut mir leid, die Lieferung kommt später.": false, "Ich kann mich nicht anmelden.": false,
	} {
		if writing.IsRefusal(text) != refuses {
			t.Errorf("%q: %v", text, !refuses)
		}
	}
}
