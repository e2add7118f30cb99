package embedding

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
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

// hash returns SHA-256 over words, shape, step, grid values, the words that were left out
// with what they are read as, the counts and the rules of segmentation: what a certificate
// is bound to. The name is not part of it.
func (t *Table) hash() (digest [sha256.Size]byte) {
	h := sha256.New()
	var head [32]byte
	copy(head[:], "sotto table 1")
	if t.extended() {
		copy(head[:], "sotto table 2")
	}
	if t.subwords != nil {
		copy(head[:], "sotto table 3")
	}
	binary.LittleEndian.PutUint32(head[16:], uint32(len(t.words)))
	binary.LittleEndian.PutUint32(head[20:], uint32(t.dim))
	binary.LittleEndian.PutUint64(head[24:], math.Float64bits(t.step))
	h.Write(head[:])
	for _, w := range t.words {
		h.Write([]byte(w))
		h.Write([]byte{0})
	}
	var buf [1 << 14]byte
	for values := range slices.Chunk(t.narrow, len(buf)/4) {
		for i, v := range values {
			binary.LittleEndian.PutUint32(buf[4*i:], uint32(int32(v)))
		}
		h.Write(buf[:4*len(values)])
	}
	for values := range slices.Chunk(t.wide, len(buf)/4) {
		for i, v := range values {
			binary.LittleEndian.PutUint32(buf[4*i:], uint32(int32(v)))
		}
		h.Write(buf[:4*len(values)])
	}
	for _, a := range t.aliases { // they follow the values, whose number the head states
		h.Write([]byte(a.word))
		h.Write([]byte{0})
		h.Write(binary.LittleEndian.AppendUint32(nil, uint32(a.as)))
	}
	if t.extended() {
		extension := t.extension()
		h.Write(binary.LittleEndian.AppendUint64(extension, uint64(len(extension))))
	}
	h.Sum(digest[:0])
	return digest
}
