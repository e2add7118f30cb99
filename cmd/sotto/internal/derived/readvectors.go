package derived

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/sotto-dp/sotto/internal/npy"
	"github.com/sotto-dp/sotto/text"
	"github.com/sotto-dp/sotto/text/parquet"
)

// readVectors reads vectors as embed wrote them, in the form that the name ends with.
func readVectors(name string, dim int) ([]float32, error) {
	read := readMatrix
	switch {
	case strings.HasSuffix(name, ".parquet"):
		read = parquet.ReadVectors
	case !strings.HasSuffix(name, ".npy"):
		return readVectorLines(name, dim)
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	rows, err := read(io.NewSectionReader(file, 0, info.Size()), dim)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return rows, nil
}

// readMatrix reads vectors from an array of NumPy's.
func readMatrix(in text.Seekable, dim int) ([]float32, error) {
	m, err := npy.Open(in, in.Size())
	if err != nil {
		return nil, err
	}
	if m.Cols != dim {
		return nil, fmt.Errorf("vectors have %d components, the report has %d", m.Cols, dim)
	}
	rows, row := make([]float32, 0, m.Rows*dim), make([]float64, dim)
	for i := range m.Rows {
		if err := m.Row(row, i); err != nil {
			return nil, err
		}
		for _, x := range row {
			rows = append(rows, float32(x))
		}
	}
	return rows, nil
}

// readVectorLines reads vectors from JSON lines.
func readVectorLines(name string, dim int) ([]float32, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var rows []float32
	n := 0
	for line := range bytes.Lines(data) {
		n++
		var v struct {
			Vector []float32 `json:"vector"`
		}
		if json.Unmarshal(line, &v) != nil || len(v.Vector) != dim {
			return nil, fmt.Errorf("%s: line %d is not an object with a vector of %d components", name, n, dim)
		}
		rows = append(rows, v.Vector...)
	}
	return rows, nil
}
