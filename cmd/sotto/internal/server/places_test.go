package server_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/server"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/gate"
)

// held is a request whose body the test sends step by step. A write to a pipe returns
// when the server has read all of it, so what the request holds by then is known without
// polling. A polling request could take the place or the memory first, and the held one
// would be refused.
type held struct {
	t    *testing.T
	pipe *io.PipeWriter
	done chan int // status
}

func hold(t *testing.T, s *server.Server, length int) *held {
	t.Helper()
	body, pipe := io.Pipe()
	h := &held{t, pipe, make(chan int, 1)}
	q := httptest.NewRequest("POST", "http://localhost/v1/rewrite", body)
	q.Header.Set("Content-Type", "application/json")
	q.ContentLength = int64(length)
	go func() {
		w := httptest.NewRecorder()
		s.Handler().ServeHTTP(w, q)
		_ = body.CloseWithError(errors.New("the request was answered")) // the test does not wait for a reader that left
		h.done <- w.Code
	}()
	return h
}

// arrives sends bytes and returns when the server has read them.
func (h *held) arrives(bytes string) {
	h.t.Helper()
	if _, err := io.WriteString(h.pipe, bytes); err != nil {
		h.t.Fatalf("%v: status %d", err, <-h.done)
	}
}

// leaves ends the body early, and returns when the request has released everything.
func (h *held) leaves() {
	h.t.Helper()
	_ = h.pipe.CloseWithError(io.ErrUnexpectedEOF)
	if status := <-h.done; status != http.StatusBadRequest {
		h.t.Errorf("a body that ends early gets %d, want 400", status)
	}
}

// post sends a rewrite request and returns the answer.
func post(s *server.Server, body string) *httptest.ResponseRecorder {
	q := httptest.NewRequest("POST", "http://localhost/v1/rewrite", strings.NewReader(body))
	q.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	s.Handler().ServeHTTP(w, q)
	return w
}

// refused checks that a client is told to come back.
func refused(t *testing.T, w *httptest.ResponseRecorder) {
	t.Helper()
	if w.Code != 429 || !strings.Contains(w.Body.String(), `"too-many-requests"`) || w.Header().Get("Retry-After") != "1" {
		t.Errorf("got %d %.200s, header %v", w.Code, w.Body, w.Header())
	}
}

func served(t *testing.T, what string, w *httptest.ResponseRecorder) {
	t.Helper()
	if w.Code != 200 {
		t.Errorf("%s: got %d %.200s", what, w.Code, w.Body)
	}
}

func TestRequestsBeyondTheLimitGet429(t *testing.T) {
	s, err := server.New(server.Config{Limits: gate.Limits{Requests: 1}})
	if err != nil {
		t.Fatal(err)
	}
	const small = `{"texts":["a"],"epsilon":8}`
	h := hold(t, s, 100)
	h.arrives("{")
	served(t, "a request while another's body arrives", post(s, small))
	h.leaves()
	var begun sync.Once
	working, ended := make(chan struct{}), make(chan struct{})
	slow := &stuck{httptest.NewRecorder(), func() { begun.Do(func() { close(working) }) }, make(chan struct{})}
	go func() {
		defer close(ended)
		q := httptest.NewRequest("POST", "http://localhost/v1/rewrite", strings.NewReader(small))
		q.Header.Set("Content-Type", "application/json")
		s.Handler().ServeHTTP(slow, q)
	}()
	<-working
	refused(t, post(s, small))
	for _, path := range []string{"/healthz", "/readyz"} {
		w := httptest.NewRecorder()
		s.Handler().ServeHTTP(w, httptest.NewRequest("GET", "http://localhost"+path, nil))
		served(t, path+" while all places are taken", w)
	}
	close(slow.release)
	<-ended
	served(t, "a request after the place is free", post(s, small))
}

func TestReservedMemoryIsBoundedAndReleased(t *testing.T) {
	// Room for one body of 64 KiB and little more.
	s, err := server.New(server.Config{Limits: gate.Limits{Body: 64 << 10, Memory: 1 << 20}})
	if err != nil {
		t.Fatal(err)
	}
	large := `{"texts":["` + strings.Repeat("a", 60<<10) + `"],"epsilon":8}`
	h := hold(t, s, len(large))
	h.arrives(large[:1])
	served(t, "a large body while another is only announced", post(s, large))
	h.arrives(large[1 : len(large)-1])
	refused(t, post(s, large))
	served(t, "a small body", post(s, `{"texts":["my doctor"],"epsilon":8}`))
	h.leaves()
	served(t, "a large body after the memory is free", post(s, large))
}
