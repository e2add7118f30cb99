package release

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"strconv"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/internal/npy"
	"github.com/sotto-dp/sotto/release"
	"github.com/sotto-dp/sotto/text/parquet"
)

// vectorWriter writes vectors of dim components as text (numbers separated by spaces, one
// vector per line), as JSON lines (one object per text), as one float32 array of NumPy's
// format 1.0, or as Parquet.
type vectorWriter struct {
	out     *cli.OutputFile
	form    string
	dim     int
	grouped bool // a text has many vectors
	coded   bool // vectors have indices
	rows    int
	buffer  []byte
	columns *parquet.VectorWriter
}

func (w *vectorWriter) begin() error {
	if w.form == "parquet" {
		w.columns = parquet.NewVectorWriter(w.out, w.coded)
	}
	if w.form != "npy" {
		return nil
	}
	_, err := w.out.Write(npy.Header(w.rows, w.dim))
	return err
}

func (w *vectorWriter) write(list []release.Vectors) error {
	b := w.buffer[:0]
	for _, v := range list {
		w.rows += v.Rows
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
					rows[r] = v.Components[r*w.dim : (r+1)*w.dim]
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
				if i%w.dim == w.dim-1 {
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
func (w *vectorWriter) close() error {
	if w.columns == nil {
		return nil
	}
	return w.columns.Close()
}

// end completes what depends on the number of rows, after everything else is written.
func (w *vectorWriter) end() error {
	if w.form != "npy" {
		return nil
	}
	_, err := w.out.Pending.WriteAt(npy.Header(w.rows, w.dim), 0)
	return err
}
