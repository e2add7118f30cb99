package text

import (
	"bytes"
	"fmt"
)

const linesHaveNoFields = "the file is read as lines, and lines have no fields: choose the format jsonl, csv or tsv, or leave the fields out"

// lines holds one text per line.
type lines struct{}

func (lines) ends(data []byte) int { return wholeLines(data) }

func (lines) open(_ *records, o Options) ([]byte, error) {
	if len(o.Fields) > 0 {
		return nil, &FieldError{What: linesHaveNoFields}
	}
	if o.By != "" {
		return nil, &FieldError{What: fmt.Sprintf("there is no field %q: lines have no fields", o.By)}
	}
	return nil, nil
}

func (lines) find(data []byte, _ int) ([]span, error) {
	spans := make([]span, 0, bytes.Count(data, newline)+1)
	for at := 0; at < len(data); {
		end, next := cutLine(data, at)
		spans = append(spans, span{start: at, end: next, text: data[at:end], closes: data[next-1] == '\n'})
		at = next
	}
	return spans, nil
}

func (lines) next(data []byte) int { return nextLine(data) }

func (lines) by(data []byte, at, _ int) (int, string, bool, error) {
	return at + nextLine(data[at:]), "", true, nil
}

func (lines) encode(dst, private []byte) []byte { return appendOneLine(dst, private) }

// lineEnd returns the same for every line: a \r before it may be part of the text.
func (lines) lineEnd() string { return "\n" }

// appendOneLine appends a text without tabs and line breaks, which an entry of an
// unusual vocabulary could hold.
func appendOneLine(dst, private []byte) []byte {
	from := len(dst)
	dst = append(dst, private...)
	for _, c := range []byte("\t\n\r") {
		for text := dst[from:]; ; {
			at := bytes.IndexByte(text, c)
			if at < 0 {
				break
			}
			text[at] = ' '
			text = text[at+1:]
		}
	}
	return dst
}

var newline = []byte{'\n'}

// wholeLines returns the length of the complete lines that data begins with.
func wholeLines(data []byte) int { return bytes.LastIndexByte(data, '\n') + 1 }

// nextLine returns the length of the line that data begins with.
func nextLine(data []byte) int {
	if i := bytes.IndexByte(data, '\n'); i >= 0 {
		return i + 1
	}
	return len(data)
}

// cutLine returns where the line that begins at at ends, without its \n or \r\n,
// and where the next begins. A \r at the end of the data is part of a line end too: the
// last line is read like the others where its \n is missing.
func cutLine(data []byte, at int) (end, next int) {
	end, next = len(data), len(data)
	if i := bytes.IndexByte(data[at:], '\n'); i >= 0 {
		end, next = at+i, at+i+1
	}
	if end > at && data[end-1] == '\r' {
		end--
	}
	return end, next
}

// index returns where a byte is in data, and the length of data if it is not there.
func index(data []byte, b byte) int {
	if i := bytes.IndexByte(data, b); i >= 0 {
		return i
	}
	return len(data)
}
