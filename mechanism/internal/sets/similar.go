package sets

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism"
)

// mostSimilarBytes bounds a file of similar words.
const mostSimilarBytes = 1 << 28

// ReadSimilar reads a public file of similar words. Words that the table lacks
// are ignored; a file that names no two words of the table is refused.
func ReadSimilar(spec mechanism.Spec, path string, table *embedding.Table) (map[embedding.ID][]uint32, string, error) {
	f, err := spec.Open(path)
	if err != nil {
		var cause *fs.PathError
		if errors.As(err, &cause) {
			err = cause.Err
		}
		return nil, "", fmt.Errorf("neighbours: similar: %s: %w", path, err)
	}
	defer f.Close()
	left := &io.LimitedReader{R: f, N: mostSimilarBytes + 1}
	sum := sha256.New()
	lines := bufio.NewScanner(io.TeeReader(left, sum))
	lines.Buffer(nil, 1<<24)
	similar := map[embedding.ID][]uint32{}
	for line := 1; lines.Scan(); line++ {
		fields := strings.Fields(lines.Text())
		if len(fields) == 0 {
			continue
		}
		x, ok := table.Lookup(fields[0])
		if !ok || table.Listed(fields[0]) {
			continue
		}
		if _, again := similar[x]; again {
			return nil, "", fmt.Errorf("neighbours: similar: %s: line %d: the word %q has a line before", path, line, fields[0])
		}
		var ys []uint32
		for _, w := range fields[1:] {
			if y, ok := table.Lookup(w); ok && y != x && !table.Listed(w) {
				ys = append(ys, uint32(y))
			}
		}
		if len(ys) > 0 {
			similar[x] = ys
		}
	}
	if err := lines.Err(); err != nil {
		return nil, "", fmt.Errorf("neighbours: similar: %s: %w", path, err)
	}
	if left.N == 0 {
		return nil, "", fmt.Errorf("neighbours: similar: %s: the file has more than %d bytes", path, mostSimilarBytes)
	}
	if len(similar) == 0 {
		return nil, "", fmt.Errorf("neighbours: similar: %s: no line has a word of the table with a similar one", path)
	}
	return similar, hex.EncodeToString(sum.Sum(nil)), nil
}
