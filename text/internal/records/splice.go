package records

import (
	"bytes"
	"fmt"
)

// Span is a text: its place in a run of records and its content. The place of one that
// closes its record includes the line end, which is replaced too.
type Span struct {
	Start, End int
	Text       []byte
	Closes     bool
	Unread     *Around // not nil where the text is not one of the format: see text.Options.Total
}

// Around holds the bytes before and after a private text.
type Around struct{ Before, After []byte }

// Begin takes the text of another span. What is joined to it has memory of its own.
func (s *Span) Begin(with Span) {
	s.Text, s.Unread = with.Text[:len(with.Text):len(with.Text)], with.Unread
}

// Join appends the text of another span after a line break.
func (s *Span) Join(more Span) {
	s.Text = append(append(s.Text, '\n'), more.Text...)
	if more.Unread != nil {
		s.Unread = more.Unread
	}
}

// Unreadable returns the texts of a record data[at:next] that is not one of the format:
// each is the whole record. They are written in the pieces of a record that holds
// nothing else.
func Unreadable(data []byte, at, next int, pieces [][]byte) []Span {
	record := bytes.TrimRight(data[at:next], "\r\n")
	spans := make([]Span, len(pieces)-1)
	for i := range spans {
		spans[i] = Span{Start: at, End: at, Text: record, Unread: &Around{Before: pieces[i]}}
	}
	last := &spans[len(spans)-1]
	last.End, last.Closes, last.Unread.After = next, data[next-1] == '\n', pieces[len(spans)]
	return spans
}

// Encoder writes private texts. It never sees the originals: how a private text
// is written depends only on that text and on public data.
type Encoder interface {
	// Encode appends a private text in the format's syntax.
	Encode(dst, private []byte) []byte
	// LineEnd ends a record whose last text is private.
	LineEnd() string
}

// Replace replaces texts by their private copies.
func Replace(data []byte, spans []Span, private [][]byte, e Encoder) ([]byte, error) {
	if len(private) != len(spans) {
		return nil, fmt.Errorf("text: %d private texts for %d", len(private), len(spans))
	}
	size := len(data) + 4*len(spans) // with quotes and line ends
	for i, s := range spans {
		size += len(private[i]) - (s.End - s.Start)
	}
	out := make([]byte, 0, size+size/16) // and some escapes
	at := 0
	for i, s := range spans {
		out = append(out, data[at:s.Start]...)
		if s.Unread != nil {
			out = append(out, s.Unread.Before...)
		}
		out = e.Encode(out, private[i])
		if s.Unread != nil {
			out = append(out, s.Unread.After...)
		}
		if s.Closes {
			out = append(out, e.LineEnd()...)
		}
		at = s.End
	}
	return append(out, data[at:]...), nil
}
