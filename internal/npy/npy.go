// Package npy reads matrices in NumPy's array format, version 1 to 3, as
// numpy.save writes them: float32 or float64, little-endian, in C order. It writes the header of
// one of float32.
package npy

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
)

// Matrix is an array of rows. It is safe for concurrent use if its reader is.
type Matrix struct {
	Rows, Cols int
	r          io.ReaderAt
	at         int64 // of the first number
	size       int   // of a number, in bytes
}

// FormatError reports a file that this package cannot read as a matrix.
type FormatError struct{ What string }

func (e *FormatError) Error() string { return e.What }

func bad(format string, args ...any) error { return &FormatError{fmt.Sprintf(format, args...)} }

const (
	magic     = "\x93NUMPY"
	maxHeader = 1 << 16
)

var (
	descr   = regexp.MustCompile(`'descr': *'([^']*)'`)
	fortran = regexp.MustCompile(`'fortran_order': *(True|False)`)
	shape   = regexp.MustCompile(`'shape': *\(([0-9]+), *([0-9]+),? *\)`)
)

// headerBytes is the length of what Header returns, a multiple of 64 with room for any number
// of rows.
const headerBytes = 128

// Header returns the header, of version 1, of an array of float32. Its length does not depend
// on the numbers.
func Header(rows, cols int) []byte {
	head := binary.LittleEndian.AppendUint16([]byte(magic+"\x01\x00"), headerBytes-10)
	head = fmt.Appendf(head, "{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d), }", rows, cols)
	for len(head) < headerBytes-1 {
		head = append(head, ' ')
	}
	return append(head, '\n')
}

// Open reads the header of an array of size bytes.
func Open(r io.ReaderAt, size int64) (*Matrix, error) {
	header, at, err := readHeader(r)
	if err != nil {
		return nil, err
	}
	m := &Matrix{r: r, at: at}
	switch d := descr.FindSubmatch(header); {
	case d == nil:
		return nil, bad("not a NumPy array: its header names no type")
	case string(d[1]) == "<f4":
		m.size = 4
	case string(d[1]) == "<f8":
		m.size = 8
	default:
		return nil, bad("an array of type %q, want float32 or float64, little-endian: convert it with astype", d[1])
	}
	if f := fortran.FindSubmatch(header); f == nil || string(f[1]) != "False" {
		return nil, bad("an array in Fortran order, want C order: convert it with ascontiguousarray")
	}
	dims := shape.FindSubmatch(header)
	if dims == nil {
		return nil, bad("not an array of two dimensions, rows and components")
	}
	rows, err := strconv.ParseInt(string(dims[1]), 10, 40)
	cols, err2 := strconv.ParseInt(string(dims[2]), 10, 20)
	if err != nil || err2 != nil || cols == 0 {
		return nil, bad("an array of %s x %s numbers", dims[1], dims[2])
	}
	if want := at + rows*cols*int64(m.size); size != want {
		return nil, bad("%d bytes, want %d for %d x %d numbers", size, want, rows, cols)
	}
	m.Rows, m.Cols = int(rows), int(cols)
	return m, nil
}

// readHeader returns the header's text and where the numbers begin.
func readHeader(r io.ReaderAt) (header []byte, at int64, err error) {
	var head [12]byte
	if n, err := r.ReadAt(head[:], 0); n < len(head) {
		return nil, 0, cut(err)
	}
	if string(head[:6]) != magic {
		return nil, 0, bad("not a NumPy array")
	}
	length := int64(binary.LittleEndian.Uint16(head[8:]))
	switch at = 10; head[6] {
	case 1:
	case 2, 3:
		length, at = int64(binary.LittleEndian.Uint32(head[8:])), 12
	default:
		return nil, 0, bad("version %d of the NumPy format, want 1 to 3", head[6])
	}
	if length > maxHeader {
		return nil, 0, bad("a header of %d bytes", length)
	}
	header = make([]byte, length)
	if n, err := r.ReadAt(header, at); n < len(header) {
		return nil, 0, cut(err)
	}
	return header, at + length, nil
}

func cut(err error) error {
	if err == nil || errors.Is(err, io.EOF) {
		return bad("not a NumPy array: it ends in its header")
	}
	return err
}

// Shape returns the numbers of rows and of columns.
func (m *Matrix) Shape() (rows, cols int) { return m.Rows, m.Cols }

// Row reads row i, counted from 0, into v, which has Cols elements.
func (m *Matrix) Row(v []float64, i int) error {
	data := make([]byte, m.Cols*m.size)
	if n, err := m.r.ReadAt(data, m.at+int64(i)*int64(len(data))); n < len(data) {
		return fmt.Errorf("row %d: %w", i, err)
	}
	for k := range v[:m.Cols] {
		if m.size == 4 {
			v[k] = float64(math.Float32frombits(binary.LittleEndian.Uint32(data[4*k:])))
		} else {
			v[k] = math.Float64frombits(binary.LittleEndian.Uint64(data[8*k:]))
		}
	}
	return nil
}
