package text

import (
	"bufio"
	"io"

	"github.com/sotto-dp/sotto/text/fault"
	"github.com/sotto-dp/sotto/text/internal/records"
)

// documentReader reads JSON documents as lines. If the first line is a whole document, the lines
// are those of the input, whatever they hold. Otherwise documents extend over lines, as with
// indentation, and each becomes one. Quotes or brackets that do not match then leave no certain
// limits, and a text would decide how many records there are: it is an error, as in an array.
type documentReader struct {
	in      *bufio.Reader
	line    int    // of the input
	begun   int    // the line of the document that has begun; 0 for none
	depth   int    // of brackets
	quoted  bool   // inside a string
	escaped bool   // after a backslash in it
	blank   bool   // after white space that was kept
	last    byte   // that is no white space
	closed  bool   // a document of the first line has ended
	lines   bool   // the rest is read as it is
	joins   bool   // documents extend over lines
	ready   []byte // what was not yet returned
	err     error
}

func (r *documentReader) Read(p []byte) (int, error) {
	for len(r.ready) == 0 && r.err == nil && !r.lines {
		r.err = r.more()
	}
	switch {
	case len(r.ready) > 0:
		n := copy(p, r.ready)
		r.ready = r.ready[n:]
		return n, nil
	case r.lines:
		return r.in.Read(p)
	}
	return 0, r.err
}

// more reads what the input has. It stops where lines are known to be read as they are.
func (r *documentReader) more() error {
	if _, err := r.in.Peek(1); err == io.EOF && r.joins && r.begun > 0 {
		return &InputError{Kind: fault.JSON, Line: r.begun, What: "the JSON document that begins here does not end: a bracket or a quote is not closed"}
	} else if err != nil {
		return err
	}
	data, _ := r.in.Peek(r.in.Buffered())
	r.ready = make([]byte, 0, len(data)+1)
	read := 0
	for ; read < len(data) && !r.lines; read++ {
		if err := r.next(data[read]); err != nil {
			return err
		}
	}
	_, err := r.in.Discard(read)
	return err
}

// next reads a character.
func (r *documentReader) next(c byte) error {
	blank := records.Blank([]byte{c})
	switch {
	case c == '\n' && !r.joins:
		if err := r.firstLine(); err != nil {
			return err
		}
	case r.quoted:
		if c == '\n' {
			c = notJSON
		}
		r.quoted = r.escaped || c != '"'
		r.escaped = !r.escaped && c == '\\'
		r.put(c)
	case blank:
		r.space(c)
	default:
		if err := r.token(c); err != nil {
			return err
		}
	}
	if c == '\n' {
		r.line++
	}
	if !blank {
		r.last = c
	}
	return nil
}

// firstLine decides at the end of a line whether it is one of lines, or documents extend over
// lines. A record that is broken in a line of its own still ends with a brace.
func (r *documentReader) firstLine() error {
	begins := r.depth > 0 && !r.quoted
	switch {
	case r.begun == 0:
		r.put('\n')
	case begins && !r.closed:
		r.joins = true
		r.space('\n')
	case !begins && r.last == '}':
		r.lines = true
		r.put('\n')
	default:
		return &InputError{Kind: fault.JSON, Line: r.line, What: "this line is no JSON document, and none begins in it alone: brackets or quotes do not match"}
	}
	return nil
}

// space reads white space outside strings. Of that between documents nothing is kept.
func (r *documentReader) space(c byte) {
	switch {
	case !r.joins:
		r.put(c)
	case r.depth > 0 && !r.blank:
		r.put(' ')
		r.blank = true
	}
}

// token reads a character that is neither white space nor in a string.
func (r *documentReader) token(c byte) error {
	if r.begun == 0 {
		r.begun = r.line
	}
	if r.joins && r.depth == 0 && c != '{' {
		return &InputError{Kind: fault.JSON, Line: r.line, What: "something between JSON documents: brackets or quotes do not match"}
	}
	r.put(c)
	switch c {
	case '"':
		r.quoted = true
	case '{', '[':
		r.depth++
	case '}', ']':
		r.depth--
		switch {
		case !r.joins:
			r.closed = r.closed || r.depth <= 0
		case r.depth == 0 && c == ']':
			return &InputError{Kind: fault.JSON, Line: r.line, What: "a JSON document ends with a square bracket: brackets or quotes do not match"}
		case r.depth == 0:
			r.put('\n')
			r.begun = 0
		}
	}
	return nil
}

func (r *documentReader) put(c byte) {
	r.ready = append(r.ready, c)
	r.blank = false
}
