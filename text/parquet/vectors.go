package parquet

import (
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"

	"github.com/sotto-dp/sotto/text"
)

// VectorWriter writes a file with one row per vector: a column vector, a list of floats,
// preceded by a column index if vectors have indices in a codebook.
type VectorWriter struct {
	write func(vector []float32, index uint32) error
	close func() error
}

type plainVector struct {
	Vector []float32 `parquet:"vector,list"`
}

type codedVector struct {
	Index  uint32    `parquet:"index"`
	Vector []float32 `parquet:"vector,list"`
}

// NewVectorWriter begins a file of vectors, with or without indices.
func NewVectorWriter(w io.Writer, indices bool) *VectorWriter {
	if indices {
		out := parquet.NewGenericWriter[codedVector](w)
		return &VectorWriter{func(vector []float32, index uint32) error {
			_, err := out.Write([]codedVector{{index, vector}})
			return err
		}, out.Close}
	}
	out := parquet.NewGenericWriter[plainVector](w)
	return &VectorWriter{func(vector []float32, _ uint32) error {
		_, err := out.Write([]plainVector{{vector}})
		return err
	}, out.Close}
}

// Write writes one vector. The index is ignored if the file has no indices.
func (w *VectorWriter) Write(vector []float32, index uint32) error { return w.write(vector, index) }

// Close ends the file.
func (w *VectorWriter) Close() error { return w.close() }

// vectorColumn is the name of the column of vectors.
const vectorColumn = "vector"

// ReadVectors reads the column vector of a file, a list of dim floating-point numbers in
// every row, row after row: what a [VectorWriter] writes. A list that is null, contains a
// null or has another length gives an error with the number of its row.
func ReadVectors(in text.Seekable, dim int) (rows []float32, err error) {
	r, err := openFile(io.NewSectionReader(in, 0, in.Size()))
	if err != nil {
		return nil, err
	}
	err = guard(func() error {
		all := leaves(r.Root())
		column, err := findColumn(all, vectorColumn)
		if err != nil {
			return err
		}
		leaf := all[column].column
		if kind := leaf.Type().Kind(); kind != parquet.Float && kind != parquet.Double || leaf.MaxRepetitionLevel() != 1 {
			return &text.FieldError{What: fmt.Sprintf("column %q does not hold lists of floating-point numbers", vectorColumn)}
		}
		r.chosen = make([]bool, len(all))
		v := vectors{dim: dim}
		for _, group := range r.RowGroups() {
			chunk := r.open(column, group.ColumnChunks()[column])
			err := v.read(chunk)
			chunk.close()
			if err != nil {
				return err
			}
		}
		rows = v.all
		return v.end()
	})
	if err != nil {
		return nil, err
	}
	return rows, nil
}

// vectors collects the values of a column of lists.
type vectors struct {
	dim  int
	all  []float32
	rows int // begun
}

// read takes the values of a row group.
func (v *vectors) read(c *chunk) error {
	for {
		b, err := c.next()
		if err != nil || b == nil {
			return err
		}
		for _, value := range b.values {
			if value.RepetitionLevel() == 0 {
				if err := v.end(); err != nil {
					return err
				}
				v.rows++
			}
			if value.IsNull() || len(v.all) == v.rows*v.dim {
				return v.wrong()
			}
			if value.Kind() == parquet.Double {
				v.all = append(v.all, float32(value.Double()))
			} else {
				v.all = append(v.all, value.Float())
			}
		}
	}
}

// end refuses a last row that is too short.
func (v *vectors) end() error {
	if len(v.all) != v.rows*v.dim {
		return v.wrong()
	}
	return nil
}

func (v *vectors) wrong() error {
	return &Error{fmt.Sprintf("row %d has no vector of %d components", v.rows, v.dim)}
}
