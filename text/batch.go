package text

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/sotto-dp/sotto/text/internal/records"
)

// batch is whole records of a stream.
type batch struct {
	from   *stream
	number uint64
	first  bool // the first one that is not blank: names of fields are checked in it
	line   int  // of the first record
	record int  // records before the first one, as they were cut
	data   []byte
	ends   []int // of the records in data, as they were read
	spans  []records.Span
	rows   []row         // of Records
	before *unkept       // nil unless Keep was called
	out    []byte        // data with private texts; nil before Replace
	faults []*InputError // of records that were left out
}

// row is a record: its place in the batch, and which spans are its texts.
type row struct{ start, end, first, last int }

func (b *batch) Number() uint64 { return b.number }

func (b *batch) Texts() ([][]byte, error) {
	texts, err := b.read()
	return texts, b.from.placed(err)
}

func (b *batch) read() ([][]byte, error) {
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
	return b.contents(), nil
}

func (b *batch) Records() ([]Record, error) {
	texts, err := b.Texts()
	if err != nil {
		return nil, err
	}
	o := b.from.o
	var found []Record
	b.rows = nil
	i, line, at := 0, b.line, 0
	for _, next := range b.ends {
		value, ok, err := b.from.layout.by(b.data[at:next], line)
		if err != nil {
			return nil, b.from.placed(err)
		}
		first := i
		for i < len(b.spans) && b.spans[i].Start < next {
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
		line += bytes.Count(b.data[at:next], records.Newline)
		at = next
	}
	return found, nil
}

func (b *batch) Keep(keep []bool) error {
	if len(keep) != len(b.rows) {
		return fmt.Errorf("text: %d records to keep or not, there are %d", len(keep), len(b.rows))
	}
	b.before = &unkept{b.data, b.spans, map[int]bool{}}
	data := make([]byte, 0, len(b.data))
	var spans []records.Span
	at := 0
	for i, r := range b.rows {
		data = append(data, b.data[at:r.start]...) // empty lines
		at = r.end
		if !keep[i] {
			b.before.left[r.start] = true
			continue
		}
		moved := len(data) - r.start
		data = append(data, b.data[r.start:r.end]...)
		for _, s := range b.spans[r.first:r.last] {
			s.Start, s.End = s.Start+moved, s.End+moved
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
	var e records.Encoder = b.from.layout
	spans := b.spans
	if k, ok := e.(keeper); ok && b.from.o.Kept {
		e, spans = k.keeping(), slices.Clone(spans)
		for i, s := range spans { // the line end is copied
			spans[i].End, spans[i].Closes = s.Start+len(s.Text), false
		}
	}
	b.out, err = records.Replace(b.data, spans, private, e)
	return err
}

func (b *batch) Write() error {
	if b.out == nil {
		return ErrNotReplaced
	}
	for _, fault := range b.faults {
		fault.Record = b.from.numbered()
		if err := b.from.o.Fault(fault); err != nil {
			return err
		}
	}
	_, err := b.from.out.Write(b.out)
	return err
}

// Unread is known after Texts.
func (b *batch) Unread() int {
	n := 0
	for _, s := range b.spans {
		if s.Unread != nil || !isText(s.Text) {
			n++
		}
	}
	return n
}

func (b *batch) contents() [][]byte {
	texts := make([][]byte, len(b.spans))
	for i, s := range b.spans {
		texts[i] = b.from.o.Invalid.Read(s.Text)
	}
	return texts
}
