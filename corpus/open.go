package corpus

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"unicode/utf8"

	"github.com/sotto-dp/sotto/internal/nearest"
	"github.com/sotto-dp/sotto/internal/simd/inner"
)

// FileError reports an invalid corpus file.
type FileError struct {
	Path  string
	What  string
	cause error
}

// Unwrap returns the operating system's error, if there was one.
func (e *FileError) Unwrap() error { return e.cause }

func (e *FileError) Error() string { return e.Path + ": " + e.What }

func damaged(format string, args ...any) error {
	return &FileError{What: fmt.Sprintf(format, args...)}
}

// Open reads a corpus file and refuses it unless its digests hold, which takes about two
// seconds per gigabyte. The file is read and not mapped, so that the bytes in use are the
// verified ones: a later change of a mapped file would change what is drawn from, or
// crash the program.
func Open(path string) (*Corpus, error) {
	c, err := open(path)
	if f := new(FileError); errors.As(err, &f) {
		f.Path = path
	}
	return c, err
}

func open(path string) (*Corpus, error) {
	f, err := os.Open(path)
	if err != nil {
		var p *os.PathError
		if errors.As(err, &p) {
			return nil, &FileError{What: p.Err.Error(), cause: err}
		}
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, damaged("not a regular file")
	}
	if info.Size() > math.MaxInt {
		return nil, damaged("%d bytes: more than this machine can address", info.Size())
	}
	data := make([]byte, info.Size())
	if _, err := io.ReadFull(f, data); err != nil {
		return nil, &FileError{What: "cannot read: " + err.Error(), cause: err}
	}
	return parse(data)
}

const notACorpus = "not a corpus"

// IsOther reports whether an error is about a file that does not begin as a corpus does.
func (e *FileError) IsOther() bool { return e.What == notACorpus }

// parse checks a file's bytes and returns the corpus, which keeps a reference to them.
func parse(data []byte) (*Corpus, error) {
	c := &Corpus{}
	if err := c.sections(data); err != nil {
		return nil, err
	}
	stated := c.digests
	c.hash()
	for i := range stated {
		if c.digests[i] != stated[i] {
			return nil, damaged("wrong digest of section %d: the file is damaged", i)
		}
	}
	if err := c.readCard(); err != nil {
		return nil, err
	}
	if err := c.checkTexts(); err != nil {
		return nil, err
	}
	if err := c.checkEncoder(); err != nil {
		return nil, err
	}
	var err error
	if c.digest, err = c.claimDigest(); err != nil {
		return nil, err
	}
	c.table = nearest.New(c.content[sectionVectors], c.Len(), c.Dim())
	return c, nil
}

// sections finds the sections and their stated digests.
func (c *Corpus) sections(data []byte) error {
	const table = headerSize + entrySize*sectionCount
	if !bytes.HasPrefix(data, []byte(fileMagic)) {
		return damaged(notACorpus)
	}
	if len(data) < sectionsAt {
		return damaged("%d bytes: the file is truncated", len(data))
	}
	if v := binary.LittleEndian.Uint32(data[8:]); v != fileVersion {
		return damaged("version %d of the format, want %d: build the corpus again", v, fileVersion)
	}
	if sum := sha256.Sum256(data[:table]); string(sum[:]) != string(data[table:table+sha256.Size]) {
		return damaged("wrong digest of the header: the file is damaged")
	}
	size := binary.LittleEndian.Uint64(data[16:])
	if n := binary.LittleEndian.Uint32(data[12:]); n != sectionCount || !isZeroed(data[24:headerSize]) {
		return damaged("the header is invalid")
	}
	if size != uint64(len(data)) {
		return damaged("%d bytes, want %d: the file is truncated or too long", len(data), size)
	}
	end := uint64(table + sha256.Size)
	for i := range c.content {
		e := data[headerSize+entrySize*i:][:entrySize]
		at, length := binary.LittleEndian.Uint64(e[8:]), binary.LittleEndian.Uint64(e[16:])
		if binary.LittleEndian.Uint32(e) != uint32(i) || !isZeroed(e[4:8]) || !isZeroed(e[56:]) ||
			at != max(align(end), sectionsAt) || at > size || length > size-at {
			return damaged("section %d is at a wrong offset", i)
		}
		if !isZeroed(data[end:at]) {
			return damaged("the padding before section %d is not zero", i)
		}
		c.content[i] = data[at : at+length : at+length]
		copy(c.digests[i][:], e[24:56])
		end = at + length
	}
	if end != size {
		return damaged("the padding after the last section is not zero")
	}
	return nil
}

func isZeroed(data []byte) bool {
	for _, b := range data {
		if b != 0 {
			return false
		}
	}
	return true
}

// readCard decodes the card, which has one form only, and checks its numbers against the
// sections.
func (c *Corpus) readCard() error {
	if err := json.Unmarshal(c.content[sectionCard], &c.card); err != nil {
		return damaged("the description is invalid")
	}
	if again, err := json.Marshal(c.card); err != nil || !bytes.Equal(again, c.content[sectionCard]) {
		return damaged("the description is invalid")
	}
	card := c.card
	switch {
	case card.Texts < 1 || card.Texts > math.MaxUint32 || len(c.content[sectionOffsets]) != 8*(card.Texts+1):
		return damaged("the number of texts does not match the offsets")
	case card.Dimensions < 1 || card.Dimensions > MaxDim:
		return damaged("it has %d dimensions, want 1 to %d", card.Dimensions, MaxDim)
	case len(c.content[sectionVectors]) != inner.Blocks(card.Texts)*inner.BlockSize(card.Dimensions):
		return damaged("the vectors do not have the size of %d texts of %d dimensions", card.Texts, card.Dimensions)
	case !CanName(card.Name):
		return damaged("the name is invalid")
	}
	return c.checkClusters()
}

// checkClusters checks the sizes of the clusterings, and that each text is in a cluster.
func (c *Corpus) checkClusters() error {
	sizes, all, last := c.card.clusterings(), 0, 0
	if c.card.Clusters < 0 || c.card.Clusters == 0 && len(c.card.Clusterings) > 0 {
		return damaged("the clusters do not have the size of %d clusters", c.card.Clusters)
	}
	for i, n := range sizes {
		if n < 1 || n > min(c.Len(), MaxClusters) || i > 0 && (n <= last || n == sizes[0]) {
			return damaged("the clusters do not have the size of %d clusters", n)
		}
		if all += n; i > 0 {
			last = n
		}
	}
	if len(c.content[sectionCentres]) != all*c.Dim() || len(c.content[sectionClusters]) != 4*c.Len()*len(sizes) {
		return damaged("the clusters do not have the size of %d clusters", c.card.Clusters)
	}
	rest := c.content[sectionClusters]
	for _, n := range sizes {
		for i := range c.Len() {
			if binary.LittleEndian.Uint32(rest[4*i:]) >= uint32(n) {
				return damaged("text %d is in a cluster that does not exist", i)
			}
		}
		rest = rest[4*c.Len():]
	}
	return nil
}

// checkTexts checks that the texts match their offsets, are UTF-8, and are one line each,
// as a Builder leaves them. A line break in a text would shift the lines of a release.
func (c *Corpus) checkTexts() error {
	offsets, all := c.content[sectionOffsets], c.content[sectionTexts]
	if binary.LittleEndian.Uint64(offsets) != 0 || binary.LittleEndian.Uint64(offsets[8*c.Len():]) != uint64(len(all)) {
		return damaged("the texts do not match the offsets")
	}
	for i := range c.Len() {
		at, end := binary.LittleEndian.Uint64(offsets[8*i:]), binary.LittleEndian.Uint64(offsets[8*i+8:])
		if at > end || end > uint64(len(all)) {
			return damaged("text %d does not match its offsets", i)
		}
		if !utf8.Valid(all[at:end]) {
			return damaged("text %d is not UTF-8", i)
		}
		if !isLine(all[at:end]) {
			return damaged("text %d has a line break or a control character", i)
		}
	}
	return nil
}

// isLine reports whether a text is one line without control characters.
func isLine(text []byte) bool {
	for i, c := range text {
		if c < ' ' || c >= 0x7f { // the rest needs decoding
			return !bytes.ContainsFunc(text[i:], func(r rune) bool { return r != ' ' && separates(r) })
		}
	}
	return true
}

// checkEncoder checks the encoder's sections against its card.
func (c *Corpus) checkEncoder() error {
	e := c.card.Encoder
	if e.Version != encoderVersion && (e.Version != segmentedVersion || e.Kind != Joined) {
		return damaged("version %d of the encoder, want %d, or %d of %s: build the corpus again", e.Version, encoderVersion, segmentedVersion, Joined)
	}
	words, semantic := e.Kind == SIF || e.Kind == Joined, e.Kind == LSA || e.Kind == Joined
	if !words && !semantic && e.Kind != Brought {
		return damaged("the encoder is not one of %v", append(Kinds(), Brought))
	}
	dims, weights := 0, 0
	if words != (e.Table != nil) {
		return damaged("the encoder has no table, or one that it does not use")
	}
	if words {
		dims, weights = e.Table.Dimensions, e.Table.Words
		if dims < 1 || dims > MaxDim || weights < 1 || weights > 1<<30 {
			return damaged("the encoder's table has an invalid size: %d words of %d dimensions", weights, dims)
		}
	}
	if err := c.checkSizes(weights); err != nil {
		return err
	}
	if dims += e.Semantic; e.Kind == Brought {
		dims = 0
	} else if dims != c.Dim() {
		return damaged("the encoder's vectors do not have %d dimensions", c.Dim())
	}
	mean := floats(c.content[sectionMean])
	if len(c.content[sectionMean]) != 8*dims {
		return damaged("the encoder's mean does not have %d dimensions", dims)
	}
	for _, x := range mean {
		if math.IsNaN(x) || math.Abs(x) > 1 {
			return damaged("the encoder's mean has a component outside [-1, 1]")
		}
	}
	return nil
}

// checkSizes checks the vocabulary and the sizes of the encoder's sections.
func (c *Corpus) checkSizes(weights int) error {
	e := c.card.Encoder
	terms := splitTerms(c.content[sectionTerms])
	switch {
	case e.Kind != LSA && e.Kind != Joined && (e.Terms != 0 || e.Semantic != 0), e.Terms != len(terms), e.Semantic < 0 || e.Semantic > semanticDim:
		return damaged("the encoder's vocabulary does not have %d terms", e.Terms)
	case len(c.content[sectionRows]) != 2*e.Terms*e.Semantic, len(c.content[sectionWeights]) != 2*weights:
		return damaged("the encoder is incomplete")
	case !slices.IsSorted(terms) || len(slices.Compact(terms)) != e.Terms:
		return damaged("the encoder's vocabulary is not sorted")
	}
	return nil
}
