package embedding

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"os"
	"slices"
	"strings"
	"unsafe"

	"github.com/sotto-dp/sotto/internal/whole"
)

// The mapped format, little-endian: a header of 128 bytes (magic, version, kind
// of values, words, dimensions, unknown entry, length of the spellings, step,
// digest, name, checksum of the header), the spellings, each ended by a zero
// byte, zeros up to a multiple of 64, and the grid values row after row.
const (
	mappedMagic   = "SOTTOTAB"
	mappedVersion = 1
	mappedHeader  = 128
	mappedName    = 44
	kindInt8      = 1
	kindFloat32   = 4
)

// WriteFile writes a table in the mapped format, whole or not at all.
func WriteFile(path string, t *Table) error {
	f, err := whole.Create(path)
	if err != nil {
		return err
	}
	defer f.Cleanup() //nolint:errcheck // nothing is left behind
	text := strings.Join(t.words, "\x00") + "\x00"
	head := t.header(len(text))
	if _, err := f.Write(head); err != nil {
		return err
	}
	if _, err := io.WriteString(f, text); err != nil {
		return err
	}
	if _, err := f.Write(make([]byte, valuesAt(len(text))-mappedHeader-len(text))); err != nil {
		return err
	}
	if t.narrow != nil {
		_, err = f.Write(unsafe.Slice((*byte)(unsafe.Pointer(&t.narrow[0])), len(t.narrow)))
	} else {
		for values := range slices.Chunk(t.wide, 1<<16) {
			if err == nil {
				err = binary.Write(f, binary.LittleEndian, values)
			}
		}
	}
	if err != nil {
		return err
	}
	return f.CloseAtomicallyReplace()
}

func valuesAt(text int) int { return (mappedHeader + text + 63) / 64 * 64 }

func (t *Table) header(text int) []byte {
	h := make([]byte, mappedHeader)
	copy(h, mappedMagic)
	kind := uint32(kindFloat32)
	if t.narrow != nil {
		kind = kindInt8
	}
	for i, v := range []uint32{mappedVersion, kind, uint32(len(t.words)), uint32(t.dim), uint32(t.unknown), uint32(text)} {
		binary.LittleEndian.PutUint32(h[8+4*i:], v)
	}
	binary.LittleEndian.PutUint64(h[32:], math.Float64bits(t.step))
	digest := t.sum()
	copy(h[40:72], digest[:])
	copy(h[72:72+mappedName], t.name)
	binary.LittleEndian.PutUint32(h[mappedHeader-4:], crc32.ChecksumIEEE(h[:mappedHeader-4]))
	return h
}

// openMapped maps a file of size bytes. The map lives as long as the program.
func openMapped(f *os.File, size int64) (*Table, error) {
	if size < mappedHeader {
		return nil, fault("", "a table of %d bytes, must be %d at least", size, mappedHeader)
	}
	data, err := mapFile(f, size)
	if err != nil {
		return nil, fault("", "%v", err)
	}
	h := data[:mappedHeader]
	if crc32.ChecksumIEEE(h[:mappedHeader-4]) != binary.LittleEndian.Uint32(h[mappedHeader-4:]) {
		return nil, fault("byte 0", "the header is damaged")
	}
	u32 := func(at int) int { return int(binary.LittleEndian.Uint32(h[at:])) }
	if v := u32(8); v != mappedVersion {
		return nil, fault("byte 8", "version %d of the format, must be %d: import the vectors again", v, mappedVersion)
	}
	kind, n, dim, unknown, text := u32(12), u32(16), u32(20), u32(24), u32(28)
	if kind != kindInt8 && kind != kindFloat32 || dim < 1 || dim > MaxDim || n < 1 || unknown >= n {
		return nil, fault("byte 12", "the header is not that of a table")
	}
	at := valuesAt(text)
	if want := int64(at) + int64(n)*int64(dim)*int64(kind); size != want {
		return nil, fault("", "%d bytes, must be %d", size, want)
	}
	t := &Table{name: strings.TrimRight(string(h[72:72+mappedName]), "\x00"), dim: dim,
		step: math.Float64frombits(binary.LittleEndian.Uint64(h[32:])), unknown: ID(unknown)}
	// A certificate rests on these two: distances are exact integers of steps.
	if frac, _ := math.Frexp(t.step); frac != 0.5 {
		return nil, fault("byte 32", "a step of %g, must be a power of two", t.step)
	}
	if kind == kindInt8 && dim > maxNarrowDim {
		return nil, fault("byte 20", "%d dimensions, must be 1 to %d on an int8 grid", dim, maxNarrowDim)
	}
	copy(t.digest[:], h[40:72])
	t.digested.Do(func() {})
	spellings := unsafe.String(&data[mappedHeader], text)
	t.words = make([]string, 0, n)
	for len(spellings) > 0 && len(t.words) < n {
		w, rest, _ := strings.Cut(spellings, "\x00")
		t.words, spellings = append(t.words, w), rest
	}
	if len(t.words) != n || len(spellings) > 0 {
		return nil, fault(fmt.Sprintf("byte %d", mappedHeader), "the spellings are damaged")
	}
	values := data[at:]
	if kind == kindInt8 {
		t.narrow = unsafe.Slice((*int8)(unsafe.Pointer(&values[0])), len(values))
	} else if littleEndian {
		t.wide = unsafe.Slice((*float32)(unsafe.Pointer(&values[0])), len(values)/4)
	} else {
		t.wide = make([]float32, len(values)/4)
		for i := range t.wide {
			t.wide[i] = math.Float32frombits(binary.LittleEndian.Uint32(values[4*i:]))
		}
	}
	return t, t.buildIndex()
}

var littleEndian = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

// Verify recomputes the digest of all values and compares it with the one the
// table was opened with.
func (t *Table) Verify() error {
	if t.hash() != t.sum() {
		return fmt.Errorf("embedding: %s: the values are not those of its digest: the file is damaged", t.name)
	}
	return nil
}
