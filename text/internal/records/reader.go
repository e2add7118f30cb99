// Package records cuts an input into batches of whole records, for every reader of a format
// that is read as a stream, and puts private texts in the places of their texts.
package records

import (
	"bytes"
	"io"

	"github.com/sotto-dp/sotto/text/fault"
)

// Most bounds one record (a line, or a CSV record with its line breaks), in bytes.
const Most = 256 << 20

// AtOnce is about how much input one batch holds, in bytes.
const AtOnce = 256 << 10

// MostHeader bounds the first record of a file with a header, in bytes.
const MostHeader = 1 << 20

// longBatch is the length of a batch, far above that of usual ones, whose memory is not
// shared with the next ones.
const longBatch = 4 * AtOnce

// Options choose how an input is cut.
type Options struct {
	Form Form
	// Number, if not 0, is the number of records of a batch, of any size.
	Number int
	// Prompt also ends a batch where the input pauses.
	Prompt bool
}

// Batch is a run of whole records.
type Batch struct {
	Data []byte
	Line int   // of the input, from 1, where Data begins
	Ends []int // of each record in Data
	// Cut says that the last record is longer than the most that is read. Data has its
	// beginning, and a line break that ends it.
	Cut bool
}

// Reader cuts an input. It is for one goroutine.
type Reader struct {
	in   io.Reader
	o    Options
	most int
	// buf[from:] was read and not yet returned.
	buf     []byte
	from    int
	ends    []int // of the whole records of buf[from:]
	scanned int   // of buf[from:]
	scanner scanner
	line    int
	err     error
	paused  bool // the last read had less than was asked for
	skips   bool // the rest of a record that was cut
}

// NewReader begins to cut an input.
func NewReader(in io.Reader, o Options) *Reader {
	return &Reader{in: in, o: o, most: Most, line: 1}
}

// Bound takes the place of Most in tests.
func (r *Reader) Bound(most int) { r.most = most }

// Next returns the next records. The last come with io.EOF, and there may be none; with
// another error there are none, as the last would be incomplete.
func (r *Reader) Next() (Batch, error) {
	r.skip()
	for want := AtOnce; r.err == nil; {
		n, size := len(r.ends), len(r.buf)-r.from
		switch {
		case r.o.Number > 0 && n >= r.o.Number:
			return r.take(r.o.Number), nil
		case n > 0 && (r.o.Prompt && r.paused || r.o.Number == 0 && size >= want):
			return r.take(n), nil
		case size-r.whole() >= r.most:
			r.ends, r.skips = append(r.ends, size), true
			b := r.take(n + 1)
			b.Data, b.Cut = append(b.Data, '\n'), true
			b.Ends[n]++
			return b, nil
		case size >= want:
			want *= 2
		default:
			r.fill(want)
		}
	}
	if r.err != io.EOF {
		return Batch{}, r.err
	}
	if size := len(r.buf) - r.from; r.whole() < size {
		r.ends, r.scanned = append(r.ends, size), size
	}
	if n := len(r.ends); r.o.Number == 0 || n <= r.o.Number {
		return r.take(n), io.EOF
	}
	return r.take(r.o.Number), nil
}

// whole returns the length of the whole records that were read.
func (r *Reader) whole() int {
	if len(r.ends) == 0 {
		return 0
	}
	return r.ends[len(r.ends)-1]
}

// skip drops the rest of a record that was cut.
func (r *Reader) skip() {
	for r.skips && r.err == nil {
		r.fill(AtOnce)
		end := len(r.buf) - r.from
		if len(r.ends) > 0 {
			end, r.skips = r.ends[0], false
			r.ends = r.ends[1:]
		}
		r.drop(end)
	}
}

// fill reads once, finds the ends of records in what was read, and notes whether the input
// had less than was asked for.
func (r *Reader) fill(want int) {
	// A batch keeps its part of the buffer, so what is left moves to a new one.
	if len(r.buf)-r.from+4096 > cap(r.buf)-r.from || cap(r.buf) == 0 {
		grown := make([]byte, len(r.buf)-r.from, max(want, len(r.buf)-r.from)+64<<10)
		copy(grown, r.buf[r.from:])
		r.buf, r.from = grown, 0
	}
	free := r.buf[len(r.buf):cap(r.buf)]
	var n int
	n, r.err = r.in.Read(free)
	r.buf = r.buf[:len(r.buf)+n]
	r.paused = n < len(free)
	r.scan()
}

func (r *Reader) scan() {
	for rest := r.buf[r.from:]; r.scanned < len(rest); {
		n := r.scanner.scan(rest[r.scanned:], r.o.Form)
		if n == 0 {
			r.scanned = len(rest)
			return
		}
		r.scanned += n
		r.ends = append(r.ends, r.scanned)
	}
}

// take returns the first n of the records that were read.
func (r *Reader) take(n int) Batch {
	if n == 0 {
		return Batch{Line: r.line}
	}
	size := r.ends[n-1]
	b := Batch{Data: r.buf[r.from : r.from+size : r.from+size], Line: r.line, Ends: r.ends[:n:n]}
	r.ends = r.ends[n:]
	r.drop(size)
	if size > longBatch {
		// With as much room after it as before: batches end where they would otherwise.
		rest := r.buf[r.from:]
		r.buf, r.from = append(make([]byte, 0, cap(rest)), rest...), 0
	}
	return b
}

// drop drops the first bytes of what was read. The ends are those of what is left.
func (r *Reader) drop(n int) {
	r.line += bytes.Count(r.buf[r.from:r.from+n], Newline)
	r.from += n
	r.scanned -= n
	left := make([]int, len(r.ends))
	for i, end := range r.ends {
		left[i] = end - n
	}
	r.ends = left
}

// Mark removes a byte order mark from the beginning of the input, and returns it. It reads
// no more than necessary.
func (r *Reader) Mark() []byte {
	for r.err == nil && len(r.buf) < len(Mark) && bytes.HasPrefix(Mark, r.buf) {
		r.fill(AtOnce)
	}
	if !bytes.HasPrefix(r.buf, Mark) {
		return nil
	}
	mark := r.buf[:len(Mark):len(Mark)]
	r.drop(len(Mark))
	// A quote may begin the record only now.
	r.ends, r.scanned, r.scanner = nil, 0, fieldBegins
	r.scan()
	return mark
}

// Line returns the line where the next batch begins.
func (r *Reader) Line() int { return r.line }

// Header removes the first record from the input, with its line end.
func (r *Reader) Header() ([]byte, error) {
	for r.err == nil && len(r.ends) == 0 && len(r.buf)-r.from <= MostHeader {
		r.fill(AtOnce)
	}
	switch {
	case r.err != nil && r.err != io.EOF && len(r.ends) == 0:
		return nil, r.err
	case len(r.ends) == 0 && len(r.buf)-r.from <= MostHeader:
		r.ends, r.scanned = append(r.ends, len(r.buf)-r.from), len(r.buf)-r.from
	case len(r.ends) == 0 || r.ends[0] > MostHeader:
		return nil, &fault.InputError{Kind: fault.Length, Line: 1, What: "the header is longer than 1 MiB"}
	}
	header := r.take(1).Data
	// Where carriage returns are the line ends of a file, all of it is one line, and would be
	// copied as the header.
	line := bytes.TrimSuffix(bytes.TrimSuffix(header, Newline), []byte{'\r'})
	if bytes.HasPrefix(line, []byte("\xff\xfe")) || bytes.HasPrefix(line, []byte("\xfe\xff")) {
		return nil, &fault.InputError{Kind: fault.Header, Line: 1, What: "byte 1 is not UTF-8; this looks like UTF-16: convert it to UTF-8"}
	}
	if bytes.Contains(bytes.ReplaceAll(line, []byte("\r\n"), nil), []byte{'\r'}) || len(line) < len(header) && header[len(header)-1] == '\r' {
		return nil, &fault.InputError{Kind: fault.Header, Line: 1, What: "the header has a carriage return that is no line end: lines must end in \\n or \\r\\n"}
	}
	return header, nil
}
