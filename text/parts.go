package text

import (
	"bytes"
	"errors"
	"io"
)

// PartRecords is the number of records in a part. Parts are cut by number of records and
// not by size, because that number must not depend on the contents of records.
const PartRecords = 1024

// Parts cuts an input into parts, for several processes.
type Parts interface {
	// Next returns the next part, and io.EOF after the last one.
	Next() (Part, error)
}

// Part is a run of PartRecords whole records of a stream, or the remaining records at its
// end. Header and Data together are a stream of the same format. For a format that Seeks, a
// part holds no data: Options.Part selects it by Number+1.
type Part struct {
	Number int // from 0
	Line   int // of the input, where Data begins
	Header []byte
	Data   []byte
}

// parts cuts a stream. A line is a record, except in CSV, where a quoted field may
// hold line breaks. It does not parse records: a malformed one is found when its
// part is read. A byte order mark is dropped.
type parts struct {
	stream *stream
	number int
	line   int    // of the next part
	data   []byte // read, and not yet in a part
	end    error  // of the input, once data is all that is left
}

func (p *parts) Next() (Part, error) {
	part := Part{Number: p.number, Line: p.line, Header: p.stream.header}
	records := 0
	for {
		at := 0
		for ; records < PartRecords && at < len(p.data); records++ {
			at += p.stream.layout.next(p.data[at:])
		}
		part.Data = append(part.Data, p.data[:at]...)
		p.line += bytes.Count(p.data[:at], newline)
		p.data = p.data[at:]
		if records == PartRecords {
			break
		}
		if p.end != nil {
			if records == 0 && p.number > 0 {
				return Part{}, io.EOF
			}
			break
		}
		var err error
		if p.data, _, err = p.stream.in.next(); err != nil {
			if !errors.Is(err, io.EOF) {
				return Part{}, err
			}
			p.end = err
		}
	}
	p.number++
	return part, nil
}
