package text

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/sotto-dp/sotto/text/fault"
)

// quoteState is the position of a scan within a record. The zero value is the beginning.
type quoteState byte

const (
	fieldBegins quoteState = iota
	insideField
	insideQuotes
	afterQuote // inside quotes: it closes them, or is the first of two
)

// scan returns the length of the record that continues in data, with its line break, or 0
// if data ends before it. Quotes open only at the beginning of a field.
func (s *quoteState) scan(data []byte, quotes bool) int {
	if !quotes {
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

// begin accepts no fields but the nameless one.
func (lines) begin(_ func() ([]byte, error), fields []string) error {
	if len(fields) != 1 || fields[0] != "" {
		return &FieldError{What: linesHaveNoFields}
	}
	return nil
}

func (lines) blank([]byte) bool { return false }

func (lines) values(record []byte) Row {
	record = bytes.TrimPrefix(record, byteOrderMark)
	end, _ := cutLine(record, 0)
	return Row{record[:end:end]}
}

// delimitedRows are the rows of CSV and TSV.
type delimitedRows struct {
	delimited
	places []int // column of each field
}

func (d *delimitedRows) begin(header func() ([]byte, error), fields []string) error {
	record, err := header()
	if err != nil {
		return err
	}
	names := d.split(record)
	if len(names) == 0 {
		return &InputError{Kind: fault.Header, Line: 1, What: "the file is empty or its header is malformed"}
	}
	d.chosen = make([]bool, len(names))
	columns := make([]string, len(names))
	for i, n := range names {
		columns[i] = string(n)
	}
	for _, f := range fields {
		if f == "" {
			_, err := chooseColumns(d.name, columns, nil)
			return err
		}
		if _, err := chooseColumns(d.name, columns, []string{f}); err != nil {
			return err
		}
		at := slices.Index(columns, f)
		if slices.Contains(columns[at+1:], f) {
			return &FieldError{What: fmt.Sprintf("the header has the column %q twice", f)}
		}
		d.places = append(d.places, at)
	}
	return nil
}

func (d *delimitedRows) blank(record []byte) bool {
	return len(d.chosen) > 1 && len(bytes.TrimRight(record, "\r\n")) == 0
}

func (d *delimitedRows) values(record []byte) Row {
	columns := d.split(record)
	if len(columns) != len(d.chosen) {
		return nil
	}
	row := make(Row, len(d.places))
	for i, at := range d.places {
		row[i] = columns[at]
	}
	return row
}

// split returns the fields of a record; nil for a malformed one. Of a record with more
// columns than the header it keeps one more than there should be.
func (d *delimitedRows) split(record []byte) (fields [][]byte) {
	next, err := d.record(record, 0, 1, func(_ int, s span) {
		if d.chosen != nil && len(fields) > len(d.chosen) {
			return
		}
		if s.text == nil {
			s.text = []byte{}
		}
		fields = append(fields, s.text)
	})
	if err != nil || next != len(record) || len(record) == 0 {
		return nil
	}
	return fields
}
