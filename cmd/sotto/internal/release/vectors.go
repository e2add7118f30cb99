package release

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"strconv"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/release"
	"github.com/sotto-dp/sotto/text/parquet"
)

// VectorWriter writes vectors of dim components as text (numbers separated by spaces, one
// vector per line), as JSON lines (one object per text), as one float32 array of NumPy's
// format 1.0, or as Parquet.
type VectorWriter struct {
	out     *cli.OutputFile
	form    string
	Dim     int
	grouped bool // a text has many vectors
	coded   bool // vectors have indices
	Rows    int
	buffer  []byte
	columns *parquet.VectorWriter
}

// npyHeader is the length of the header, a multiple of 64 with room for any number of
// rows.
const npyHeader = 128

func (w *VectorWriter) begin() error {
	if w.form == "parquet" {
		w.columns = parquet.NewVectorWriter(w.out, w.coded)
	}
	if w.form != "npy" {
		return nil
	}
	_, err := w.out.Write(w.Npy())
	return err
}

// Npy returns the header of an array of the rows so far.
func (w *VectorWriter) Npy() []byte {
	head := []byte("\x93NUMPY\x01\x00")
	head = binary.LittleEndian.AppendUint16(head, npyHeader-10)
	head = fmt.Appendf(head, "{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d), }", w.Rows, w.Dim)
	for len(head) < npyHeader-1 {
		head = append(head, ' ')
	}
	return append(head, '\n')
}

func (w *VectorWriter) write(list []release.Vectors) error {
	b := w.buffer[:0]
	for _, v := range list {
		w.Rows += v.Rows
		switch w.form {
		case "npy":
			for _, x := range v.Components {
				b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
			}
		case "parquet":
			index := uint32(0)
			if w.coded {
				index = v.Indices[0]
			}
			if err := w.columns.Write(v.Components, index); err != nil {
				return err
			}
		case "jsonl":
			var line any = struct {
				Vector []float32 `json:"vector"`
			}{v.Components}
			switch {
			case w.coded && !w.grouped:
				line = struct {
					Index  uint32    `json:"index"`
					Vector []float32 `json:"vector"`
				}{v.Indices[0], v.Components}
			case w.grouped:
				rows := make([][]float32, v.Rows)
				for r := range rows {
					rows[r] = v.Components[r*w.Dim : (r+1)*w.Dim]
				}
				line = struct {
					Vectors [][]float32 `json:"vectors"`
				}{rows}
			}
			data, err := json.Marshal(line)
			if err != nil {
				return err
			}
			b = append(append(b, data...), '\n')
		default:
			for i, x := range v.Components {
				b = strconv.AppendFloat(b, float64(x), 'g', -1, 32)
				if i%w.Dim == w.Dim-1 {
					b = append(b, '\n')
				} else {
					b = append(b, ' ')
				}
			}
			if w.grouped {
				b = append(b, '\n')
			}
		}
	}
	w.buffer = b
	if len(b) == 0 {
		return nil
	}
	_, err := w.out.Write(b)
	return err
}

// close ends the output before it is flushed.
func (w *VectorWriter) close() error {
	if w.columns == nil {
		return nil
	}
	return w.columns.Close()
}

// end completes what depends on the number of rows, after everything else is written.
func (w *VectorWriter) end() error {
	if w.form != "npy" {
		return nil
	}
	_, err := w.out.Pending.WriteAt(w.Npy(), 0)
	return err
}
