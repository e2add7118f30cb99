package parquet

import (
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"

	"github.com/sotto-dp/sotto/text"
)

// rowsAtOnce is the number of rows of a batch.
const rowsAtOnce = 64

// rows reads some columns side by side.
type rows struct {
	*reader
	columns []int // of the fields
	chunks  []*chunk
	number  int // of the next row
}

// openRows begins to read. A column of numbers or booleans may be chosen, except for
// the texts.
func openRows(in io.Reader, fields []string) (text.Rows, error) {
	r, err := openFile(in)
	if err != nil {
		return nil, err
	}
	found := &rows{reader: r}
	err = guard(func() error {
		all := leaves(r.Root())
		r.chosen = make([]bool, len(all))
		for i, field := range fields {
			if i == 0 { // refuses what holds no text, and a missing name
				var texts []string
				if field != "" {
					texts = []string{field}
				}
				if _, err := choose(r.File, texts); err != nil {
					return err
				}
			}
			column, err := findColumn(all, field)
			if err != nil {
				return err
			}
			found.columns = append(found.columns, column)
			r.chosen[column] = true
		}
		return nil
	})
	r.o.Records, r.groups = rowsAtOnce, r.RowGroups()
	return found, err
}

// oneColumnEach refuses a field that is the name of two columns and, if a row has a single
// value, of a column that repeats.
func oneColumnEach(file *parquet.File, fields []string, single bool) error {
	all := leaves(file.Root())
	for _, field := range fields {
		column, err := findColumn(all, field)
		if err != nil {
			return err
		}
		if single && all[column].column.MaxRepetitionLevel() > 0 {
			return text.ManyTexts(field)
		}
	}
	return nil
}

// findColumn returns the number of the only column with a name.
func findColumn(all []leaf, field string) (int, error) {
	name, column := brackets.Replace(field), -1
	var names []string
	for i, l := range all {
		names = append(names, l.short)
		if l.full != field && l.full != name && l.short != name {
			continue
		}
		if column >= 0 {
			return 0, &text.FieldError{What: fmt.Sprintf("there are two columns %q", field)}
		}
		column = i
	}
	if column < 0 {
		return 0, text.NoColumn(field, "the file (columns: %d)", names)
	}
	return column, nil
}

func (r *rows) Next() (next text.RowBatch, err error) {
	err = guard(func() error {
		b, err := r.next()
		if err == nil {
			next = b
		}
		return err
	})
	return next, err
}

func (r *rows) next() (*rowBatch, error) {
	for r.group < len(r.groups) {
		if r.chunks == nil {
			all := r.groups[r.group].ColumnChunks()
			for _, column := range r.columns {
				r.chunks = append(r.chunks, r.open(column, all[column]))
			}
		}
		b := &rowBatch{first: r.number}
		for i, c := range r.chunks {
			values, err := c.next()
			if err != nil {
				return nil, err
			}
			if values != nil {
				b.take(values.values, i, len(r.chunks))
			}
		}
		if len(b.rows) > 0 {
			r.number += len(b.rows)
			return b, nil
		}
		for _, c := range r.chunks {
			c.close()
		}
		r.chunks = nil
		r.group++
	}
	return nil, io.EOF
}

// rowBatch is a run of rows.
type rowBatch struct {
	first int
	rows  []text.Row
}

func (b *rowBatch) First() int       { return b.first }
func (b *rowBatch) Rows() []text.Row { return b.rows }

// take adds the values of one field.
func (b *rowBatch) take(values []parquet.Value, field, fields int) {
	at := -1
	for _, v := range values {
		if v.RepetitionLevel() == 0 {
			if at++; at == len(b.rows) {
				b.rows = append(b.rows, make(text.Row, fields))
			}
		}
		if v.IsNull() {
			continue
		}
		value := v.Bytes()
		value = value[:len(value):len(value)] // what is joined to it has memory of its own
		if value == nil {
			value = []byte{}
		}
		if kind := v.Kind(); kind != parquet.ByteArray && kind != parquet.FixedLenByteArray {
			value = []byte(v.String())
		}
		row := b.rows[at]
		switch {
		case len(row[field])+len(value) > text.MaxRecord:
			row[field] = nil
		case row[field] == nil:
			row[field] = value
		default:
			row[field] = append(append(row[field], '\n'), value...)
		}
	}
}

func openFile(in io.Reader) (r *reader, err error) {
	file, ok := in.(text.Seekable)
	if !ok {
		return nil, &text.FieldError{What: "parquet is read from a file, not from a stream"}
	}
	r = &reader{source: &failing{r: file}}
	err = guard(func() (err error) {
		r.File, err = parquet.OpenFile(r.source, file.Size(), parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
		if err == nil {
			return readableCodecs(r.Metadata())
		}
		if failed := r.source.failed(); failed != nil {
			return failed
		}
		return noFooter(r.source, file.Size())
	})
	return r, err
}
