package corpus

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/sotto-dp/sotto/files/atomicfile"
	"github.com/sotto-dp/sotto/internal/parallel"
)

// A corpus file, little-endian: a header of 64 bytes (magic, version, number of sections,
// size of the file, zeros), a table with an entry of 64 bytes per section (number, zeros,
// offset, length, SHA-256, zeros), the SHA-256 of header and table, and the sections.
// Each section begins at the next multiple of 64 after the one before it, and the bytes
// between are zero. A file has therefore only one form: sections cannot overlap, and
// nothing can be hidden between them.
const (
	fileMagic   = "SOTTOCRP"
	fileVersion = 1
	headerSize  = 64
	entrySize   = 64
	alignment   = 64
)

// The sections, which are all in every file. A section that a corpus does not need is
// empty.
const (
	sectionCard     = iota // Card as JSON
	sectionOffsets         // uint64 each: where each text begins; the end of the last
	sectionTexts           // UTF-8, concatenated
	sectionVectors         // packed, see package inner
	sectionWeights         // uint16 per word of the table
	sectionMean            // float64 per dimension of the encoder
	sectionTerms           // vocabulary of LSA, sorted, separated by line feeds
	sectionRows            // int16: terms x dimensions of LSA
	sectionCentres         // int8: clusters x dimensions, one clustering after another
	sectionClusters        // uint32 per clustering and text: its cluster
	sectionCount
)

// claimed are the sections that Digest covers, together with the encoder's card.
var claimed = []int{sectionOffsets, sectionTexts, sectionVectors, sectionWeights, sectionMean, sectionTerms, sectionRows}

// sectionsAt is the offset of the first section.
const sectionsAt = (headerSize + entrySize*sectionCount + sha256.Size + alignment - 1) / alignment * alignment

func align(n uint64) uint64 { return (n + alignment - 1) / alignment * alignment }

// seal computes the digests of the content.
func (c *Corpus) seal() error {
	data, err := json.Marshal(c.card)
	if err != nil {
		return err
	}
	c.content[sectionCard] = data
	c.hash()
	c.digest, err = c.claimDigest()
	return err
}

// hash computes the digests of all sections at once.
func (c *Corpus) hash() {
	parallel.Each(len(c.content), func(i int) { c.digests[i] = sha256.Sum256(c.content[i]) })
}

// claimDigest returns the digest of everything that a claim depends on, from the
// sections' digests.
func (c *Corpus) claimDigest() (string, error) {
	identity, err := json.Marshal(struct {
		Texts, Dimensions, Radius int
		Encoder                   EncoderCard
	}{c.card.Texts, c.card.Dimensions, Radius(c.card.Dimensions), c.card.Encoder})
	if err != nil {
		return "", err
	}
	h := sha256.New()
	h.Write([]byte("sotto-corpus 1\x00"))
	h.Write(binary.LittleEndian.AppendUint64(nil, uint64(len(identity))))
	h.Write(identity)
	for _, i := range claimed {
		h.Write(c.digests[i][:])
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// WriteFile writes a corpus file, whole or not at all.
func (c *Corpus) WriteFile(path string) error {
	f, err := atomicfile.Create(path)
	if err != nil {
		return err
	}
	defer f.Cleanup() //nolint:errcheck // leaves nothing behind
	if err := c.Write(f); err != nil {
		return err
	}
	return f.CloseAtomicallyReplace()
}

// Write writes what [Corpus.WriteFile] puts into a file.
func (c *Corpus) Write(w io.Writer) error {
	if _, err := w.Write(c.header()); err != nil {
		return err
	}
	at := uint64(sectionsAt)
	for _, data := range c.content {
		if _, err := w.Write(make([]byte, align(at)-at)); err != nil {
			return err
		}
		if _, err := w.Write(data); err != nil {
			return err
		}
		at = align(at) + uint64(len(data))
	}
	return nil
}

// header returns everything before the first section.
func (c *Corpus) header() []byte {
	h := make([]byte, sectionsAt)
	copy(h, fileMagic)
	binary.LittleEndian.PutUint32(h[8:], fileVersion)
	binary.LittleEndian.PutUint32(h[12:], sectionCount)
	at := uint64(sectionsAt)
	for i, data := range c.content {
		at = align(at)
		e := h[headerSize+entrySize*i:]
		binary.LittleEndian.PutUint32(e, uint32(i))
		binary.LittleEndian.PutUint64(e[8:], at)
		binary.LittleEndian.PutUint64(e[16:], uint64(len(data)))
		copy(e[24:56], c.digests[i][:])
		at += uint64(len(data))
	}
	binary.LittleEndian.PutUint64(h[16:], at)
	sum := sha256.Sum256(h[:headerSize+entrySize*sectionCount])
	copy(h[headerSize+entrySize*sectionCount:], sum[:])
	return h
}

func joinTerms(terms []string) []byte { return []byte(strings.Join(terms, "\n")) }

func splitTerms(data []byte) []string {
	if len(data) == 0 {
		return nil
	}
	return strings.Split(string(data), "\n")
}

func floatBytes(v []float64) []byte {
	var b bytes.Buffer
	for _, x := range v {
		b.Write(binary.LittleEndian.AppendUint64(nil, math.Float64bits(x)))
	}
	return b.Bytes()
}

func floats(data []byte) []float64 {
	v := make([]float64, len(data)/8)
	for i := range v {
		v[i] = math.Float64frombits(binary.LittleEndian.Uint64(data[8*i:]))
	}
	return v
}

func damaged(format string, args ...any) error {
	return &FileError{What: fmt.Sprintf(format, args...)}
}
