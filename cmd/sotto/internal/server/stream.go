package server

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
)

// stream writes a JSON answer incrementally, so that a large one is never held in memory.
// It keeps the first error; an answer that was begun is then cut off (see Server.serve).
type stream struct {
	w   *bufio.Writer
	err error
}

// errGone means that the client stopped reading its answer. It is not reported.
var errGone = errors.New("serve: the client is gone")

func newStream(w http.ResponseWriter) *stream {
	w.Header().Set("Content-Type", "application/json")
	return &stream{w: bufio.NewWriterSize(w, 16<<10)}
}

func (s *stream) raw(text string) {
	if s.err != nil {
		return
	}
	if _, err := s.w.WriteString(text); err != nil {
		s.err = errGone
	}
}

func (s *stream) value(v any) {
	if s.err != nil {
		return
	}
	body, err := json.Marshal(v)
	if err != nil {
		s.err = err
		return
	}
	s.raw(string(body))
}

// comma writes a comma before each element of a list except the first.
func (s *stream) comma(i int) {
	if i > 0 {
		s.raw(",")
	}
}

// around writes v, whose list called name is empty, with the elements that fill writes. A
// JSON string holds no bare quotation mark, so the search finds the empty list and
// nothing else.
func (s *stream) around(v any, name string, fill func()) {
	if s.err != nil {
		return
	}
	body, err := json.Marshal(v)
	before, after, found := bytes.Cut(body, []byte(`"`+name+`":[]`))
	if err == nil && !found {
		err = errors.New("serve: the answer has no list to fill")
	}
	if err != nil {
		s.err = err
		return
	}
	s.raw(string(before) + `"` + name + `":[`)
	fill()
	s.raw("]" + string(after))
}

// end flushes the buffer.
func (s *stream) end() error {
	s.raw("\n")
	if s.err == nil {
		_ = s.w.Flush()
	}
	if errors.Is(s.err, errGone) {
		return nil
	}
	return s.err
}

// answer sends JSON that is encoded whole before its first byte is sent.
func answer(w http.ResponseWriter, status int, v any) error {
	body, err := encode(v)
	if err != nil {
		return err
	}
	send(w, status, body)
	return nil
}

func encode(v any) ([]byte, error) {
	body, err := json.Marshal(v)
	return append(body, '\n'), err
}

func send(w http.ResponseWriter, status int, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body) // a client that went away is not an error
}
