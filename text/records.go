package text

import (
	"bytes"
	"io"
	"runtime/debug"

	"github.com/sotto-dp/sotto/text/fault"
)

// records cuts an input into batches of whole records.
type records struct {
	r    io.Reader
	ends func(data []byte) int // length of the whole records that data begins with
	// buf[from:] was read and not yet returned.
	buf     []byte
	from    int
	line    int
	err     error
	invalid Invalid
	total   bool // no record is too long: Options.Total
	single  bool // the input is one record
	most    int  // MaxRecord
	prompt  bool // a batch also ends where the input pauses
	paused  bool // the last read had less than was asked for
}

// batchBytes is about how much input one batch holds.
const batchBytes = 256 << 10

// MaxRecord bounds one record (a line, or a CSV record with its line breaks).
const MaxRecord = 256 << 20

func newRecords(r io.Reader, ends func([]byte) int, prompt bool, invalid Invalid) *records {
	return &records{r: r, ends: ends, line: 1, prompt: prompt, invalid: invalid, most: MaxRecord}
}

// next returns whole records, about batchBytes of them, and the line they begin
// on. The last comes with io.EOF or the error of the input.
func (in *records) next() (data []byte, line int, err error) {
	want := batchBytes
	for in.err == nil {
		for in.err == nil && len(in.buf)-in.from < want {
			if in.prompt && in.paused && in.ends(in.buf[in.from:]) > 0 {
				break
			}
			in.fill(want)
		}
		if in.err == nil {
			if whole := in.ends(in.buf[in.from:]); whole > 0 {
				data, line = in.take(whole)
				return data, line, nil
			}
			if want *= 2; want > in.most && in.total {
				return in.oversize()
			} else if want > in.most {
				return nil, in.line, &InputError{Kind: fault.Length, Line: in.line, What: "the record is longer than 256 MiB, the most that is read at once: cut its text into shorter records"}
			}
		}
	}
	if in.err != io.EOF {
		return nil, in.line, in.err // after an error the last records are incomplete
	}
	data, line = in.take(len(in.buf) - in.from)
	return data, line, io.EOF
}

// oversize returns the first line of the data that was read. If the line does not end
// there, oversize returns its beginning and skips the rest. Where the input is one record,
// that is all of its lines.
func (in *records) oversize() (data []byte, line int, err error) {
	next := nextLine
	if in.single {
		next = func(data []byte) int { return len(data) }
	}
	data, line = in.take(next(in.buf[in.from:]))
	ended := func(data []byte) bool { return !in.single && bytes.HasSuffix(data, newline) }
	if ended(data) {
		return data, line, nil
	}
	data = append(data, '\n')
	for in.err == nil {
		in.fill(batchBytes)
		if skipped, _ := in.take(next(in.buf[in.from:])); ended(skipped) {
			return data, line, nil
		}
	}
	if in.err != io.EOF {
		return nil, line, in.err
	}
	return data, line, nil
}

// fill reads once and notes whether the input had less than was requested.
func (in *records) fill(want int) {
	// A batch keeps its part of the buffer, so what is left moves to a new one.
	if len(in.buf)-in.from+4096 > cap(in.buf)-in.from || cap(in.buf) == 0 {
		grown := make([]byte, len(in.buf)-in.from, max(want, len(in.buf)-in.from)+64<<10)
		copy(grown, in.buf[in.from:])
		in.buf, in.from = grown, 0
	}
	free := in.buf[len(in.buf):cap(in.buf)]
	var n int
	n, in.err = in.r.Read(free)
	in.buf = in.buf[:len(in.buf)+n]
	in.paused = n < len(free)
}

func (in *records) take(n int) ([]byte, int) {
	data, line := in.buf[in.from:in.from+n:in.from+n], in.line
	in.from += n
	in.line += bytes.Count(data, newline)
	if n > longBatch {
		in.part()
	}
	if n > hugeBatch {
		debug.FreeOSMemory() // of the smaller buffers of this batch
	}
	return data, line
}

// longBatch is the length of a batch, far above that of usual ones, whose memory is not
// shared with the next ones.
const longBatch = 4 * batchBytes

// hugeBatch is the length of a batch after which memory is collected at once: the program
// would otherwise take it twice.
const hugeBatch = 32 << 20

// part moves what was read and not yet returned to memory of its own, with as much room
// after it as before: batches end where they would otherwise.
func (in *records) part() {
	rest := in.buf[in.from:]
	in.buf = append(make([]byte, 0, cap(rest)), rest...)
	in.from = 0
}

// mark removes a byte order mark from the start of the input. It reads no more
// than necessary.
func (in *records) mark() []byte {
	for in.err == nil && len(in.buf) < len(byteOrderMark) && bytes.HasPrefix(byteOrderMark, in.buf) {
		in.fill(batchBytes)
	}
	if !bytes.HasPrefix(in.buf, byteOrderMark) {
		return nil
	}
	data, _ := in.take(len(byteOrderMark))
	return data
}

var byteOrderMark = []byte("\xef\xbb\xbf")

// maxHeader bounds the first record of a file with a header.
const maxHeader = 1 << 20

// header removes the first record from the input, with its line end. With
// quotes, a line break between two quotes does not end it.
func (in *records) header(quotes bool) ([]byte, error) {
	inside := false
	for seen := 0; ; {
		rest := in.buf[in.from:]
		for ; seen < len(rest) && seen < maxHeader; seen++ {
			switch {
			case quotes && rest[seen] == '"':
				inside = !inside
			case rest[seen] == '\n' && !inside:
				data, _ := in.take(seen + 1)
				return data, in.checkHeader(data)
			}
		}
		if seen == maxHeader {
			return nil, &InputError{Kind: fault.Length, Line: 1, What: "the header is longer than 1 MiB"}
		}
		if in.err != nil {
			if in.err != io.EOF {
				return nil, in.err
			}
			data, _ := in.take(len(rest))
			return data, in.checkHeader(data)
		}
		in.fill(batchBytes)
	}
}

// checkHeader also refuses a carriage return that does not end the header: where these
// are the line ends of a file, all of it is one line, and would be copied as the header.
func (in *records) checkHeader(data []byte) error {
	line := bytes.TrimSuffix(bytes.TrimSuffix(data, newline), []byte{'\r'})
	if bytes.Contains(bytes.ReplaceAll(line, []byte("\r\n"), nil), []byte{'\r'}) || len(line) < len(data) && data[len(data)-1] == '\r' {
		return &InputError{Kind: fault.Header, Line: 1, What: "the header has a carriage return that is no line end: lines must end in \\n or \\r\\n"}
	}
	return in.invalid.Check(data, 1)
}
