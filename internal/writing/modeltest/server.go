// Package modeltest is a server that speaks the chat-completions protocol, for tests.
package modeltest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// Request is what the server was asked.
type Request struct {
	Model     string  `json:"model"`
	Seed      uint64  `json:"seed"`
	MaxTokens int     `json:"max_tokens"`
	Stream    bool    `json:"stream"`
	Heat      float64 `json:"temperature"`
	Messages  []struct {
		Role    string `json:"role"`
		Content string `json:"content"`
	} `json:"messages"`
	Key string `json:"-"` // the header Authorization
}

// Prompt returns the last message.
func (r Request) Prompt() string { return r.Messages[len(r.Messages)-1].Content }

// Proposes reports whether the request is for attributes.
func (r Request) Proposes() bool { return strings.Contains(r.Prompt(), "Propose values") }

// Server is a model.
type Server struct {
	URL string
	mu  sync.Mutex
	all []Request
}

// Asked returns the requests so far.
func (s *Server) Asked() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.all...)
}

// Start starts a server. answer may answer request n, counted from 0, and return true; other
// requests are answered well.
func Start(t testing.TB, answer func(w http.ResponseWriter, n int, r Request) bool) *Server {
	t.Helper()
	s := &Server{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var asked Request
		if err := json.NewDecoder(r.Body).Decode(&asked); err != nil || r.Method != http.MethodPost || r.URL.Path != "/v1/chat/completions" || len(asked.Messages) == 0 {
			http.Error(w, "not the protocol", http.StatusNotFound)
			return
		}
		asked.Key = r.Header.Get("Authorization")
		s.mu.Lock()
		n := len(s.all)
		s.all = append(s.all, asked)
		s.mu.Unlock()
		if answer == nil || !answer(w, n, asked) {
			Say(w, Well(asked))
		}
	}))
	t.Cleanup(server.Close)
	s.URL = server.URL + "/v1"
	return s
}

// Say answers with a text.
func Say(w http.ResponseWriter, text string) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{
		"choices": []any{map[string]any{"index": 0, "finish_reason": "stop", "message": map[string]string{"role": "assistant", "content": text}}},
		"usage":   map[string]int{"prompt_tokens": 50, "completion_tokens": 100, "total_tokens": 150},
	})
}

var (
	subjects = []string{"parcel", "order", "invoice", "refund", "courier", "driver", "voucher", "account", "jacket", "kettle", "chair"}
	verbs    = []string{"never came", "was late again", "arrived broken", "is missing", "was sent twice", "got lost", "looks wrong"}
	ends     = []string{"please help me today", "nobody answers my calls", "I want my money back", "this is the third time", "what should I do now"}
)

// Well returns a good answer: five texts that follow from the seed, in prose and a fence, or
// attributes.
func Well(r Request) string {
	if r.Proposes() {
		return "Sure!\n```json\n{\"who\": [\"a new customer\", \"a shop\"], \"what\": [\"a late parcel\", \"a refund\", \"a driver\"], \"tone\": [\"angry\", \"polite\"], \"length\": [\"one sentence\"]}\n```"
	}
	var texts []string
	for i := range uint64(5) {
		n := r.Seed*5 + i
		texts = append(texts, fmt.Sprintf("The %s %s, and in week %d %s.", subjects[n%11], verbs[n/11%7], n, ends[n/77%5]))
	}
	data, _ := json.Marshal(texts)
	return "Here are the texts:\n```json\n" + string(data) + "\n```"
}
