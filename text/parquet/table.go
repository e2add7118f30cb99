package parquet

import (
	"fmt"
	"io"
	"slices"

	"github.com/parquet-go/parquet-go"
)

// TableWriter writes rows that hold only the values of some columns of strings. Close must
// be called.
type TableWriter struct {
	out    rowWriter
	places []int // of each column, in the file's order
	rows   []parquet.Row
}

// rowWriter is a *parquet.GenericWriter[any]. A field of that type would have every package
// that imports this one compile the driver's generic code again.
type rowWriter interface {
	WriteRows(rows []parquet.Row) (int, error)
	Close() error
}

// NewTableWriter begins to write a file with these columns.
func NewTableWriter(w io.Writer, columns ...string) (*TableWriter, error) {
	group := parquet.Group{}
	for _, c := range columns {
		if c == "" || group[c] != nil {
			return nil, fmt.Errorf("parquet: columns must have names, each its own")
		}
		group[c] = parquet.String()
	}
	schema := parquet.NewSchema("row", group)
	t := &TableWriter{out: parquet.NewGenericWriter[any](w, schema, parquet.Compression(&parquet.Zstd))}
	for _, c := range columns {
		t.places = append(t.places, slices.IndexFunc(schema.Columns(), func(path []string) bool { return len(path) == 1 && path[0] == c }))
	}
	return t, nil
}

// Write writes a row: one value for each column.
func (t *TableWriter) Write(values ...[]byte) error {
	if len(values) != len(t.places) {
		return fmt.Errorf("parquet: %d values for %d columns", len(values), len(t.places))
	}
	row := make(parquet.Row, len(values))
	for i, v := range values {
		row[t.places[i]] = parquet.ByteArrayValue(slices.Clone(v)).Level(0, 0, t.places[i])
	}
	if t.rows = append(t.rows, row); len(t.rows) < 1024 {
		return nil
	}
	return t.flush()
}

func (t *TableWriter) flush() error {
	return guard(func() error {
		_, err := t.out.WriteRows(t.rows)
		t.rows = t.rows[:0]
		return err
	})
}

// Close writes what is buffered, and the footer. It does not close the output.
func (t *TableWriter) Close() error {
	if err := t.flush(); err != nil {
		return err
	}
	return guard(t.out.Close)
}
