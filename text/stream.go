package text

import (
	"bytes"
	"errors"
	"io"
	"slices"

	"github.com/sotto-dp/sotto/text/fault"
	"github.com/sotto-dp/sotto/text/internal/records"
)

// stream is an input of consecutive records.
type stream struct {
	in      *records.Reader
	layout  layout
	o       Options
	mark    []byte // the byte order mark
	header  []byte
	number  uint64 // of the next batch
	records int    // in the batches so far
	begun   bool   // a batch with more than blank lines was read
	out     io.Writer
	apart   func() bool // the records are no lines of the input; nil where they are
}

func openStream(in io.Reader, layout layout, o Options) (*stream, error) {
	s := &stream{in: records.NewReader(in, records.Options{Form: layout.form(), Number: o.Records, Prompt: o.Prompt}), layout: layout, o: o}
	if o.Total {
		s.o.Invalid = ReplaceInvalid // the header is still checked
	}
	if err := o.checkFaults(layout); err != nil {
		return nil, err
	}
	s.mark = s.in.Mark()
	var err error
	s.header, err = layout.open(func() ([]byte, error) {
		header, err := s.in.Header()
		if err != nil {
			return nil, err
		}
		return header, o.Invalid.Check(header, 1)
	}, o)
	if err == nil && o.Places && len(s.mark) > 0 && len(s.header) == 0 {
		return nil, errMarked
	}
	return s, err
}

// errMarked refuses an input in which places are ambiguous.
var errMarked = &InputError{Kind: fault.Encoding, Line: 1, What: "the input begins with a byte order mark, which some programs count as the first character of the first text: remove it, and count the places of spans without it"}

// next returns the next records. A record that is too long is an error unless every record
// has a text, and the end of one is certain.
func (s *stream) next() (records.Batch, error) {
	b, err := s.in.Next()
	if b.Cut && (!s.o.Total || s.layout.form().Separator != 0) {
		last := 0
		if n := len(b.Ends); n > 1 {
			last = b.Ends[n-2]
		}
		line := b.Line + bytes.Count(b.Data[:last], records.Newline)
		return b, &InputError{Kind: fault.Length, Line: line, Record: s.numbered(), What: "the record is longer than 256 MiB, the most that is read at once: cut its text into shorter records"}
	}
	return b, err
}

// numbered reports whether errors have the numbers of records, not those of lines.
func (s *stream) numbered() bool { return s.apart != nil && s.apart() }

// placed returns an error of a record with its place as the input has it.
func (s *stream) placed(err error) error {
	var at *InputError
	if s.numbered() && errors.As(err, &at) {
		at.Record = true
	}
	return err
}

func (s *stream) Next() (Batch, error) {
	read, err := s.next()
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if s.layout.form().Whole && s.number == 0 && len(read.Data) == 0 {
		read.Data, read.Ends = records.Newline, []int{1} // of an empty file
	}
	if len(read.Data) == 0 {
		return nil, err
	}
	b := &batch{from: s, number: s.number, line: read.Line, record: s.records, data: read.Data, ends: read.Ends} // the last one comes with io.EOF
	s.number++
	s.records += len(read.Ends)
	if !s.begun && !records.Blank(b.data) {
		b.first, s.begun = !s.o.Rest, true
	}
	return b, nil
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

// checkFaults refuses options for faults of single records where a format does not have
// them, or where they would show what a record holds.
func (o Options) checkFaults(l layout) error {
	if !o.KeepMissing && o.Fault == nil {
		return nil
	}
	if _, ok := l.(sifter); !ok {
		return &FieldError{What: "records that lack a field or cannot be read can be kept or left out in jsonl only"}
	}
	if o.Total || o.Each {
		return &FieldError{What: "whole texts are protected: every record is replaced, and none can be kept as it is or left out"}
	}
	return nil
}

// sift leaves out the records that cannot be read, if they are reported one by one. A
// first batch without the fields is refused, blank ones aside: a wrong name must not let
// every record through as it is.
func (b *batch) sift() error {
	l, ok := b.from.layout.(sifter)
	o := b.from.o
	if !ok || !o.KeepMissing && o.Fault == nil {
		return nil
	}
	if o.Fault != nil {
		b.data, b.faults = l.sift(b.data, b.line, o.Invalid)
		if b.first && records.Blank(b.data) && len(b.faults) > 0 {
			return b.faults[0]
		}
	}
	if o.KeepMissing && b.first {
		return l.names(b.data, b.line)
	}
	return nil
}

// parts cuts a stream. It does not parse records: a malformed one is found when its
// part is read. A byte order mark is dropped.
type parts struct {
	stream *stream
	number int
}

func (p *parts) Next() (Part, error) {
	read, err := p.stream.next()
	if err != nil && (err != io.EOF || len(read.Data) == 0 && p.number > 0) {
		return Part{}, err
	}
	part := Part{Number: p.number, Line: read.Line, Header: p.stream.header, Data: read.Data}
	p.number++
	return part, nil
}
