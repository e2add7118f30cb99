package parquet

import (
	"bytes"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go"

	"github.com/sotto-dp/sotto/text"
)

// batch is part of a column chunk: the values of whole rows, with memory of
// their own.
type batch struct {
	from     *reader
	column   int
	values   []parquet.Value
	chosen   bool
	replaced bool // or without texts
	unread   int
	places   []int  // of the texts, in values
	number   uint64 // among the chosen
	row      int64  // of the first value, from 1, in the row groups that are read
	ends     bool   // the row group; holds no values
}

// batchBytes and batchValues are about how much one batch holds.
const (
	batchBytes  = 256 << 10
	batchValues = 16 << 10
)

func (b *batch) Number() uint64 { return b.number }

// Texts returns the texts of a batch. An error names the row and the column of a
// text that is not UTF-8.
func (b *batch) Texts() (texts [][]byte, err error) {
	if !b.chosen {
		return nil, nil
	}
	row := b.row - 1
	b.unread = 0
	for i, v := range b.values {
		if v.RepetitionLevel() == 0 {
			row++
		}
		if v.IsNull() {
			continue
		}
		var fault *text.InputError
		if err := b.from.o.Invalid.Check(v.ByteArray(), 1); errors.As(err, &fault) {
			return nil, &Error{fmt.Sprintf("row %d, column %d, %s", row, b.column+1, fault)}
		}
		if !utf8.Valid(v.ByteArray()) || bytes.IndexByte(v.ByteArray(), 0) >= 0 {
			b.unread++
		}
		texts, b.places = append(texts, b.from.o.Invalid.Read(v.ByteArray())), append(b.places, i)
	}
	b.replaced = len(texts) == 0
	if b.from.o.Each {
		return b.each(texts), nil
	}
	return texts, nil
}

// each joins the texts of each row.
func (b *batch) each(texts [][]byte) (rows [][]byte) {
	for i, record := range b.records(texts) {
		rows = append(rows, nil)
		if len(record.Texts) > 0 {
			rows[i] = bytes.Join(record.Texts, []byte{'\n'})
		}
	}
	return rows
}

// Records returns a record for each row of a chosen column.
func (b *batch) Records() ([]text.Record, error) {
	texts, err := b.Texts()
	if err != nil || !b.chosen {
		return nil, err
	}
	if b.from.o.Each {
		found := make([]text.Record, len(texts))
		for i := range texts {
			found[i].Texts = texts[i : i+1]
		}
		return found, nil
	}
	return b.records(texts), nil
}

// records returns a record for each row, of the texts that are not null.
func (b *batch) records(texts [][]byte) (found []text.Record) {
	i := 0
	for _, v := range b.values {
		if v.RepetitionLevel() == 0 {
			found = append(found, text.Record{Texts: texts[i:i]})
		}
		if !v.IsNull() {
			i++
			last := &found[len(found)-1]
			last.Texts = texts[i-1-len(last.Texts) : i]
		}
	}
	return found
}

func (b *batch) Keep([]bool) error {
	return &text.FieldError{What: "rows cannot be left out: parquet is written by columns"}
}

// Unread is known after Texts.
func (b *batch) Unread() int { return b.unread }

func (b *batch) Replace(private [][]byte) error {
	if b.from.o.Each {
		return text.ErrNotWritten
	}
	if len(private) != len(b.places) {
		return fmt.Errorf("parquet: %d private texts for %d", len(private), len(b.places))
	}
	for i, p := range private {
		old := b.values[b.places[i]]
		b.values[b.places[i]] = parquet.ByteArrayValue(p).Level(old.RepetitionLevel(), old.DefinitionLevel(), old.Column())
	}
	b.replaced = true
	return nil
}

func (b *batch) Write() error {
	if b.chosen && !b.replaced {
		return text.ErrNotReplaced
	}
	return guard(func() error { return b.from.pages.write(b) })
}
