package text

import (
	"bufio"
	"fmt"
	"io"

	"github.com/sotto-dp/sotto/text/internal/jsonfield"
	"github.com/sotto-dp/sotto/text/internal/records"
)

// TableWriter writes records that hold only the values of some columns: one text per line
// (lines, one column), CSV and TSV with a header, or JSON objects, one per line or in an
// array, in which the columns lead to the values. Close must be called.
type TableWriter struct {
	w       *bufio.Writer
	layout  records.Encoder
	columns []string
	object  *jsonfield.Template // of JSON; nil for rows of a table
	comma   byte
	record  []byte
	array   *arrayWriter // of json
}

// NewTableWriter begins to write. It returns a *[FieldError] if the format cannot hold the
// columns.
func NewTableWriter(w io.Writer, f *Format, columns ...string) (*TableWriter, error) {
	t := &TableWriter{w: bufio.NewWriter(w), columns: columns}
	switch {
	case f == Lines && len(columns) == 1:
		t.layout = lines{}
		return t, nil
	case f == JSONL || f == JSON:
		if f == JSON {
			t.array = &arrayWriter{w: w}
			t.w.Reset(t.array)
		}
		object := jsonfield.TemplateOf(columns)
		t.layout, t.object = &jsonLines{}, &object
		return t, nil
	case f == CSV || f == TSV:
		t.comma = map[*Format]byte{CSV: ',', TSV: '\t'}[f]
		t.layout = &delimited{name: f.Name, comma: t.comma, quotes: f == CSV, chosen: make([]bool, len(columns))}
		header := make([][]byte, len(columns))
		for i, c := range columns {
			header[i] = []byte(c)
		}
		return t, t.Write(header...)
	}
	return nil, &FieldError{What: fmt.Sprintf("%s does not hold a table of %d columns of texts alone", f, len(columns))}
}

// Write writes a record: one value for each column.
func (t *TableWriter) Write(values ...[]byte) error {
	if len(values) != len(t.columns) {
		return fmt.Errorf("text: %d values for %d columns", len(values), len(t.columns))
	}
	b := t.record[:0]
	if t.object != nil {
		for i, column := range t.object.Order {
			b = t.layout.Encode(append(b, t.object.Between[i]...), values[column])
		}
		b = append(b, t.object.Between[len(values)]...)
	} else {
		for i, v := range values {
			if i > 0 {
				b = append(b, t.comma)
			}
			b = t.layout.Encode(b, v)
		}
	}
	t.record = append(b, '\n')
	_, err := t.w.Write(t.record)
	return err
}

// Close writes what is buffered. It does not close the output.
func (t *TableWriter) Close() error {
	err := t.w.Flush()
	if err == nil && t.array != nil {
		err = t.array.end()
	}
	return err
}
