package text

import (
	"bytes"
	"errors"
	"io"
)

// PartRecords is the number of records in a part. Parts are cut by number, not
// by size: how many records a part holds must not depend on what they say.
const PartRecords = 1024

// Part is a run of PartRecords whole records of a stream, or what is left at its
// end. Header and Data together are a stream of the same format.
type Part struct {
	Number int // from 0
	Line   int // of the stream, where Data begins
	Header []byte
	Data   []byte
}

// Parts cuts a stream into parts and calls each with them, in order. A line is a
// record, except in CSV, where a quoted field may hold line breaks. Parts reads
// no record: a malformed one is found by who reads its part. Fields must be those
// of the format, as for Copy. A byte order mark is dropped. invalid is for the
// header.
func Parts(r io.Reader, format Format, fields []string, invalid Invalid, each func(Part) error) error {
	layout, err := newLayout(format)
	if err != nil {
		return err
	}
	in := newRecords(r, layout.ends, false, invalid)
	in.mark()
	header, err := layout.open(in, fields)
	if err != nil {
		return err
	}
	part := Part{Line: in.line, Header: header}
	records := 0
	emit := func(line int) error {
		if err := each(part); err != nil {
			return err
		}
		part = Part{Number: part.Number + 1, Line: line, Header: header}
		records = 0
		return nil
	}
	for {
		data, line, err := in.next()
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		for len(data) > 0 {
			at := 0
			for ; records < PartRecords && at < len(data); records++ {
				at += layout.next(data[at:])
			}
			part.Data = append(part.Data, data[:at]...)
			line += bytes.Count(data[:at], newline)
			data = data[at:]
			if records == PartRecords {
				if err := emit(line); err != nil {
					return err
				}
			}
		}
		if err != nil {
			if records > 0 || part.Number == 0 {
				return emit(line)
			}
			return nil
		}
	}
}
