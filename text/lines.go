package text

import (
	"bytes"
	"fmt"

	"github.com/sotto-dp/sotto/text/internal/records"
)

const linesHaveNoFields = "the file is read as lines, and lines have no fields: choose the format jsonl, csv or tsv, or leave the fields out"

// lines holds one text per line.
type lines struct{}

func (lines) form() records.Form { return records.Lines }

func (lines) open(_ func() ([]byte, error), o Options) ([]byte, error) {
	if len(o.Fields) > 0 {
		return nil, &FieldError{What: linesHaveNoFields}
	}
	if o.By != "" {
		return nil, &FieldError{What: fmt.Sprintf("there is no field %q: lines have no fields", o.By)}
	}
	return nil, nil
}

func (lines) find(data []byte, _ int) ([]records.Span, error) {
	spans := make([]records.Span, 0, bytes.Count(data, records.Newline)+1)
	for at := 0; at < len(data); {
		end, next := records.CutLine(data, at)
		spans = append(spans, records.Span{Start: at, End: next, Text: data[at:end], Closes: data[next-1] == '\n'})
		at = next
	}
	return spans, nil
}

func (lines) by([]byte, int) (string, bool, error) { return "", true, nil }

func (lines) Encode(dst, private []byte) []byte { return appendOneLine(dst, private) }

func (lines) keeping() records.Encoder { return keptLines{} }

// keptLines writes a text with the tabs that it has.
type keptLines struct{ lines }

func (keptLines) Encode(dst, private []byte) []byte {
	from := len(dst)
	dst = append(dst, private...)
	for i, c := range dst[from:] {
		if c == '\n' { // of an unusual vocabulary
			dst[from+i] = ' '
		}
	}
	return dst
}

// LineEnd returns the same for every line: a \r before it may be part of the text.
func (lines) LineEnd() string { return "\n" }

// begin accepts no fields but the nameless one.
func (lines) begin(_ func() ([]byte, error), fields []string) error {
	if len(fields) != 1 || fields[0] != "" {
		return &FieldError{What: linesHaveNoFields}
	}
	return nil
}

func (lines) blank([]byte) bool { return false }

func (lines) values(record []byte) Row {
	record = bytes.TrimPrefix(record, records.Mark)
	end, _ := records.CutLine(record, 0)
	return Row{record[:end:end]}
}

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

// file holds one text: the whole input. An empty input holds the empty text, because that
// a text is empty is private too.
type file struct{ lines }

func (file) form() records.Form { return records.Whole }

// find returns the text without the line end of the input, which every output has.
func (file) find(data []byte, _ int) ([]records.Span, error) {
	text := data
	if n := len(text); n > 0 && text[n-1] == '\n' {
		text = text[:n-1]
	}
	return []records.Span{{Start: 0, End: len(data), Text: text, Closes: true}}, nil
}

func (file) keeping() records.Encoder { return keptFile{} }

// keptFile writes a text with the lines that it has.
type keptFile struct{ file }

func (keptFile) Encode(dst, private []byte) []byte { return append(dst, private...) }

// begin accepts no fields but the nameless one.
func (file) begin(_ func() ([]byte, error), fields []string) error {
	if len(fields) != 1 || fields[0] != "" {
		return &FieldError{What: "each file is one text, and has no fields: choose the format jsonl, csv or tsv, or leave the fields out"}
	}
	return nil
}

func (file) values(record []byte) Row {
	record = bytes.TrimPrefix(record, records.Mark)
	record = bytes.TrimSuffix(record, records.Newline)
	return Row{record[:len(record):len(record)]}
}
