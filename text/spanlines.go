package text

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/sotto-dp/sotto/text/fault"
	"github.com/sotto-dp/sotto/text/internal/jsonfield"
	"github.com/sotto-dp/sotto/text/internal/records"
)

// SpanLines reads JSON lines whose records have their spans in a field beside the text, in
// the form that [ReadSpans] reads. It removes this field from the records that it returns,
// because detectors store their findings there. All other bytes of a record stay, except
// for the comma beside the field.
//
// It has the spans of a record once the record has been read. Errors of Read are those of
// the input, and an [InputError] for a line that is not a JSON object, lacks the field, has
// it twice, or has other values in it. They repeat nothing of the line. Read is for one
// goroutine. Rows and Row are safe for concurrent use.
type SpanLines struct {
	in    *bufio.Reader
	field string
	line  int // lines read
	rest  []byte
	err   error

	mu   sync.Mutex
	rows [][]Span
}

// NewSpanLines returns a reader for records whose spans are in a field of the record
// itself, not of one of its values.
func NewSpanLines(in io.Reader, field string) *SpanLines {
	return &SpanLines{in: bufio.NewReaderSize(in, 1<<16), field: field}
}

// Rows returns the number of records that have been read.
func (s *SpanLines) Rows() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.rows)
}

// Row returns the spans of record i, counted from 0, which has been read.
func (s *SpanLines) Row(i int, _ []byte) ([]Span, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.rows[i], nil
}

// Read reads records without the field.
func (s *SpanLines) Read(p []byte) (int, error) {
	for len(s.rest) == 0 {
		if s.err != nil {
			return 0, s.err
		}
		s.rest, s.err = s.next()
	}
	n := copy(p, s.rest)
	s.rest = s.rest[n:]
	return n, nil
}

// next returns the next line without the field. With io.EOF it may return one too.
func (s *SpanLines) next() ([]byte, error) {
	var line []byte
	for {
		part, err := s.in.ReadSlice('\n')
		line = append(line, part...)
		s.line += bytes.Count(part, records.Newline)
		switch {
		case len(line) > MaxRecord:
			return nil, &InputError{Kind: fault.Length, Line: s.line + 1, What: fmt.Sprintf("a record is longer than %d bytes", MaxRecord)}
		case err == bufio.ErrBufferFull:
			continue
		case err != nil && err != io.EOF:
			return nil, err
		}
		number := s.line
		if !bytes.HasSuffix(line, records.Newline) {
			number++
		}
		without, fault := s.without(line, number)
		if fault != nil {
			return nil, fault
		}
		return without, err
	}
}

// without returns a line without the field, and stores its spans.
func (s *SpanLines) without(line []byte, number int) ([]byte, error) {
	at := 0
	if number == 1 && bytes.HasPrefix(line, records.Mark) {
		at = len(records.Mark) // refused by the reader of the texts
	}
	record := line[at:]
	if records.Blank(record) {
		return line, nil
	}
	if !json.Valid(record) {
		return nil, jsonfield.NotJSON(record, number)
	}
	member, found, err := s.find(record, number)
	if err != nil {
		return nil, err
	}
	spans, err := ReadSpans(record[member.value:member.end])
	if !found || err != nil {
		return nil, &InputError{Kind: fault.Spans, Line: number, What: fmt.Sprintf("field %q: %v", s.field, ErrSpans)}
	}
	s.mu.Lock()
	s.rows = append(s.rows, spans)
	s.mu.Unlock()
	return slices.Delete(line, at+member.from, at+member.to), nil
}

// member is the place of a member of an object: what to delete of the object for it to be
// gone, and its value.
type member struct{ from, to, value, end int }

// find finds the field in a valid document.
func (s *SpanLines) find(record []byte, number int) (of member, found bool, err error) {
	d := json.NewDecoder(bytes.NewReader(record))
	if first, err := d.Token(); err != nil || first != json.Delim('{') {
		return of, false, &InputError{Kind: fault.JSON, Line: number, What: "not a JSON object, which has its spans in a field"}
	}
	for before := int(d.InputOffset()); d.More(); {
		key, err := d.Token()
		if err != nil {
			return of, false, jsonfield.NotJSON(record, number)
		}
		afterKey := int(d.InputOffset())
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return of, false, jsonfield.NotJSON(record, number)
		}
		end := int(d.InputOffset())
		if key == s.field {
			if found {
				return of, false, &InputError{Kind: fault.Field, Line: number, What: fmt.Sprintf("field %q is there twice", s.field)}
			}
			found = true
			of = member{from: before, to: end, value: afterKey + bytes.IndexByte(record[afterKey:], ':') + 1, end: end}
			if afterComma(record, before) == before { // the first member: the comma follows
				of.to = afterComma(record, end)
			}
		}
		before = end
	}
	if !found {
		return of, false, jsonfield.Absent(s.field, number)
	}
	return of, true, nil
}

// afterComma returns the place after a comma that follows, if one does.
func afterComma(record []byte, at int) int {
	rest := bytes.TrimLeft(record[at:], " \t\r\n")
	if len(rest) > 0 && rest[0] == ',' {
		return len(record) - len(rest) + 1
	}
	return at
}
