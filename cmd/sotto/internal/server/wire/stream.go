package wire

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
)

// Stream writes a JSON answer incrementally, so that a large one is never held in memory.
// It keeps the first error; an answer that was begun is then cut off (see Server.serve).
type Stream struct {
	w   *bufio.Writer
	Err error
}

// errGone means that the client stopped reading its answer. It is not reported.
var errGone = errors.New("serve: the client is gone")

func NewStream(w http.ResponseWriter) *Stream {
	w.Header().Set("Content-Type", "application/json")
	return &Stream{w: bufio.NewWriterSize(w, 16<<10)}
}

func (s *Stream) Raw(text string) {
	if s.Err != nil {
		return
	}
	if _, err := s.w.WriteString(text); err != nil {
		s.Err = errGone
	}
}

func (s *Stream) Value(v any) {
	if s.Err != nil {
		return
	}
	body, err := json.Marshal(v)
	if err != nil {
		s.Err = err
		return
	}
	s.Raw(string(body))
}

// Comma writes a comma before each element of a list except the first.
func (s *Stream) Comma(i int) {
	if i > 0 {
		s.Raw(",")
	}
}

// Around writes v, whose list called name is empty, with the elements that fill writes. A
// JSON string holds no bare quotation mark, so the search finds the empty list and
// nothing else.
func (s *Stream) Around(v any, name string, fill func()) {
	if s.Err != nil {
		return
	}
	body, err := json.Marshal(v)
	before, after, found := bytes.Cut(body, []byte(`"`+name+`":[]`))
	if err == nil && !found {
		err = errors.New("serve: the answer has no list to fill")
	}
	if err != nil {
		s.Err = err
		return
	}
	s.Raw(string(before) + `"` + name + `":[`)
	fill()
	s.Raw("]" + string(after))
}

// End flushes the buffer.
func (s *Stream) End() error {
	s.Raw("\n")
	if s.Err == nil {
		_ = s.w.Flush()
	}
	if errors.Is(s.Err, errGone) {
		return nil
	}
	return s.Err
}

// Answer sends JSON that is encoded whole before its first byte is sent.
func Answer(w http.ResponseWriter, status int, v any) error {
	body, err := Encode(v)
	if err != nil {
		return err
	}
	Send(w, status, body)
	return nil
}

func Encode(v any) ([]byte, error) {
	body, err := json.Marshal(v)
	return append(body, '\n'), err
}

func Send(w http.ResponseWriter, status int, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body) // a client that went away is not an error
}
