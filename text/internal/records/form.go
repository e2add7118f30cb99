package records

import "bytes"

// Form is how the records of a format end.
type Form int

// Lines end with a line break; so do Quoted records, those of CSV, but not within quotes,
// which open only at the beginning of a field. Whole is an input that is one record.
const (
	Lines Form = iota
	Quoted
	Whole
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
	switch form {
	case Whole:
		return 0
	case Lines:
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
		case c == ',':
			*s = fieldBegins
		default:
			*s = insideField
		}
	}
	return 0
}
