package text

import "fmt"

// span is a text: its place in the batch and its content. The place of one that
// closes its record includes the line end, which is replaced too.
type span struct {
	start, end int
	text       []byte
	closes     bool
	unread     *surround // not nil where the text is not one of the format: see Options.Total
}

// contents returns the texts of spans as they are read.
func contents(spans []span, invalid Invalid) [][]byte {
	texts := make([][]byte, len(spans))
	for i, s := range spans {
		texts[i] = invalid.Read(s.text)
	}
	return texts
}

// splice replaces texts by their private copies.
func splice(data []byte, spans []span, private [][]byte, e encoder) ([]byte, error) {
	if len(private) != len(spans) {
		return nil, fmt.Errorf("text: %d private texts for %d", len(private), len(spans))
	}
	size := len(data) + 4*len(spans) // with quotes and line ends
	for i, s := range spans {
		size += len(private[i]) - (s.end - s.start)
	}
	out := make([]byte, 0, size+size/16) // and some escapes
	at := 0
	for i, s := range spans {
		out = append(out, data[at:s.start]...)
		if s.unread != nil {
			out = append(out, s.unread.before...)
		}
		out = e.encode(out, private[i])
		if s.unread != nil {
			out = append(out, s.unread.after...)
		}
		if s.closes {
			out = append(out, e.lineEnd()...)
		}
		at = s.end
	}
	return append(out, data[at:]...), nil
}
