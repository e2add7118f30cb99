package embedding

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"math"
	"slices"
)

// Digest returns the SHA-256 of everything the metric depends on, in hexadecimal.
func (t *Table) Digest() string {
	digest := t.sum()
	return hex.EncodeToString(digest[:])
}

// sum returns the table's digest, computed when first asked for.
func (t *Table) sum() [sha256.Size]byte {
	t.digested.Do(func() { t.digest = t.hash() })
	return t.digest
}

// hash returns the digest of a table in memory.
func (t *Table) hash() [sha256.Size]byte {
	sum := t.beginSum(t.version())
	sum.values(t.components())
	return t.endSum(sum)
}

// A sum is SHA-256 over words, shape, step, grid values, the words that were left out
// with what they are read as, the counts and the rules of segmentation: what a certificate
// is bound to. The name is not part of it. Values are added as they are read.
type sum struct {
	hash.Hash
	buf [1 << 14]byte
}

// beginSum returns the sum of what precedes the values, for a version of the format.
func (t *Table) beginSum(version uint32) *sum {
	h := &sum{Hash: sha256.New()}
	var head [32]byte
	copy(head[:], fmt.Sprint("sotto table ", version))
	binary.LittleEndian.PutUint32(head[16:], uint32(t.Len()))
	binary.LittleEndian.PutUint32(head[20:], uint32(t.dim))
	binary.LittleEndian.PutUint64(head[24:], math.Float64bits(t.step))
	h.Write(head[:])
	for text := t.words.Text(); text != ""; {
		n := copy(h.buf[:], text)
		h.Write(h.buf[:n])
		text = text[n:]
	}
	return h
}

// values adds grid values.
func (h *sum) values(c components) {
	for values := range slices.Chunk(c.narrow, len(h.buf)/4) {
		for i, v := range values {
			binary.LittleEndian.PutUint32(h.buf[4*i:], uint32(int32(v)))
		}
		h.Write(h.buf[:4*len(values)])
	}
	for values := range slices.Chunk(c.wide, len(h.buf)/4) {
		for i, v := range values {
			binary.LittleEndian.PutUint32(h.buf[4*i:], uint32(int32(v)))
		}
		h.Write(h.buf[:4*len(values)])
	}
}

// endSum adds what follows the values, whose number the head states.
func (t *Table) endSum(h *sum) (digest [sha256.Size]byte) {
	for i, word := range t.leftOut.All() {
		h.Write(append([]byte(word), 0))
		h.Write(binary.LittleEndian.AppendUint32(nil, uint32(t.readAs[i])))
	}
	if t.extended() {
		extension := t.extension()
		h.Write(binary.LittleEndian.AppendUint64(extension, uint64(len(extension))))
	}
	h.Sum(digest[:0])
	return digest
}
