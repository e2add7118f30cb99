package text

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/sotto-dp/sotto/text/fault"
)

// layout reads and writes the records of one format.
type layout interface {
	// ends returns the length of the whole records that data begins with.
	ends(data []byte) int
	// open reads the header, if there is one, resolves the fields, and returns
	// the bytes to write first.
	open(in *records, o Options) ([]byte, error)
	// find returns the texts of whole records, in order. The first is on line.
	find(data []byte, line int) ([]span, error)
	// next returns the length of the record that data, whole records, begins with.
	next(data []byte) int
	// by returns where the record at at ends and its value of Options.By; ok is false
	// for an empty line, which is not a record.
	by(data []byte, at, line int) (next int, value string, ok bool, err error)
	encoder
}

// encoder writes private texts. It never sees the originals: how a private text
// is written depends only on that text and on public data.
type encoder interface {
	// encode appends a private text in the format's syntax.
	encode(dst, private []byte) []byte
	// lineEnd ends a record whose last text is private.
	lineEnd() string
}

// streamed completes the Format of a stream of records.
func streamed(f Format, layout func() layout) *Format {
	f.Open = func(in io.Reader, o Options) (Reader, error) { return openStream(in, layout(), o) }
	f.Cut = func(in io.Reader, o Options) (Parts, error) {
		s, err := openStream(in, layout(), o)
		if err != nil {
			return nil, err
		}
		return &parts{stream: s, line: s.in.line}, nil
	}
	return &f
}

// stream is an input of consecutive records.
type stream struct {
	in     *records
	layout layout
	o      Options
	mark   []byte // the byte order mark
	header []byte
	number uint64 // of the next batch
	begun  bool   // a batch with more than blank lines was read
	out    io.Writer

	// Where batches are cut by records: what was read and is not yet in a batch, the line
	// that it begins on, and the end of the input, once that is all.
	left []byte
	line int
	end  error
}

func openStream(in io.Reader, layout layout, o Options) (*stream, error) {
	s := &stream{in: newRecords(in, layout.ends, o.Prompt, o.Invalid), layout: layout, o: o}
	_, s.in.single = layout.(file)
	if o.Total {
		s.in.total, s.o.Invalid = true, ReplaceInvalid // the header is still checked
	}
	if err := o.checkFaults(layout); err != nil {
		return nil, err
	}
	s.mark = s.in.mark()
	var err error
	s.header, err = layout.open(s.in, o)
	s.line = s.in.line
	if err == nil && o.Places && len(s.mark) > 0 && len(s.header) == 0 {
		return nil, errMarked
	}
	return s, err
}

// errMarked refuses an input in which places are ambiguous.
var errMarked = &InputError{Kind: fault.Encoding, Line: 1, What: "the input begins with a byte order mark, which some programs count as the first character of the first text: remove it, and count the places of spans without it"}

func (s *stream) Next() (Batch, error) {
	read := s.in.next
	if s.o.Records > 0 {
		read = s.records
	}
	data, line, err := read()
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if s.in.single && s.number == 0 && len(data) == 0 {
		data = newline // of an empty file
	}
	if len(data) == 0 {
		return nil, err
	}
	b := &batch{from: s, number: s.number, line: line, data: data} // the last one comes with io.EOF
	s.number++
	if !s.begun && !blank(data) {
		b.first, s.begun = true, true
	}
	return b, nil
}

// records returns the next Options.Records records, or what is left at the end or
// before a pause, and the line they begin on. The last come with io.EOF.
func (s *stream) records() (data []byte, line int, err error) {
	line = s.line
	for n := 0; ; {
		at := 0
		for ; n < s.o.Records && at < len(s.left); n++ {
			at += s.layout.next(s.left[at:])
		}
		data = append(data, s.left[:at]...)
		s.line += bytes.Count(s.left[:at], newline)
		s.left = s.left[at:]
		switch {
		case s.end != nil && len(s.left) == 0:
			return data, line, s.end
		case n == s.o.Records, s.o.Prompt && s.in.paused && n > 0:
			return data, line, nil
		}
		s.left, _, err = s.in.next()
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, line, err
		}
		s.end = err
	}
}

// Begin writes the header. A mark without one could be part of a text.
func (s *stream) Begin(w io.Writer) error {
	s.out = w
	if len(s.header) == 0 {
		return nil
	}
	_, err := w.Write(slices.Concat(s.mark, s.header))
	return err
}

func (s *stream) End() error { return nil }

// batch is whole records of a stream.
type batch struct {
	from   *stream
	number uint64
	first  bool // the first one that is not blank: names of fields are checked in it
	line   int  // of the first record
	data   []byte
	spans  []span
	rows   []row         // of Records
	out    []byte        // data with private texts; nil before Replace
	faults []*InputError // of records that were left out
}

// row is a record: its place in the batch, and which spans are its texts.
type row struct{ start, end, first, last int }

func (b *batch) Number() uint64 { return b.number }

func (b *batch) Texts() ([][]byte, error) {
	if err := b.sift(); err != nil {
		return nil, err
	}
	if err := b.from.o.Invalid.Check(b.data, b.line); err != nil {
		return nil, err
	}
	if l, ok := b.from.layout.(fieldFinder); ok && b.from.o.Total && b.first {
		if err := l.foundIn(b.data, b.line); err != nil {
			return nil, err
		}
	}
	var err error
	if b.spans, err = b.from.layout.find(b.data, b.line); err != nil {
		return nil, err
	}
	if len(b.spans) == 0 {
		b.out = b.data
	}
	return contents(b.spans, b.from.o.Invalid), nil
}

func (b *batch) Records() ([]Record, error) {
	texts, err := b.Texts()
	if err != nil {
		return nil, err
	}
	o := b.from.o
	var found []Record
	b.rows = nil
	for at, i, line := 0, 0, b.line; at < len(b.data); {
		next, value, ok, err := b.from.layout.by(b.data, at, line)
		if err != nil {
			return nil, err
		}
		first := i
		for i < len(b.spans) && b.spans[i].start < next {
			i++
		}
		if ok {
			if value == "" {
				value = o.Missing
			}
			if o.By == "" {
				value = ""
			}
			found = append(found, Record{value, texts[first:i]})
			b.rows = append(b.rows, row{at, next, first, i})
		}
		line += bytes.Count(b.data[at:next], newline)
		at = next
	}
	return found, nil
}

func (b *batch) Keep(keep []bool) error {
	if len(keep) != len(b.rows) {
		return fmt.Errorf("text: %d records to keep or not, there are %d", len(keep), len(b.rows))
	}
	data := make([]byte, 0, len(b.data))
	var spans []span
	at := 0
	for i, r := range b.rows {
		data = append(data, b.data[at:r.start]...) // empty lines
		at = r.end
		if !keep[i] {
			continue
		}
		moved := len(data) - r.start
		data = append(data, b.data[r.start:r.end]...)
		for _, s := range b.spans[r.first:r.last] {
			s.start, s.end = s.start+moved, s.end+moved
			spans = append(spans, s)
		}
	}
	b.data, b.spans, b.rows = append(data, b.data[at:]...), spans, nil
	if len(spans) == 0 {
		b.out = b.data
	}
	return nil
}

func (b *batch) Replace(private [][]byte) (err error) {
	if b.from.o.Each {
		return ErrNotWritten
	}
	b.out, err = splice(b.data, b.spans, private, b.from.layout)
	return err
}

func (b *batch) Write() error {
	if b.out == nil {
		return ErrNotReplaced
	}
	for _, fault := range b.faults {
		if err := b.from.o.Fault(fault); err != nil {
			return err
		}
	}
	_, err := b.from.out.Write(b.out)
	return err
}
