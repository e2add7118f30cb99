package text

import (
	"bufio"
	"bytes"
	"io"

	"github.com/sotto-dp/sotto/text/fault"
	"github.com/sotto-dp/sotto/text/internal/records"
)

// JSON is a file that is one array of records, or JSON documents that follow each other under the
// name of one: the first character that is no white space decides. It is read as JSON lines, with
// a line for each element or document. An array is written as one, documents as JSON lines.
var JSON = &Format{
	Name: "json", Extensions: []string{".json"}, Header: true,
	Open: func(in io.Reader, o Options) (Reader, error) {
		in, apart := elements(in)
		s, err := openStream(in, new(jsonLines), o)
		if err != nil {
			return s, err
		}
		s.apart = apart
		if _, ok := in.(*arrayReader); ok {
			return &arrayFile{stream: s}, nil
		}
		return s, nil
	},
	Cut: func(io.Reader, Options) (Parts, error) {
		return nil, &FieldError{What: "a JSON array cannot be cut into parts: write a record per line (jsonl), as jq -c '.[]' does"}
	},
	Rows: func(in io.Reader, fields []string) (Rows, error) {
		in, _ = elements(in)
		return openRows(in, new(jsonRows), fields)
	},
}

// arrayFile is a stream whose output is an array.
type arrayFile struct {
	*stream
	to *arrayWriter
}

func (f *arrayFile) Begin(w io.Writer) error {
	f.to = &arrayWriter{w: w}
	return f.stream.Begin(f.to)
}

func (f *arrayFile) End() error { return f.to.end() }

// elements returns an input as JSON lines. apart reports, once the first of them is read, whether
// they are others than its own: then only their numbers have a meaning.
func elements(in io.Reader) (lines io.Reader, apart func() bool) {
	as := func(apart bool) func() bool { return func() bool { return apart } }
	b := bufio.NewReaderSize(in, records.AtOnce)
	if mark, err := b.Peek(len(records.Mark)); err == nil && bytes.Equal(mark, records.Mark) {
		_, _ = b.Discard(len(mark)) // jsonl drops it too
	}
	for n := 1; ; n++ {
		head, err := b.Peek(n)
		switch {
		case err != nil: // the reader meets it again
			return b, as(false)
		case head[n-1] == '[':
			return &arrayReader{in: b, line: 1}, as(true)
		case head[n-1] == '{':
			r := &documentReader{in: b, line: 1}
			return r, func() bool { return r.joins }
		case !records.Blank(head[n-1:]):
			return b, as(false)
		}
	}
}

// arrayReader reads an array as lines, one for each element. What a line holds is checked
// where it is read. A quote or bracket that nothing closes leaves no certain end of a record:
// it is an error, as in CSV.
type arrayReader struct {
	in      *bufio.Reader
	line    int    // of the input
	depth   int    // of brackets
	quoted  bool   // inside a string
	escaped bool   // after a backslash in it
	begun   bool   // the element has a character
	comma   bool   // there is an element before it
	ended   bool   // the array is closed
	ready   []byte // lines that were not yet returned
	err     error
}

func (r *arrayReader) Read(p []byte) (int, error) {
	for len(r.ready) == 0 && r.err == nil {
		r.err = r.more()
	}
	if len(r.ready) == 0 {
		return 0, r.err
	}
	n := copy(p, r.ready)
	r.ready = r.ready[n:]
	return n, nil
}

// more reads what the input has, as lines.
func (r *arrayReader) more() error {
	if _, err := r.in.Peek(1); err == io.EOF && !r.ended {
		return &InputError{Kind: fault.JSON, Line: r.line, What: "the JSON array does not end: a bracket or a quote is not closed"}
	} else if err != nil {
		return err
	}
	data, _ := r.in.Peek(r.in.Buffered())
	r.ready = make([]byte, 0, len(data)+len(data)/8)
	for _, c := range data {
		if err := r.next(c); err != nil {
			return err
		}
		if c == '\n' {
			r.line++
		}
	}
	_, err := r.in.Discard(len(data))
	return err
}

// notJSON makes a line what no JSON document is.
const notJSON = '\x01'

func (r *arrayReader) next(c byte) error {
	switch {
	case r.quoted:
		switch {
		case c == '\n':
			c = notJSON
		case r.escaped:
			r.escaped = false
		case c == '\\':
			r.escaped = true
		case c == '"':
			r.quoted = false
		}
	case records.Blank([]byte{c}):
		if c = ' '; r.depth < 2 {
			return nil
		}
	case r.ended:
		return &InputError{Kind: fault.JSON, Line: r.line, What: "something follows the JSON array"}
	case c == ',' && r.depth == 1:
		if !r.begun {
			r.ready = append(r.ready, notJSON)
		}
		r.begun, r.comma, c = false, true, '\n'
		r.ready = append(r.ready, c)
		return nil
	case c == '[' || c == '{':
		if r.depth++; r.depth == 1 {
			return nil
		}
	case c == ']' || c == '}':
		if r.depth--; r.depth == 0 {
			if c != ']' {
				return &InputError{Kind: fault.JSON, Line: r.line, What: "the JSON array ends with a brace"}
			}
			r.close()
			return nil
		}
	case c == '"':
		r.quoted = true
	}
	r.begun = true
	r.ready = append(r.ready, c)
	return nil
}

// close ends the array. Between a comma and its end is an element that is no document, as between
// two commas.
func (r *arrayReader) close() {
	switch {
	case r.begun:
		r.ready = append(r.ready, '\n')
	case r.comma:
		r.ready = append(r.ready, notJSON, '\n')
	}
	r.begun, r.ended = false, true
}

// arrayWriter writes JSON lines as an array.
type arrayWriter struct {
	w      io.Writer
	begun  bool // there is an element
	inside bool // of a line
}

func (a *arrayWriter) Write(p []byte) (int, error) {
	for rest := p; len(rest) > 0; {
		line, after, ends := bytes.Cut(rest, records.Newline)
		if !a.inside && len(line) > 0 {
			if err := a.separate(); err != nil {
				return 0, err
			}
		}
		if _, err := a.w.Write(line); err != nil {
			return 0, err
		}
		a.inside = (a.inside || len(line) > 0) && !ends
		rest = after
	}
	return len(p), nil
}

func (a *arrayWriter) separate() error {
	separator := ",\n"
	if !a.begun {
		separator, a.begun = "[\n", true
	}
	_, err := io.WriteString(a.w, separator)
	return err
}

func (a *arrayWriter) end() error {
	last := "\n]\n"
	if !a.begun {
		last = "[]\n"
	}
	_, err := io.WriteString(a.w, last)
	return err
}
