package embedding

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"strings"
	"unsafe"

	"github.com/sotto-dp/sotto/embedding/internal/spellings"
	"github.com/sotto-dp/sotto/files/atomicfile"
)

// A table file, little-endian: a header of 128 bytes (magic, version, kind of
// values, words, dimensions, unknown entry, length of the spellings, step,
// digest, name, length of the extension, checksum of the header), the spellings,
// each ended by a zero byte, zeros up to a multiple of 64, the grid values row
// after row, and the extension: see extension.go. A file without an extension has
// version 1, one with it version 2 or 3.
const (
	fileMagic = "SOTTOTAB"

	fileHeader  = 128
	fileName    = 44
	kindInt8    = 1
	kindFloat32 = 4
)

// WriteFile writes a table file atomically.
func WriteFile(path string, t *Table) error {
	f, err := atomicfile.Create(path)
	if err != nil {
		return err
	}
	defer f.Cleanup() //nolint:errcheck // nothing is left behind
	if err := Write(f, t); err != nil {
		return err
	}
	return f.CloseAtomicallyReplace()
}

// Write writes what [WriteFile] puts into a file.
func Write(w io.Writer, t *Table) error {
	if t.never != nil {
		return errCut
	}
	if err := t.Hold(); err != nil {
		return err
	}
	text := t.words.Text()
	head := t.header(len(text))
	if _, err := w.Write(head); err != nil {
		return err
	}
	if _, err := io.WriteString(w, text); err != nil {
		return err
	}
	if _, err := w.Write(make([]byte, valuesAt(len(text))-fileHeader-len(text))); err != nil {
		return err
	}
	if err := t.components().write(w); err != nil {
		return err
	}
	if t.extended() {
		if _, err := w.Write(t.extension()); err != nil {
			return err
		}
	}
	return nil
}

func valuesAt(text int) int { return (fileHeader + text + 63) / 64 * 64 }

func (t *Table) header(text int) []byte {
	h := make([]byte, fileHeader)
	copy(h, fileMagic)
	kind := uint32(kindFloat32)
	if t.components().narrow != nil {
		kind = kindInt8
	}
	version := t.version()
	if t.extended() {
		binary.LittleEndian.PutUint64(h[extensionAt:], uint64(len(t.extension())))
	}
	for i, v := range []uint32{version, kind, uint32(t.Len()), uint32(t.dim), uint32(t.unknown), uint32(text)} {
		binary.LittleEndian.PutUint32(h[8+4*i:], v)
	}
	binary.LittleEndian.PutUint64(h[32:], math.Float64bits(t.step))
	digest := t.sum()
	copy(h[40:72], digest[:])
	copy(h[72:72+fileName], t.name)
	binary.LittleEndian.PutUint32(h[fileHeader-4:], crc32.ChecksumIEEE(h[:fileHeader-4]))
	return h
}

// readTable reads a table file of size bytes and refuses it unless its words and
// values have the digest that its header states. The bytes hashed here are the
// bytes used, whatever happens to the file later. Without hold the values are
// hashed and not kept.
func readTable(f io.Reader, size int64, hold bool) (*Table, error) {
	if size < fileHeader {
		return nil, fault("", "a table of %d bytes, want %d at least: the file is cut off", size, fileHeader)
	}
	h := make([]byte, fileHeader)
	if _, err := io.ReadFull(f, h); err != nil {
		return nil, unexpected(err, "byte 0", "the header")
	}
	if crc32.ChecksumIEEE(h[:fileHeader-4]) != binary.LittleEndian.Uint32(h[fileHeader-4:]) {
		return nil, fault("byte 0", "the header is damaged")
	}
	u32 := func(at int) int { return int(binary.LittleEndian.Uint32(h[at:])) }
	extension, err := extensionLength(h)
	if err != nil {
		return nil, err
	}
	kind, n, dim, unknown, text := u32(12), u32(16), u32(20), u32(24), u32(28)
	if kind != kindInt8 && kind != kindFloat32 || dim < 1 || dim > MaxDim || n < 1 || unknown >= n {
		return nil, fault("byte 12", "the header is not that of a table")
	}
	at := valuesAt(text)
	if want := int64(at) + int64(n)*int64(dim)*int64(kind) + extension; size != want {
		return nil, fault("", "%d bytes, want %d: the file is cut off or damaged, import the vectors again", size, want)
	}
	t := &Table{name: strings.TrimRight(string(h[72:72+fileName]), "\x00"), dim: dim,
		step: math.Float64frombits(binary.LittleEndian.Uint64(h[32:])), unknown: ID(unknown)}
	// Certificates rely on these two: distances are exact integers of steps.
	if frac, _ := math.Frexp(t.step); frac != 0.5 {
		return nil, fault("byte 32", "a step of %g, want a power of two", t.step)
	}
	if kind == kindInt8 && dim > maxNarrowDim {
		return nil, fault("byte 20", "%d dimensions, want 1 to %d on an int8 grid", dim, maxNarrowDim)
	}
	if err := t.readWords(f, n, text, at-fileHeader); err != nil {
		return nil, err
	}
	sum := t.beginSum(uint32(u32(8)))
	if err := t.readVectors(f, sum, at, kind, hold); err != nil {
		return nil, err
	}
	if err := t.readExtension(f, extension, uint32(u32(8))); err != nil {
		return nil, err
	}
	t.digested.Do(func() { t.digest = t.endSum(sum) })
	if string(t.digest[:]) != string(h[40:72]) {
		return nil, fault("", "the words and vectors do not have the digest that the file states: the file is damaged, import the vectors again")
	}
	if err := t.buildIndex(); err != nil {
		return nil, err
	}
	return t, t.fits()
}

// readWords reads n spellings: text bytes, then padding up to padded bytes.
func (t *Table) readWords(f io.Reader, n, text, padded int) error {
	data := make([]byte, padded)
	if _, err := io.ReadFull(f, data); err != nil {
		return unexpected(err, fmt.Sprintf("byte %d", fileHeader), "the spellings")
	}
	var ok bool
	// Nothing writes to data from now on.
	if t.words, ok = spellings.Parse(unsafe.String(unsafe.SliceData(data), text), n); !ok {
		return fault(fmt.Sprintf("byte %d", fileHeader), "the spellings are damaged")
	}
	return nil
}

// readVectors reads the vectors of a table file, which begin at a byte, and adds them to a
// sum. It keeps them or else one block of them at a time.
func (t *Table) readVectors(f io.Reader, sum *sum, at, kind int, hold bool) error {
	const most = 1 << 14
	n := t.Len() * t.dim
	block := makeComponents(kind, min(n, most))
	if hold {
		t.vectors.held = makeComponents(kind, n)
	}
	for from := 0; from < n; from += most {
		part := block.part(0, min(n-from, most))
		if hold {
			part = t.vectors.held.part(from, min(n, from+most))
		}
		if err := part.read(f); err != nil {
			return err
		}
		if i := part.offGrid(t.dim); i >= 0 {
			i += from
			return fault(fmt.Sprintf("byte %d", at+i*kind), "word %d has a component that is not on the grid: the file is damaged, import the vectors again", i/t.dim+1)
		}
		sum.values(part)
	}
	return nil
}
