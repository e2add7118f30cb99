package vectors

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/sotto-dp/sotto/embedding/segment"
)

// A file of counts: the magic, then as varints the version, the window, the bounds of
// the vocabulary, the texts and bytes of the corpus and its digest, the tokens, the
// words with their counts, the rules of segmentation as JSON after their length, and each
// word's pairs: how many, and for each the column less
// the one before, and the count. SHA-256 of all that is the end. A varint is one of
// encoding/binary.
const (
	countsMagic   = "SOTTOPRS"
	countsVersion = 3 // 3: an address is one word
)

// header is what the counts are of.
type header struct {
	window, words int
	least         int64
	corpus        identity
	rules         *segment.Rules // nil for English
}

// counts are the pairs of a corpus, in a file of one row for each word.
type counts struct {
	header
	tokens  int64 // of the corpus, with those that are no words
	list    []string
	count   []int64  // of each word
	sums    []uint64 // of each row
	pairs   int64
	starts  []int64 // of each row in the file, and the end of the last
	file    *os.File
	closing func() error
}

func (c *counts) close() { _ = c.closing() }

// errDamaged is the fault of a file that is not what was written.
var errDamaged = errors.New("the file of counts is damaged: remove it, and the pairs are counted again")

// source reads a file of counts and knows where it is.
type source struct {
	in *bufio.Reader
	at int64
}

func (s *source) ReadByte() (byte, error) {
	b, err := s.in.ReadByte()
	if err == nil {
		s.at++
	}
	return b, err
}

func (s *source) bytes(n int64) ([]byte, error) {
	b := make([]byte, n)
	k, err := io.ReadFull(s.in, b)
	s.at += int64(k)
	return b, err
}

// openCounts reads a file of counts and refuses it unless it has the digest that is its
// end. Pairs stay in the file.
func openCounts(ctx context.Context, path string) (*counts, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	c := &counts{file: f, closing: f.Close}
	if err := c.read(ctx); err != nil {
		f.Close()
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			err = errDamaged
		}
		return nil, err
	}
	return c, nil
}

func (c *counts) read(ctx context.Context) error {
	info, err := c.file.Stat()
	if err != nil {
		return err
	}
	magic := make([]byte, len(countsMagic))
	if _, err := c.file.ReadAt(magic, 0); err != nil || string(magic) != countsMagic {
		return errors.New("not a file of counts")
	}
	size := info.Size() - sha256.Size
	if size < int64(len(countsMagic)) {
		return errDamaged
	}
	sum := sha256.New()
	s := &source{in: bufio.NewReaderSize(io.TeeReader(io.NewSectionReader(c.file, 0, size), sum), 1<<18)}
	if _, err := s.bytes(int64(len(countsMagic))); err != nil {
		return err
	}
	if err := c.readHead(s, size); err != nil {
		return err
	}
	for x := range c.list {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := c.readRow(s, x); err != nil {
			return err
		}
	}
	c.starts = append(c.starts, s.at)
	if s.at != size {
		return errDamaged
	}
	var want [sha256.Size]byte
	if _, err := c.file.ReadAt(want[:], size); err != nil {
		return err
	}
	if string(sum.Sum(nil)) != string(want[:]) {
		return errDamaged
	}
	return nil
}

func (c *counts) readHead(s *source, size int64) error {
	var numbers [6]uint64
	var err error
	for i := range numbers {
		if numbers[i], err = binary.ReadUvarint(s); err != nil {
			return err
		}
		if i == 0 && numbers[0] != countsVersion {
			return fmt.Errorf("version %d of a file of counts, want %d: remove it, and the pairs are counted again", numbers[0], countsVersion)
		}
	}
	c.window, c.words, c.least = int(numbers[1]), int(numbers[2]), int64(numbers[3])
	c.corpus.texts, c.corpus.bytes = int64(numbers[4]), int64(numbers[5])
	digest, err := s.bytes(sha256.Size)
	if err != nil {
		return err
	}
	copy(c.corpus.digest[:], digest)
	tokens, err := binary.ReadUvarint(s)
	if err != nil {
		return err
	}
	c.tokens = int64(tokens)
	n, err := binary.ReadUvarint(s)
	if err != nil || n > MaxWords || int64(n) > size {
		return errDamaged
	}
	for range n {
		length, err := binary.ReadUvarint(s)
		if err != nil || length > 1<<12 {
			return errDamaged
		}
		word, err := s.bytes(int64(length))
		if err != nil {
			return err
		}
		count, err := binary.ReadUvarint(s)
		if err != nil {
			return err
		}
		c.list, c.count = append(c.list, string(word)), append(c.count, int64(count))
	}
	return c.readRules(s, size)
}

func (c *counts) readRules(s *source, size int64) error {
	length, err := binary.ReadUvarint(s)
	if err != nil || length > uint64(size) {
		return errDamaged
	}
	if length == 0 {
		return nil
	}
	data, err := s.bytes(int64(length))
	if err != nil {
		return err
	}
	if c.rules, err = segment.Parse(data); err != nil {
		return errDamaged
	}
	return nil
}

// readRow checks the row of word x and adds its counts up.
func (c *counts) readRow(s *source, x int) error {
	c.starts = append(c.starts, s.at)
	entries, err := binary.ReadUvarint(s)
	if err != nil {
		return err
	}
	column, total := uint64(0), uint64(0)
	for i := range entries {
		step, err := binary.ReadUvarint(s)
		if err != nil {
			return err
		}
		count, err := binary.ReadUvarint(s)
		if err != nil {
			return err
		}
		if column += step; column >= uint64(len(c.list)) || i > 0 && step == 0 || count == 0 {
			return errDamaged
		}
		total += count
	}
	c.sums, c.pairs = append(c.sums, total), c.pairs+int64(entries)
	return nil
}
