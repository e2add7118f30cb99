package parquet

import (
	"errors"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"

	"github.com/sotto-dp/sotto/text"
)

// batch is part of a column chunk: the values of whole rows, with memory of
// their own.
type batch struct {
	column int
	values []parquet.Value
	chosen bool
	number uint64 // among the chosen
	row    int64  // of the first value, from 1, in the row groups that are read
	ends   bool   // the row group; holds no values
}

// batchBytes and batchValues are about how much one batch holds.
const (
	batchBytes  = 256 << 10
	batchValues = 16 << 10
)

// texts returns the texts of a batch and the places of their values. An error
// names the row and the column of a text that is none.
func (b *batch) texts(invalid text.Invalid) (texts [][]byte, at []int, err error) {
	row := b.row - 1
	for i, v := range b.values {
		if v.RepetitionLevel() == 0 {
			row++
		}
		if v.IsNull() {
			continue
		}
		var fault *text.InputError
		if err := invalid.Check(v.ByteArray(), 1); errors.As(err, &fault) {
			return nil, nil, &Error{fmt.Sprintf("row %d, column %d, %s", row, b.column+1, fault)}
		}
		texts, at = append(texts, invalid.Read(v.ByteArray())), append(at, i)
	}
	return texts, at, nil
}

func (b *batch) rewrite(o Options) error {
	if !b.chosen {
		return nil
	}
	texts, at, err := b.texts(o.Invalid)
	if err != nil {
		return err
	}
	private, err := o.Rewrite(texts, b.number)
	if err != nil {
		return err
	}
	if len(private) != len(texts) {
		return fmt.Errorf("parquet: %d texts came back for %d", len(private), len(texts))
	}
	for i, p := range private {
		old := b.values[at[i]]
		b.values[at[i]] = parquet.ByteArrayValue(p).Level(old.RepetitionLevel(), old.DefinitionLevel(), old.Column())
	}
	return nil
}

// writeValues is how many values the writer gets at once, about: it cuts pages
// only between them.
const writeValues = 256

// sink writes batches. It passes values on in runs of its own: where a batch ends
// depends on the texts that were read, and where a page ends must not.
type sink struct {
	out    *parquet.GenericWriter[any]
	column int
	values []parquet.Value // of whole rows, not yet written
}

func (s *sink) write(b *batch) error {
	if b.ends || b.column != s.column {
		if err := s.flush(); err != nil {
			return err
		}
		s.column = b.column
	}
	if b.ends {
		return s.out.Flush()
	}
	values := b.values
	if len(s.values) > 0 {
		values = append(s.values, values...)
	}
	for len(values) >= writeValues {
		n := writeValues
		for n < len(values) && values[n].RepetitionLevel() > 0 {
			n++
		}
		if _, err := s.out.ColumnWriters()[s.column].WriteRowValues(values[:n]); err != nil {
			return err
		}
		values = values[n:]
	}
	s.values = append([]parquet.Value(nil), values...)
	return nil
}

func (s *sink) flush() error {
	if len(s.values) == 0 {
		return nil
	}
	_, err := s.out.ColumnWriters()[s.column].WriteRowValues(s.values)
	s.values = nil
	return err
}

// chunkReader cuts one column chunk into batches.
type chunkReader struct {
	source  *failing
	column  int
	chosen  bool
	number  *uint64
	row     int64 // of the next value that is emitted
	emit    func(*batch) error
	values  []parquet.Value
	scratch []parquet.Value
	bytes   int
}

func (c *chunkReader) readChunk(chunk parquet.ColumnChunk) error {
	pages := chunk.Pages()
	defer pages.Close() //nolint:errcheck // only read
	c.scratch = make([]parquet.Value, 1024)
	for {
		page, err := pages.ReadPage()
		if errors.Is(err, io.EOF) {
			return c.flush(len(c.values))
		}
		if err != nil {
			return c.fault()
		}
		err = c.readPage(page)
		parquet.Release(page)
		if err != nil {
			return err
		}
	}
}

func (c *chunkReader) readPage(page parquet.Page) error {
	in := page.Values()
	for {
		n, err := in.ReadValues(c.scratch)
		if n > 0 {
			c.take(c.scratch[:n])
			if c.bytes >= batchBytes || len(c.values) >= batchValues {
				// The last row may go on: it stays for the next batch.
				last := len(c.values) - 1
				for last > 0 && c.values[last].RepetitionLevel() > 0 {
					last--
				}
				if err := c.flush(last); err != nil {
					return err
				}
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return c.fault()
		}
	}
}

// take keeps values in memory of their own: a page's goes with the page.
func (c *chunkReader) take(values []parquet.Value) {
	size := 0
	for _, v := range values {
		if v.Kind() == parquet.ByteArray || v.Kind() == parquet.FixedLenByteArray {
			size += len(v.ByteArray())
		}
	}
	memory := make([]byte, 0, size)
	for _, v := range values {
		repetition, definition := v.RepetitionLevel(), v.DefinitionLevel()
		switch v.Kind() {
		case parquet.ByteArray:
			from := len(memory)
			memory = append(memory, v.ByteArray()...)
			v = parquet.ByteArrayValue(memory[from:len(memory):len(memory)])
		case parquet.FixedLenByteArray:
			from := len(memory)
			memory = append(memory, v.ByteArray()...)
			v = parquet.FixedLenByteArrayValue(memory[from:len(memory):len(memory)])
		}
		c.values = append(c.values, v.Level(repetition, definition, c.column))
	}
	c.bytes += size
}

// flush emits the first n values; the others stay.
func (c *chunkReader) flush(n int) error {
	if n == 0 {
		return nil
	}
	b := &batch{column: c.column, values: c.values[:n:n], chosen: c.chosen, row: c.row}
	if c.chosen {
		b.number = *c.number
		*c.number++
	}
	for _, v := range b.values {
		if v.RepetitionLevel() == 0 {
			c.row++
		}
	}
	c.values = append([]parquet.Value(nil), c.values[n:]...)
	c.bytes = 0
	return c.emit(b)
}

func (c *chunkReader) fault() error {
	if err := c.source.failed(); err != nil {
		return err
	}
	return broken(fmt.Sprintf("a page of column %d is damaged", c.column+1))
}
