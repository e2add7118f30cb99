package text

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// Format is how a file holds its texts.
type Format string

// The formats. Text is one document of many lines; Lines holds one a line.
// Parquet is no stream: package text/parquet reads it.
const (
	Lines Format = "lines"
	Text  Format = "text"
	JSONL Format = "jsonl"
	CSV   Format = "csv"
	TSV   Format = "tsv"

	Parquet Format = "parquet"
)

// Formats lists them.
func Formats() []string {
	return []string{string(Lines), string(Text), string(JSONL), string(CSV), string(TSV), string(Parquet)}
}

// FormatOf returns the format that a file's name tells, Lines where it tells
// none. An extension of a compression is looked past.
func FormatOf(name string) Format {
	switch strings.ToLower(filepath.Ext(strings.TrimSuffix(strings.TrimSuffix(name, ".gz"), ".zst"))) {
	case ".jsonl", ".ndjson":
		return JSONL
	case ".csv":
		return CSV
	case ".tsv":
		return TSV
	case ".parquet":
		return Parquet
	}
	return Lines
}

// layout is how one format is read and written.
type layout interface {
	// ends is the length of the whole records that data begins with.
	ends(data []byte) int
	// open reads the header, if there is one, settles the fields, and returns
	// what is to be written first.
	open(in *records, fields []string) ([]byte, error)
	// find returns the texts of whole records, in order. Batches begin on line.
	find(data []byte, line int) ([]span, error)
	// next returns the length of the record that data, whole records, begins with.
	next(data []byte) int
	encoder
}

func newLayout(f Format) (layout, error) {
	switch f {
	case Lines, Text, "":
		return lines{}, nil
	case JSONL:
		return new(jsonLines), nil
	case CSV:
		return &delimited{comma: ',', quotes: true}, nil
	case TSV:
		return &delimited{comma: '\t'}, nil
	case Parquet:
		return nil, &FieldError{"parquet is read by columns, not as a stream of records"}
	}
	return nil, fmt.Errorf("format %q is unknown, must be one of %s", string(f), strings.Join(Formats(), ", "))
}

// FieldError is a choice of fields that a format or a header does not allow. It
// repeats what was asked for and nothing of the input: the first line of a file
// without a header is a text.
type FieldError struct{ What string }

func (e *FieldError) Error() string { return e.What }

// lines holds one text a line.
type lines struct{}

func (lines) ends(data []byte) int { return wholeLines(data) }

func (lines) open(_ *records, fields []string) ([]byte, error) {
	if len(fields) > 0 {
		return nil, &FieldError{"lines have no fields: choose --format jsonl, csv or tsv, or leave out --field"}
	}
	return nil, nil
}

func (lines) find(data []byte, _ int) ([]span, error) {
	spans := make([]span, 0, bytes.Count(data, newline)+1)
	for at := 0; at < len(data); {
		end, next := cutLine(data, at)
		spans = append(spans, span{at, next, data[at:end], end < next})
		at = next
	}
	return spans, nil
}

func (lines) next(data []byte) int { return nextLine(data) }

func (lines) encode(dst, private []byte) []byte { return appendOneLine(dst, private) }

// lineEnd is the same for every line: a \r before it may be part of the text.
func (lines) lineEnd() string { return "\n" }

// appendOneLine appends a text without tabs and line breaks, which an entry of an
// unusual vocabulary could hold.
func appendOneLine(dst, private []byte) []byte {
	for _, c := range private {
		if c == '\t' || c == '\n' || c == '\r' {
			c = ' '
		}
		dst = append(dst, c)
	}
	return dst
}

// nextLine returns the length of the line that data begins with.
func nextLine(data []byte) int {
	if i := bytes.IndexByte(data, '\n'); i >= 0 {
		return i + 1
	}
	return len(data)
}

// cutLine returns where the line that begins at at ends, without its \n or \r\n,
// and where the next begins.
func cutLine(data []byte, at int) (end, next int) {
	i := bytes.IndexByte(data[at:], '\n')
	if i < 0 {
		return len(data), len(data)
	}
	end, next = at+i, at+i+1
	if end > at && data[end-1] == '\r' {
		end--
	}
	return end, next
}

// chooseColumns finds the asked columns in a header.
func chooseColumns(format string, header, fields []string) ([]bool, error) {
	if len(fields) == 0 {
		return nil, &FieldError{fmt.Sprintf("%s needs --field, the name of a column (columns in the header: %d)", format, len(header))}
	}
	chosen := make([]bool, len(header))
	for _, f := range fields {
		if !slices.Contains(header, f) {
			return nil, NoColumn(f, "the header (columns: %d)", header)
		}
		for i, h := range header { // a name that stands twice means both
			chosen[i] = chosen[i] || h == f
		}
	}
	return chosen, nil
}

// NoColumn returns the error for a field that is none of the columns. It gives
// the number of columns, and the position of one that differs only in case or space.
func NoColumn(field, where string, columns []string) *FieldError {
	what := fmt.Sprintf("there is no column %q in %s", field, fmt.Sprintf(where, len(columns)))
	for i, c := range columns {
		if strings.EqualFold(strings.TrimSpace(c), strings.TrimSpace(field)) {
			what += fmt.Sprintf("; number %d differs only in case or space", i+1)
			break
		}
	}
	return &FieldError{what}
}
