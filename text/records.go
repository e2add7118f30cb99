package text

import (
	"bytes"
	"io"
)

// records cuts an input into batches of whole records.
type records struct {
	r    io.Reader
	ends func(data []byte) int // length of the whole records that data begins with
	// buf[from:] was read and not yet returned.
	buf    []byte
	from   int
	line   int
	err    error
	prompt bool // a batch also ends where the input pauses
}

func newRecords(r io.Reader, ends func([]byte) int, prompt bool) *records {
	return &records{r: r, ends: ends, line: 1, prompt: prompt}
}

// next returns whole records, about batchBytes of them, and the line they begin
// on. The last comes with io.EOF or the error of the input.
func (in *records) next() (data []byte, line int, err error) {
	want := batchBytes
	for in.err == nil {
		for in.err == nil && len(in.buf)-in.from < want {
			n, short := in.fill(want)
			if in.prompt && short && n > 0 && in.ends(in.buf[in.from:]) > 0 {
				break
			}
		}
		if in.err == nil {
			if whole := in.ends(in.buf[in.from:]); whole > 0 {
				data, line = in.take(whole)
				return data, line, nil
			}
			if want *= 2; want > MaxRecord {
				return nil, in.line, &InputError{in.line, "the record is longer than 256 MiB"}
			}
		}
	}
	if in.err != io.EOF {
		return nil, in.line, in.err // a broken input's last records are not whole
	}
	data, line = in.take(len(in.buf) - in.from)
	return data, line, io.EOF
}

// fill reads once; short tells that the input had less than was asked for.
func (in *records) fill(want int) (n int, short bool) {
	// A batch keeps its part of the buffer, so what is left moves to a new one.
	if len(in.buf)-in.from+4096 > cap(in.buf)-in.from || cap(in.buf) == 0 {
		grown := make([]byte, len(in.buf)-in.from, max(want, len(in.buf)-in.from)+64<<10)
		copy(grown, in.buf[in.from:])
		in.buf, in.from = grown, 0
	}
	free := in.buf[len(in.buf):cap(in.buf)]
	n, in.err = in.r.Read(free)
	in.buf = in.buf[:len(in.buf)+n]
	return n, n < len(free)
}

func (in *records) take(n int) ([]byte, int) {
	data, line := in.buf[in.from:in.from+n:in.from+n], in.line
	in.from += n
	in.line += bytes.Count(data, newline)
	return data, line
}

var newline = []byte{'\n'}

// wholeLines is the length of the complete lines that data begins with.
func wholeLines(data []byte) int { return bytes.LastIndexByte(data, '\n') + 1 }

// header takes the first record off the input, with its line end.
func (in *records) header(ends func([]byte) int) ([]byte, error) {
	for {
		rest := in.buf[in.from:]
		for i, c := range rest {
			if c == '\n' && ends(rest[:i+1]) == i+1 {
				data, _ := in.take(i + 1)
				return data, nil
			}
		}
		if in.err != nil {
			if in.err != io.EOF {
				return nil, in.err
			}
			data, _ := in.take(len(rest))
			return data, nil
		}
		if len(rest) > 1<<20 {
			return nil, &InputError{1, "the header is longer than 1 MiB"}
		}
		in.fill(batchBytes)
	}
}
