// Package identity identifies the rows of a release: a statement has a digest of them, and a file
// has the statement's claim if its rows have the same one.
//
// A digest is computed from what comes out and from nothing else. It depends neither on the
// order of the rows nor on the format of their file, and digests of parts add up to that of the
// whole.
package identity

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"math"
	"strings"
)

// Drawn identifies rows. It tells a release from another file, and is no protection from who
// writes both. The zero value says that the rows are not known.
type Drawn struct {
	Rows int64 `json:"rows"`
	// SHA256 is the sum of the SHA-256 of the rows, as four numbers modulo 2^64.
	SHA256 string `json:"sha256"`
}

// sum is a sum of digests.
type sum [sha256.Size / 8]uint64

func (s *sum) add(digest []byte) {
	for i := range s {
		s[i] += binary.BigEndian.Uint64(digest[8*i:])
	}
}

func (s *sum) String() string {
	var digest []byte
	for _, word := range s {
		digest = binary.BigEndian.AppendUint64(digest, word)
	}
	return hex.EncodeToString(digest)
}

// Check refuses what no rows have.
func (d Drawn) Check() error {
	if digest, err := hex.DecodeString(d.SHA256); err != nil || len(digest) != sha256.Size || strings.ToLower(d.SHA256) != d.SHA256 || d.Rows < 0 {
		return errors.New("drawn: not the number and the digest of rows")
	}
	return nil
}

// Plus returns what identifies the rows of two parts together; the zero value if those of one
// are not known.
func (d Drawn) Plus(o Drawn) Drawn {
	if d.Check() != nil || o.Check() != nil {
		return Drawn{}
	}
	var both sum
	for _, part := range []string{d.SHA256, o.SHA256} {
		digest, _ := hex.DecodeString(part) // it was checked
		both.add(digest)
	}
	return Drawn{d.Rows + o.Rows, both.String()}
}

// Tally computes [Drawn]. Its zero value is that of no rows.
type Tally struct {
	rows int64
	sum  sum
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
	if spaced(text) {
		t.row = append(append(t.row, text...), ' ')
	} else {
		for word := range bytes.FieldsSeq(text) {
			t.row = append(append(t.row, word...), ' ')
		}
	}
	digest := sha256.Sum256(t.row)
	t.sum.add(digest[:])
	t.rows++
	if cap(t.row) > mostKept {
		t.row = nil
	}
}

// mostKept bounds the memory that is kept from one row to the next.
const mostKept = 1 << 20

// AddText adds a released text, unless it has no words: formats differ in whether such a text is
// a row.
func (t *Tally) AddText(text []byte) {
	if spaced(text) || len(bytes.TrimSpace(text)) > 0 {
		t.Add(nil, text, 1)
	}
}

// OfTexts returns what identifies released texts.
func OfTexts(texts [][]byte) Drawn {
	var t Tally
	for _, one := range texts {
		t.AddText(one)
	}
	return t.Drawn()
}

// Drawn returns what identifies the rows so far.
func (t *Tally) Drawn() Drawn { return Drawn{t.rows, t.sum.String()} }

// spaced reports whether the words of a text are surely separated by single spaces, as those that
// are drawn are. It takes eight bytes at once where they are ASCII and no control characters.
func spaced(text []byte) bool {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	before := uint64(1) // whether the last byte was a space
	at := 0
	for ; at+8 <= len(text); at += 8 {
		w := binary.LittleEndian.Uint64(text[at:])
		if (w|(w-' '*ones))&highs != 0 {
			if !spacedSlowly(text[at:at+8], &before) {
				return false
			}
			continue
		}
		spaces := ^((w ^ ' '*ones) + (highs - ones)) & highs // the high bit of each
		if spaces&(spaces<<8|before<<7) != 0 {
			return false
		}
		before = spaces >> 63
	}
	return spacedSlowly(text[at:], &before) && before == 0
}

// spacedSlowly is spaced for the next bytes. No byte may begin a space beyond ASCII.
func spacedSlowly(text []byte, before *uint64) bool {
	for _, c := range text {
		switch c {
		case ' ':
			if *before == 1 {
				return false
			}
			*before = 1
			continue
		case '\t', '\n', '\v', '\f', '\r', 0xc2, 0xe1, 0xe2, 0xe3:
			return false
		}
		*before = 0
	}
	return true
}
