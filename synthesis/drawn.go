package synthesis

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"strings"
)

// Drawn identifies the rows of an output, whatever their order and the format of its file. It
// tells a release from another file, and is no protection from who writes both.
type Drawn struct {
	Rows int64 `json:"rows"`
	// SHA256 is the sum of the SHA-256 of the rows, as four numbers modulo 2^64.
	SHA256 string `json:"sha256"`
}

// Tally computes [Drawn]. Its zero value is that of no rows.
type Tally struct {
	rows int64
	sum  [sha256.Size / 8]uint64
	row  []byte
}

// Add adds a row: a label for each column, the text and its weight, 1 where there is none. The
// words of labels and text count, not what is between them: formats of lines hold no line breaks
// and tabs.
func (t *Tally) Add(labels []string, text []byte, weight float64) {
	t.row = binary.BigEndian.AppendUint64(t.row[:0], uint64(len(labels)))
	for _, label := range labels {
		words := strings.Join(strings.Fields(label), " ")
		t.row = append(binary.BigEndian.AppendUint64(t.row, uint64(len(words))), words...)
	}
	t.row = binary.BigEndian.AppendUint64(t.row, math.Float64bits(weight))
	for word := range bytes.FieldsSeq(text) {
		t.row = append(append(t.row, word...), ' ')
	}
	digest := sha256.Sum256(t.row)
	for i := range t.sum {
		t.sum[i] += binary.BigEndian.Uint64(digest[8*i:])
	}
	t.rows++
}

// Drawn returns what identifies the rows so far.
func (t *Tally) Drawn() Drawn {
	var sum []byte
	for _, word := range t.sum {
		sum = binary.BigEndian.AppendUint64(sum, word)
	}
	return Drawn{t.rows, hex.EncodeToString(sum)}
}
