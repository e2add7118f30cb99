package corpus

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"math"
	"os"

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
	case card.Texts < 1 || int64(card.Texts) > math.MaxUint32 || len(c.content[sectionOffsets]) != 8*(card.Texts+1):
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
