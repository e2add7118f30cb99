package embedding

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sotto-dp/sotto/files/compress"
)

// FileError reports a fault in a vector file: where it is, and what was expected.
type FileError struct {
	Path  string
	Where string // "line 3", "word 3", "byte 24"; empty for the file as a whole
	What  string
	cause error
}

// Unwrap returns the operating system's error, if there was one.
func (e *FileError) Unwrap() error { return e.cause }

func (e *FileError) Error() string {
	if e.Where == "" {
		return fmt.Sprintf("%s: %s", e.Path, e.What)
	}
	return fmt.Sprintf("%s: %s: %s", e.Path, e.Where, e.What)
}

// fault returns a FileError without its path, which Open adds.
func fault(where string, format string, args ...any) error {
	return &FileError{Where: where, What: fmt.Sprintf(format, args...)}
}

// Open reads a vector file: a table file of [WriteFile]; GloVe or word2vec text
// (.txt, .vec, or any other name); word2vec or fastText binary (.bin); each but
// the first also compressed (.gz, .zst). No entry is added. Vectors are rounded
// to a grid as by [New]. A table file is refused unless its words and vectors
// have the digest it states.
func Open(path string) (*Table, error) {
	t, err := open(path)
	var f *FileError
	if errors.As(err, &f) && f.Path == "" {
		f.Path = path
	}
	return t, err
}

func open(path string) (*Table, error) {
	f, err := os.Open(path)
	if err != nil {
		var p *os.PathError
		if errors.As(err, &p) {
			return nil, &FileError{Path: path, What: p.Err.Error(), cause: err}
		}
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return nil, fault("", "is a directory, want a vector file")
	}
	var magic [len(fileMagic)]byte
	if n, _ := f.ReadAt(magic[:], 0); n == len(magic) && string(magic[:]) == fileMagic {
		return readTable(f, info.Size())
	}
	in, err := compress.NewReader(path, f)
	if err != nil {
		return nil, fault("", "%v", err)
	}
	defer in.Close()
	plain := strings.TrimSuffix(strings.TrimSuffix(path, ".gz"), ".zst")
	b := &builder{src: Source{Name: filepath.Base(path)}, lines: map[string]int{}, size: info.Size()}
	r := bufio.NewReaderSize(in, 1<<20)
	if strings.EqualFold(filepath.Ext(plain), ".bin") {
		if head, _ := r.Peek(4); len(head) == 4 && bytes.Equal(head, fastTextMagic) {
			err = readFastText(r, b)
		} else {
			err = readWord2Vec(r, b)
		}
	} else {
		err = readText(r, b)
	}
	if err != nil {
		return nil, err
	}
	if len(b.src.Words) == 0 {
		return nil, fault("", "holds no words")
	}
	t, err := take(b.src)
	if err != nil {
		return nil, fault("", "%v", err)
	}
	return t, nil
}

// builder collects words and vectors, and refuses those that a table cannot hold.
type builder struct {
	src   Source
	lines map[string]int // place of each word
	size  int64          // of the file
}

// expect allocates for the number of words in a header, limited to what a file
// of this size can hold: a value takes at least two bytes before compression.
func (b *builder) expect(words int) {
	if n := int64(words) * int64(b.src.Dim); words > 0 && n > 0 && n/int64(words) == int64(b.src.Dim) && n <= 4*b.size {
		b.src.Vectors = slices.Grow(b.src.Vectors, int(n))
		b.src.Words = slices.Grow(b.src.Words, words)
	}
}

// dimensions sets the number of dimensions.
func (b *builder) dimensions(where string, dim int) error {
	if dim < 1 || dim > MaxDim {
		return fault(where, "%d dimensions, want 1 to %d", dim, MaxDim)
	}
	b.src.Dim = dim
	return nil
}

// add appends a word; place is its line or its number, from 1.
func (b *builder) add(unit string, place int, word []byte) error {
	where := fmt.Sprintf("%s %d", unit, place)
	switch {
	case len(word) == 0:
		return fault(where, "the word is empty")
	case !utf8.Valid(word):
		return fault(where, "the word is not UTF-8")
	case bytes.IndexByte(word, 0) >= 0:
		return fault(where, "the word holds a zero byte")
	}
	if before, ok := b.lines[string(word)]; ok {
		return fault(where, "the word is on %s %d already", unit, before)
	}
	w := string(word)
	b.lines[w] = place
	b.src.Words = append(b.src.Words, w)
	return nil
}

// value appends one component.
func (b *builder) value(unit string, place int, v float32) error {
	if f := float64(v); math.IsNaN(f) || math.IsInf(f, 0) {
		return fault(fmt.Sprintf("%s %d", unit, place), "a value is not finite")
	}
	b.src.Vectors = append(b.src.Vectors, v)
	return nil
}

// unexpected turns an io.EOF into a fault at a place.
func unexpected(err error, where, what string) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fault(where, "the file ends inside %s", what)
	}
	return fault(where, "%v", err)
}
