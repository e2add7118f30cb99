package text

import (
	"bytes"
	"io"
	"slices"

	"github.com/sotto-dp/sotto/text/fault"
)

// Rows reads the values of some fields, record by record, and rewrites nothing. Every
// record becomes a row, whatever it holds. Next fails only if the input cannot be read,
// never because of the contents of a record.
//
// A record is a line, except in CSV, where a line break inside quotes is part of a field,
// and in Parquet, where it is a row. An empty line of csv, tsv or jsonl is not a record.
// The bytes of one record do not change where another record begins.
type Rows interface {
	// Next returns the next batch, and io.EOF after the last one.
	Next() (RowBatch, error)
}

// RowBatch is a run of records. Different batches may be used concurrently; one batch
// is for one goroutine at a time.
type RowBatch interface {
	// First is the number of the first row, from 0, over the whole input.
	First() int
	// Rows returns the rows of the batch.
	Rows() []Row
}

// Row has a value for each requested field. A value is nil if the record has none: the
// field is missing, null, or neither a string, a number nor a boolean, or the record is
// malformed or longer than MaxRow. Several values of one field, from a path into a list,
// are joined by line breaks.
type Row [][]byte

// MaxRow is the largest size of a record, in bytes. A longer record becomes a row without
// values.
const MaxRow = 4 << 20

// rowLayout reads the values of the records of one format.
type rowLayout interface {
	// begin reads the header record, if there is one, and resolves the fields.
	begin(header func() ([]byte, error), fields []string) error
	// blank reports whether what was cut is no record.
	blank(record []byte) bool
	// values returns the values of a record, nil for a malformed one.
	values(record []byte) Row
}

// rowReader cuts a stream into batches of records.
type rowReader struct {
	in      io.Reader
	layout  rowLayout
	quotes  bool
	fields  int
	buf     []byte // read, and not yet in a batch
	scanned int    // of buf
	state   quoteState
	skips   bool // the rest of a record that is too long
	number  int  // of the next row
	err     error
}

// openRows begins to read a stream. fields[0] is the field of the texts, empty for a
// format without fields.
func openRows(in io.Reader, layout rowLayout, quotes bool, fields []string) (Rows, error) {
	r := &rowReader{in: in, layout: layout, quotes: quotes, fields: len(fields)}
	return r, layout.begin(r.header, fields)
}

// rowsOf returns Format.Rows of a stream.
func rowsOf(layout func() rowLayout, quotes bool) func(io.Reader, []string) (Rows, error) {
	return func(in io.Reader, fields []string) (Rows, error) { return openRows(in, layout(), quotes, fields) }
}

// fill reads once.
func (r *rowReader) fill() {
	if cap(r.buf)-len(r.buf) < 4096 {
		r.buf = slices.Grow(r.buf, max(batchBytes, len(r.buf)))
	}
	n, err := r.in.Read(r.buf[len(r.buf):cap(r.buf)])
	r.buf, r.err = r.buf[:len(r.buf)+n], err
}

// header removes the first record, and the byte order mark before it. Formats without
// a header read a mark as part of its record, so that it does not matter which is first.
func (r *rowReader) header() ([]byte, error) {
	for r.err == nil && len(r.buf) < len(byteOrderMark) && bytes.HasPrefix(byteOrderMark, r.buf) {
		r.fill()
	}
	r.buf = bytes.TrimPrefix(r.buf, byteOrderMark)
	for {
		if n := r.state.scan(r.buf[r.scanned:], r.quotes); n > 0 {
			header := r.buf[:r.scanned+n]
			r.buf, r.scanned = r.buf[r.scanned+n:], 0
			return header, nil
		}
		r.scanned = len(r.buf)
		switch {
		case r.scanned > maxHeader:
			return nil, &InputError{Kind: fault.Length, Line: 1, What: "the header is longer than 1 MiB"}
		case r.err == io.EOF:
			header := r.buf
			r.buf, r.scanned = nil, 0
			return header, nil
		case r.err != nil:
			return nil, r.err
		}
		r.fill()
	}
}

func (r *rowReader) Next() (RowBatch, error) {
	b := &rowBatch{from: r, first: r.number}
	from := 0 // of the record that is scanned
	for {
		for r.scanned < len(r.buf) {
			n := r.state.scan(r.buf[r.scanned:], r.quotes)
			if n == 0 {
				r.scanned = len(r.buf)
				break
			}
			r.scanned += n
			b.add(r.buf, from, r.scanned)
			from = r.scanned
			if from >= batchBytes {
				break
			}
		}
		if r.scanned-from > MaxRow && r.scanned == len(r.buf) {
			r.skips = true
			r.buf, r.scanned = r.buf[:from:from], from // the next read has memory of its own
		}
		if from >= batchBytes || r.err != nil {
			break
		}
		r.fill()
	}
	if r.err != nil && r.err != io.EOF {
		return nil, r.err // the last record is incomplete
	}
	if r.err == io.EOF && r.scanned == len(r.buf) && (from < len(r.buf) || r.skips) {
		b.add(r.buf, from, len(r.buf))
		from = len(r.buf)
	}
	b.data = r.buf[:from:from]
	r.buf, r.scanned = append([]byte(nil), r.buf[from:]...), r.scanned-from
	if len(b.spans) == 0 && r.err == io.EOF && len(r.buf) == 0 {
		return nil, io.EOF
	}
	return b, nil
}

// rowBatch is a run of records of a stream.
type rowBatch struct {
	from  *rowReader
	first int
	data  []byte
	spans [][2]int // of the records; both -1 where one is too long
}

// add adds the record data[from:to], unless it is blank or begins too long.
func (b *rowBatch) add(data []byte, from, to int) {
	span := [2]int{from, to}
	switch {
	case b.from.skips || to-from > MaxRow:
		b.from.skips, span = false, [2]int{-1, -1}
	case b.from.layout.blank(data[from:to]):
		return
	}
	b.spans = append(b.spans, span)
	b.from.number++
}

func (b *rowBatch) First() int { return b.first }

func (b *rowBatch) Rows() []Row {
	rows := make([]Row, len(b.spans))
	for i, s := range b.spans {
		if s[0] >= 0 {
			rows[i] = b.from.layout.values(b.data[s[0]:s[1]])
		}
		if rows[i] == nil {
			rows[i] = make(Row, b.from.fields)
		}
	}
	return rows
}
