package text

import (
	"bufio"
	"io"

	"github.com/sotto-dp/sotto/text/fault"
	"github.com/sotto-dp/sotto/text/internal/records"
)

// documentReader reads JSON documents as lines. If the first line is a whole document, the lines
// are those of the input, whatever they hold. Otherwise documents extend over lines, as with
// indentation, and each becomes one. A quote or bracket that nothing closes then leaves no certain
// end: it is an error, as in an array.
type documentReader struct {
	in      *bufio.Reader
	line    int    // of the input
	begun   int    // the line of the document that has begun; 0 for none
	depth   int    // of brackets
	quoted  bool   // inside a string
	escaped bool   // after a backslash in it
	blank   bool   // after white space that was kept
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
		if r.depth > 0 {
			return &InputError{Kind: fault.JSON, Line: r.begun, What: "the JSON document that begins here does not end: a bracket or a quote is not closed"}
		}
		r.end()
		return nil
	} else if err != nil {
		return err
	}
	data, _ := r.in.Peek(r.in.Buffered())
	r.ready = make([]byte, 0, len(data)+1)
	read := 0
	for ; read < len(data) && !r.lines; read++ {
		r.next(data[read])
	}
	_, err := r.in.Discard(read)
	return err
}

// next reads a character.
func (r *documentReader) next(c byte) {
	if c == '\n' {
		r.line++
	}
	switch {
	case c == '\n' && !r.joins && (r.quoted || r.depth <= 0):
		r.lines = r.begun > 0 // else the line was empty
		r.put(c)
	case r.quoted:
		if c == '\n' {
			c = notJSON
		}
		r.quoted = r.escaped || c != '"'
		r.escaped = !r.escaped && c == '\\'
		r.put(c)
	case records.Blank([]byte{c}):
		r.joins = r.joins || c == '\n'
		r.space(c)
	default:
		r.token(c)
	}
}

// space reads white space outside strings. Of that between documents nothing is kept.
func (r *documentReader) space(c byte) {
	switch {
	case !r.joins:
		r.put(c)
	case r.depth == 0 && r.begun > 0 && c == '\n': // of what is no document
		r.end()
	case r.depth > 0 && !r.blank:
		r.put(' ')
		r.blank = true
	}
}

// token reads a character that is neither white space nor in a string.
func (r *documentReader) token(c byte) {
	if r.begun == 0 {
		r.begun = r.line
	}
	r.put(c)
	switch c {
	case '"':
		r.quoted = true
	case '{', '[':
		r.depth++
	case '}', ']':
		if r.depth--; r.joins && r.depth <= 0 {
			r.end()
		}
	}
}

// end ends a document.
func (r *documentReader) end() {
	r.put('\n')
	r.begun, r.depth, r.quoted, r.escaped = 0, 0, false, false
}

func (r *documentReader) put(c byte) {
	r.ready = append(r.ready, c)
	r.blank = false
}
