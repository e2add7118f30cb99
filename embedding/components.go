package embedding

import (
	"encoding/binary"
	"io"
	"math"
	"slices"
	"sync"
	"unsafe"
)

// vectors are those of a table: held, or read when they are used.
type vectors struct {
	held components
	read func() (components, error) // nil: they are held
	once sync.Once
	err  error // of reading them
}

// hold reads the vectors unless they are held.
func (v *vectors) hold() error {
	v.once.Do(func() {
		if v.read != nil {
			v.held, v.err = v.read()
		}
	})
	return v.err
}

// components are integers, in steps: component k of word i is at i*dim+k. Those of a narrow
// table are all within int8. One of the two is nil.
type components struct {
	narrow []int8
	wide   []float32
}

func makeComponents(kind, n int) components {
	if kind == kindInt8 {
		return components{narrow: make([]int8, n)}
	}
	return components{wide: make([]float32, n)}
}

func (c components) at(i int) float64 {
	if c.narrow != nil {
		return float64(c.narrow[i])
	}
	return float64(c.wide[i])
}

func (c components) part(from, to int) components {
	if c.narrow != nil {
		return components{narrow: c.narrow[from:to]}
	}
	return components{wide: c.wide[from:to]}
}

func (c *components) append(more components) {
	c.narrow, c.wide = append(c.narrow, more.narrow...), append(c.wide, more.wide...)
}

// bytes returns the memory of the components.
func (c components) bytes() []byte {
	if c.narrow != nil {
		return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(c.narrow))), len(c.narrow))
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(c.wide))), 4*len(c.wide))
}

// read fills the components from a table file.
func (c components) read(f io.Reader) error {
	data := c.bytes()
	if _, err := io.ReadFull(f, data); err != nil {
		return unexpected(err, "", "the vectors")
	}
	if !littleEndian {
		for i := range c.wide {
			c.wide[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
		}
	}
	return nil
}

// write writes the components as a table file has them.
func (c components) write(f io.Writer) (err error) {
	if c.narrow != nil || littleEndian {
		_, err = f.Write(c.bytes())
		return err
	}
	for values := range slices.Chunk(c.wide, 1<<16) {
		if err == nil {
			err = binary.Write(f, binary.LittleEndian, values)
		}
	}
	return err
}

// offGrid returns the index of the first value that is not an integer, or is
// beyond the range in which squared distances of dim dimensions are exact. It
// returns -1 if there is none.
func (c components) offGrid(dim int) int {
	limit := float32(int(1) << gridBits(dim))
	for i, v := range c.wide {
		// NaN and infinities fail the first comparison.
		if !(v >= -limit && v <= limit) || float32(int32(v)) != v {
			return i
		}
	}
	return -1
}

var littleEndian = binary.NativeEndian.Uint16([]byte{1, 0}) == 1
