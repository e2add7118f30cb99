package text

import (
	"errors"
	"io"
)

// Part is a stretch of whole records of a stream, about 256 KiB. Header and Data
// together are a stream of the same format.
type Part struct {
	Number int // from 0
	Line   int // of the stream, where Data begins
	Header []byte
	Data   []byte
}

// Parts cuts a stream into parts by its content alone and calls each with them,
// in order. It reads no record: a malformed one is found by who reads its part.
// Fields must be those of the format, as for Copy; a byte order mark is dropped.
func Parts(r io.Reader, format Format, fields []string, each func(Part) error) error {
	layout, err := newLayout(format)
	if err != nil {
		return err
	}
	in := newRecords(r, layout.ends, false)
	in.mark()
	header, err := layout.open(in, fields)
	if err != nil {
		return err
	}
	for number := 0; ; number++ {
		data, line, err := in.next()
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if len(data) > 0 || number == 0 {
			if err := each(Part{number, line, header, data}); err != nil {
				return err
			}
		}
		if err != nil {
			return nil
		}
	}
}
