package text

import (
	"io"

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
