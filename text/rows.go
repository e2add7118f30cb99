package text

import (
	"bytes"
	"io"

	"github.com/sotto-dp/sotto/text/fault"
	"github.com/sotto-dp/sotto/text/internal/jsonfield"
	"github.com/sotto-dp/sotto/text/internal/records"
)

// rowReader reads the rows of a stream.
type rowReader struct {
	in     *records.Reader
	layout rowLayout
	fields int
	number int // of the next row
}

// openRows begins to read a stream. fields[0] is the field of the texts, empty for a
// format without fields.
func openRows(in io.Reader, layout rowLayout, fields []string) (Rows, error) {
	r := &rowReader{in: records.NewReader(in, records.Options{Form: layout.form()}), layout: layout, fields: len(fields)}
	return r, layout.begin(r.header, fields)
}

// header removes the first record, and the byte order mark before it. Formats without
// a header read a mark as part of its record, so that it does not matter which is first.
func (r *rowReader) header() ([]byte, error) {
	r.in.Mark()
	return r.in.Header()
}

func (r *rowReader) Next() (RowBatch, error) {
	read, err := r.in.Next()
	if err == io.EOF && r.number == 0 && r.layout.form().Whole && len(read.Data) == 0 {
		read.Data, read.Ends = records.Newline, []int{1} // of an empty file
	}
	if err != nil && (err != io.EOF || len(read.Data) == 0) {
		return nil, err
	}
	b := &rowBatch{from: r, first: r.number}
	at := 0
	for i, end := range read.Ends {
		record := read.Data[at:end:end]
		at = end
		switch {
		case read.Cut && i == len(read.Ends)-1:
			b.records = append(b.records, nil)
		case !r.layout.blank(record):
			b.records = append(b.records, record)
		}
	}
	r.number += len(b.records)
	return b, nil
}

// rowBatch is a run of records of a stream.
type rowBatch struct {
	from    *rowReader
	first   int
	records [][]byte // nil for one that is too long
}

func (b *rowBatch) First() int { return b.first }

func (b *rowBatch) Rows() []Row {
	rows := make([]Row, len(b.records))
	for i, record := range b.records {
		if record != nil {
			rows[i] = b.from.layout.values(record)
		}
		if rows[i] == nil {
			rows[i] = make(Row, b.from.fields)
		}
	}
	return rows
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
			_, err := chooseColumns(d.name, d.comma, columns, nil)
			return err
		}
		at, err := columnOf(d.name, d.comma, columns, f)
		if err != nil {
			return err
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
	next, err := d.record(record, 0, 1, func(_ int, s records.Span) {
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

// jsonRows are the rows of JSON lines.
type jsonRows struct{ jsonfield.Fields }

func (*jsonRows) form() records.Form { return records.Lines }

func (j *jsonRows) begin(_ func() ([]byte, error), fields []string) error {
	for i, f := range fields {
		if i == 0 && f == "" {
			return (&jsonLines{}).missing()
		}
		p, err := jsonfield.Parse(f)
		if err != nil {
			return err
		}
		j.Paths = append(j.Paths, p)
	}
	return nil
}

func (j *jsonRows) blank(record []byte) bool {
	return records.Blank(bytes.TrimPrefix(record, records.Mark))
}

func (j *jsonRows) values(record []byte) Row {
	record = bytes.TrimPrefix(record, records.Mark)
	end, _ := records.CutLine(record, 0)
	return j.Values(record[:end])
}
