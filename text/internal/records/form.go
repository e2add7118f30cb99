package records

import "bytes"

// Form is how the records of a format end: with a line break, unless it says otherwise.
type Form struct {
	Whole bool // an input is one record
	// Separator, if not 0, is that of fields which may be quoted, as in CSV. A line break
	// within quotes, which open only at the beginning of a field, ends no record.
	Separator byte
}

// The usual forms.
var (
	Lines  = Form{}
	Quoted = Form{Separator: ','}
	Whole  = Form{Whole: true}
)

// scanner looks for the ends of records, in parts of the input. Its zero value is at the
// beginning of a record.
type scanner byte

const (
	fieldBegins scanner = iota
	insideField
	insideQuotes
	afterQuote // inside quotes: it closes them, or is the first of two
)

// scan returns the length of the record that continues in data, with its line break, or 0
// if data ends before it.
func (s *scanner) scan(data []byte, form Form) int {
	switch {
	case form.Whole:
		return 0
	case form.Separator == 0:
		return bytes.IndexByte(data, '\n') + 1
	}
	for i, c := range data {
		switch {
		case *s == insideQuotes:
			if c == '"' {
				*s = afterQuote
			}
		case c == '"' && (*s == fieldBegins || *s == afterQuote):
			*s = insideQuotes
		case c == '\n':
			*s = fieldBegins
			return i + 1
		case c == form.Separator:
			*s = fieldBegins
		default:
			*s = insideField
		}
	}
	return 0
}

// Newline ends a line.
var Newline = []byte{'\n'}

// Mark is a byte order mark.
var Mark = []byte("\xef\xbb\xbf")

// CutLine returns where the line that begins at at ends, without its \n or \r\n,
// and where the next begins. A \r at the end of the data is part of a line end too: the
// last line is read like the others where its \n is missing.
func CutLine(data []byte, at int) (end, next int) {
	end, next = len(data), len(data)
	if i := bytes.IndexByte(data[at:], '\n'); i >= 0 {
		end, next = at+i, at+i+1
	}
	if end > at && data[end-1] == '\r' {
		end--
	}
	return end, next
}

// Blank reports whether a line is empty to JSON. Other white space is not: it would be
// copied.
func Blank(line []byte) bool { return len(bytes.Trim(line, " \t\r\n")) == 0 }
