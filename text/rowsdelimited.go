package text

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/sotto-dp/sotto/text/fault"
	"github.com/sotto-dp/sotto/text/internal/splice"
)

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
			_, err := chooseColumns(d.name, d.comma, columns, nil)
			return err
		}
		if _, err := chooseColumns(d.name, d.comma, columns, []string{f}); err != nil {
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
	next, err := d.record(record, 0, 1, func(_ int, s splice.Span) {
		if d.chosen != nil && len(fields) > len(d.chosen) {
			return
		}
		if s.Text == nil {
			s.Text = []byte{}
		}
		fields = append(fields, s.Text)
	})
	if err != nil || next != len(record) || len(record) == 0 {
		return nil
	}
	return fields
}
