package sottohttp_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/sottohttp"
	"github.com/sotto-dp/sotto/text"
)

// names marks every word in capitals as a person, as a detector would.
func names(_ context.Context, prompt []byte) (spans text.Spans, err error) {
	at := 0
	for word := range strings.SplitSeq(string(prompt), " ") {
		n := len([]rune(word))
		if strings.ToUpper(word) == word && strings.ToLower(word) != word {
			spans = append(spans, text.Span{Start: at, End: at + n, Type: "PERSON"})
		}
		at += n + 1
	}
	return spans, nil
}

func promptConfig() sottohttp.PromptConfig {
	return sottohttp.PromptConfig{
		Marks: sotto.Marks{Epsilon: 4}, Detect: names, Fields: []string{"messages[*].content"},
		Answers: []string{"choices[*].message.content"}, Deltas: []string{"choices[*].delta.content"},
	}
}

// client returns a client of a model that answers by what it is sent.
func client(t testing.TB, cfg sottohttp.PromptConfig, model http.HandlerFunc) func(body string) (*http.Response, error) {
	server := httptest.NewServer(model)
	t.Cleanup(server.Close)
	transport, err := sottohttp.Prompts(context.Background(), server.Client().Transport, cfg)
	if err != nil {
		t.Fatal(err)
	}
	c := &http.Client{Transport: transport}
	return func(body string) (*http.Response, error) {
		return c.Post(server.URL, "application/json", strings.NewReader(body))
	}
}

func prompt(content string) string {
	data, err := json.Marshal(content)
	if err != nil {
		log.Fatal(err)
	}
	return `{"model":"m","messages":[{"role":"user","content":` + string(data) + `}]}`
}

// sent returns the prompt that a model got.
func sent(r *http.Request) string {
	var body struct{ Messages []struct{ Content string } }
	data, err := io.ReadAll(r.Body)
	if err != nil || json.Unmarshal(data, &body) != nil || len(body.Messages) == 0 {
		return ""
	}
	return body.Messages[0].Content
}

func respond(w http.ResponseWriter, kind, body string) {
	w.Header().Set("Content-Type", kind)
	_, _ = io.WriteString(w, body)
}

func choice(content string) string {
	data, _ := json.Marshal(content)
	return `{"choices":[{"message":{"content":` + string(data) + `}}]}`
}

func read(t *testing.T, answer *http.Response, err error) string {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	data, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// The model sees surrogates, the program the names that it sent.
func ExamplePrompts() {
	model := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got := sent(r)
		fmt.Println(strings.Contains(got, "ADA"), strings.HasPrefix(got, "Write to "))
		respond(w, "application/json", choice("Dear "+strings.TrimPrefix(got, "Write to ")+","))
	}))
	defer model.Close()
	transport, err := sottohttp.Prompts(context.Background(), nil, promptConfig())
	if err != nil {
		log.Fatal(err)
	}
	c := &http.Client{Transport: transport}
	answer, err := c.Post(model.URL, "application/json", strings.NewReader(prompt("Write to ADA")))
	if err != nil {
		log.Fatal(err)
	}
	defer answer.Body.Close()
	body, _ := io.ReadAll(answer.Body)
	fmt.Println(string(body))
	// Output:
	// false true
	// {"choices":[{"message":{"content":"Dear ADA,"}}]}
}

// A surrogate is put back wherever the events of a stream cut it, and of each choice alone.
func TestStreamIsPutBackAcrossEvents(t *testing.T) {
	ask := client(t, promptConfig(), func(w http.ResponseWriter, r *http.Request) {
		name := []rune(sent(r))
		var events strings.Builder
		for i, c := range name {
			for choice := range 2 {
				data, _ := json.Marshal(string(c))
				fmt.Fprintf(&events, "data: {\"choices\":[{\"index\":%d,\"delta\":{\"content\":%s}}]}\r\n\r\n", choice, data)
			}
			if i == 2 {
				events.WriteString(": a comment\n\ndata: {\"choices\":[{\"index\":0,\"delta\":{}}]}\n\n")
			}
		}
		events.WriteString("data: [DONE]\n\n")
		respond(w, "text/event-stream", events.String())
	})
	answer, err := ask(prompt(`"ADA"`)) // a quote needs an escape
	body := read(t, answer, err)
	if n := strings.Count(body, `\"ADA\"`); n != 2 || !strings.Contains(body, ": a comment\n") || !strings.HasSuffix(body, "data: [DONE]\n\n") {
		t.Errorf("%d times in\n%s", n, body)
	}
}

// Errors, other places, encodings and kinds of answers keep the surrogates.
func TestOriginalsAreNotPutBackElsewhere(t *testing.T) {
	for what, answer := range map[string]func(w http.ResponseWriter, got string){
		"an error": func(w http.ResponseWriter, got string) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusBadRequest)
			_, _ = io.WriteString(w, choice(got))
		},
		"another field": func(w http.ResponseWriter, got string) { respond(w, "application/json", `{"echo":"`+got+`"}`) },
		"text":          func(w http.ResponseWriter, got string) { respond(w, "text/plain", got) },
		"a damaged one": func(w http.ResponseWriter, got string) { respond(w, "application/json", choice(got)+"}") },
		"a longer word": func(w http.ResponseWriter, got string) {
			respond(w, "application/json", choice("x"+strings.ToLower(got)+"y"))
		},
		"a long one": func(w http.ResponseWriter, got string) {
			respond(w, "application/json", choice(got+strings.Repeat(" ", sottohttp.DefaultMaxBytes)))
		},
		"an encoded one": func(w http.ResponseWriter, got string) {
			w.Header().Set("Content-Encoding", "br")
			respond(w, "application/json", choice(got))
		},
	} {
		ask := client(t, promptConfig(), func(w http.ResponseWriter, r *http.Request) { answer(w, sent(r)) })
		got, err := ask(prompt("ADALOVELACE"))
		if body := read(t, got, err); strings.Contains(body, "ADA") || body == "" {
			t.Errorf("%s: %.100s", what, body)
		}
	}
}

// What is compressed on the way is put back.
func TestCompressedAnswerIsPutBack(t *testing.T) {
	ask := client(t, promptConfig(), func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		_, _ = io.WriteString(z, choice(sent(r)))
		_ = z.Close()
	})
	answer, err := ask(prompt("ADA"))
	if body := read(t, answer, err); body != choice("ADA") {
		t.Error(body)
	}
}

// One program's users do not get each other's names, one value has one surrogate, and a retry
// after a redirect sends the same private copy.
func TestConversationsAreApart(t *testing.T) {
	var seen sync.Map
	redirected := false
	ask := client(t, promptConfig(), func(w http.ResponseWriter, r *http.Request) {
		if !redirected {
			redirected = true
			http.Redirect(w, r, "/again", http.StatusTemporaryRedirect)
			return
		}
		got := sent(r)
		seen.Store(got, true)
		all := ""
		seen.Range(func(k, _ any) bool { all += " " + k.(string); return true })
		respond(w, "application/json", choice(all))
	})
	for _, name := range []string{"ADA", "GRACE", "ADA"} {
		answer, err := ask(prompt(name))
		body := read(t, answer, err)
		for _, of := range []string{"ADA", "GRACE"} {
			if strings.Contains(body, of) != (of == name) {
				t.Errorf("%s got %s", name, body)
			}
		}
	}
	n := 0
	seen.Range(func(_, _ any) bool { n++; return true })
	if n != 2 {
		t.Errorf("%d surrogates of 2 values", n)
	}
}

// What cannot be made private is not sent, and its error repeats nothing of it.
func TestPromptIsNotSentInClear(t *testing.T) {
	secret := errors.New("found ADA at 3")
	failing, unknown, outside, refused := promptConfig(), promptConfig(), promptConfig(), promptConfig()
	failing.Detect = func(context.Context, []byte) (text.Spans, error) { return nil, secret }
	unknown.Detect = func(context.Context, []byte) (text.Spans, error) { return text.Spans{{End: 3, Type: "ADATYPE"}}, nil }
	outside.Detect = func(context.Context, []byte) (text.Spans, error) { return text.Spans{{End: 99, Type: "PERSON"}}, nil }
	refused.Charge = func(context.Context, *sotto.Pending) error { return secret }
	for what, c := range map[string]struct {
		cfg  sottohttp.PromptConfig
		body string
	}{
		"no prompt":  {promptConfig(), `{"prompt":"ADA"}`},
		"parts":      {promptConfig(), `{"messages":[{"content":[{"text":"ADA"}]}]}`},
		"no JSON":    {promptConfig(), `ADA`},
		"two":        {promptConfig(), prompt("ADA") + prompt("ADA")},
		"long":       {promptConfig(), prompt("ADA " + strings.Repeat("x", sottohttp.DefaultMaxBytes))},
		"detector":   {failing, prompt("ADA")},
		"unknown":    {unknown, prompt("ADA")},
		"outside":    {outside, prompt("ADA")},
		"not paid":   {refused, prompt("ADA")},
		"other case": {promptConfig(), `{"messages":[{"content":"x","Content":3,"ADA":1}]}`},
	} {
		ask := client(t, c.cfg, func(http.ResponseWriter, *http.Request) { t.Errorf("%s: it was sent", what) })
		if answer, err := ask(c.body); err == nil {
			answer.Body.Close()
			t.Errorf("%s: no error", what)
		} else if strings.Contains(err.Error(), "ADA") {
			t.Errorf("%s: %v", what, err)
		}
	}
	if _, err := sottohttp.Prompts(t.Context(), nil, sottohttp.PromptConfig{Fields: []string{"a"}}); err == nil {
		t.Error("no detector is needed")
	}
}

// The caller's request stays as it was, and its body is closed.
func TestRequestIsNotChanged(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { respond(w, "application/json", choice(sent(r))) }))
	defer server.Close()
	transport, err := sottohttp.Prompts(t.Context(), nil, promptConfig())
	if err != nil {
		t.Fatal(err)
	}
	body := &closing{Reader: bytes.NewReader([]byte(prompt("ADA")))}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL, body)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept-Encoding", "gzip")
	answer, err := transport.RoundTrip(r)
	if got := read(t, answer, err); got != choice("ADA") || !body.closed || r.Body != body || r.Header.Get("Accept-Encoding") != "gzip" || answer.Request != r {
		t.Errorf("%s, closed %v", got, body.closed)
	}
}

type closing struct {
	io.Reader
	closed bool
}

func (c *closing) Close() error {
	c.closed = true
	return nil
}
