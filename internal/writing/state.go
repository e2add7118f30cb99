package writing

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
)

// header is the first line of the file of a run. It holds neither endpoint nor key.
type header struct {
	Version    int         `json:"sotto_write"`
	About      string      `json:"about"`
	Model      string      `json:"model"`
	Seed       uint64      `json:"seed"`
	Batch      int         `json:"batch"`
	Attributes []Attribute `json:"attributes"`
	Tokens     int         `json:"tokens"` // of the proposal
}

// call is each further line: what one answer gave.
type call struct {
	Tally
	Texts []string `json:"texts"`
}

const (
	stateVersion = 1
	headerStart  = `{"sotto_write":`
)

var errNoRun = errors.New("it is not the file of an unfinished run")

// sound reports whether a header is one that a run writes: its attributes are sent to the
// endpoint.
func sound(h header) bool {
	for _, a := range h.Attributes {
		if a.Name != clean(a.Name) || !a.fits() || !slices.Equal(a.Values, valuesOf(a.Values)) {
			return false
		}
	}
	return h.Tokens >= 0
}

// strange reports whether a tally is none of a call.
func (t Tally) strange() bool {
	return min(t.Tokens, t.Refused, t.Similar, t.Unread) < 0 || t.Calls != 1 || t.Tokens > mostTokens
}

// state is a run and its file.
type state struct {
	w     *Writer
	file  *os.File
	head  header
	texts []string
	fresh []string // of the last answer
	tally Tally
	last  Tally // of the last answer
}

// open begins a run, or reads the one that the file holds.
func (w *Writer) open(file *os.File, resume bool) (*state, error) {
	s := &state{w: w, file: file, head: header{stateVersion, w.About, w.Client.Model, w.Seed, w.Batch, w.Attributes, 0}}
	if resume {
		data, err := io.ReadAll(file)
		if err != nil {
			return nil, err
		}
		if len(data) > 0 {
			return s, s.read(data)
		}
	}
	if s.head.Attributes == nil {
		return s, nil
	}
	return s, s.begin()
}

// begin writes the header.
func (s *state) begin() error { return s.append(s.head) }

// keep writes what the last answer gave.
func (s *state) keep() error { return s.append(call{s.last, s.fresh}) }

func (s *state) append(line any) error {
	data, err := json.Marshal(line)
	if err != nil {
		return err
	}
	if _, err = s.file.Write(append(data, '\n')); err == nil {
		err = s.file.Sync()
	}
	return err
}

// read reads a run. A last line that a kill cut is dropped.
func (s *state) read(data []byte) error {
	whole := bytes.LastIndexByte(data, '\n') + 1
	// Nothing is cut off from a file that is not one of a run.
	if !bytes.HasPrefix(data, []byte(headerStart)) && !bytes.HasPrefix([]byte(headerStart), data) {
		return errNoRun
	}
	if whole < len(data) {
		if err := s.file.Truncate(int64(whole)); err != nil {
			return err
		}
	}
	if _, err := s.file.Seek(int64(whole), io.SeekStart); err != nil {
		return err
	}
	if whole == 0 { // not even the header
		s.texts = nil
		if s.head.Attributes == nil {
			return nil
		}
		return s.begin()
	}
	for n, line := range bytes.Split(bytes.TrimSuffix(data[:whole], []byte("\n")), []byte("\n")) {
		if n == 0 {
			if s.head = (header{}); json.Unmarshal(line, &s.head) != nil || s.head.Version != stateVersion || len(s.head.Attributes) == 0 || !sound(s.head) {
				return errNoRun
			}
			if err := s.w.differs(s.head); err != nil {
				return err
			}
			s.tally.Tokens = s.head.Tokens
			continue
		}
		var c call
		if err := json.Unmarshal(line, &c); err != nil || c.Tally.strange() {
			return fmt.Errorf("line %d of the unfinished run is damaged", n+1)
		}
		for _, text := range c.Texts {
			if text != clean(text) || !usable(text) || echoesKey(s.w.Client.Key, text) || !s.w.Distinct(text) {
				return fmt.Errorf("line %d of the unfinished run is damaged", n+1)
			}
		}
		s.texts = append(s.texts, c.Texts...)
		s.tally.add(c.Tally)
	}
	return nil
}

func (t *Tally) add(o Tally) {
	t.Calls += o.Calls
	t.Tokens += o.Tokens
	t.Refused += o.Refused
	t.Similar += o.Similar
	t.Unread += o.Unread
}

// differs says why a kept run is not that of a plan.
func (w *Writer) differs(h header) error {
	for _, one := range []struct{ what, kept, given string }{
		{"description", h.About, w.About}, {"model", h.Model, w.Client.Model},
		{"seed", fmt.Sprint(h.Seed), fmt.Sprint(w.Seed)}, {"batch", fmt.Sprint(h.Batch), fmt.Sprint(w.Batch)},
	} {
		if one.kept != one.given {
			return fmt.Errorf("the unfinished run has the %s %q, not %q", one.what, one.kept, one.given)
		}
	}
	if w.Attributes != nil && fmt.Sprint(w.Attributes) != fmt.Sprint(h.Attributes) {
		return errors.New("the unfinished run has other attributes")
	}
	return nil
}
