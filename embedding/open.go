package embedding

import (
	"bufio"
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/sotto-dp/sotto/files/compress"
)

// Open reads a vector file: a table file of [WriteFile]; GloVe or word2vec text
// (.txt, .vec, or any other name); word2vec or fastText binary (.bin); each but
// the first also compressed (.gz, .zst). No entry is added. Vectors are rounded
// to a grid as by [New]. A table file is refused unless its words and vectors
// have the digest it states.
func Open(path string) (*Table, error) { return openFile(path, true) }

// OpenWords is Open for a use of the words alone. It verifies the vectors of a table file
// and does not keep them, so that a large table takes the memory of its words. The first
// method that needs vectors reads the file again and panics if that fails. Call
// [Table.Hold] before it for an error.
func OpenWords(path string) (*Table, error) { return openFile(path, false) }

func openFile(path string, hold bool) (*Table, error) {
	t, err := open(path, hold)
	var f *FileError
	if errors.As(err, &f) && f.Path == "" {
		f.Path = path
	}
	return t, err
}

func open(path string, hold bool) (*Table, error) {
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
		t, err := readTable(f, info.Size(), hold)
		if err == nil && !hold {
			t.vectors.read = func() (components, error) { return readAgain(path, t) }
		}
		return t, err
	}
	in, err := compress.NewReader(path, f)
	if err != nil {
		return nil, fault("", "%v", err)
	}
	defer in.Close()
	plain := compress.Plain(path)
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

// readAgain returns the vectors of a table file, which must be the one that t was read from.
func readAgain(path string, t *Table) (components, error) {
	again, err := Open(path)
	if err != nil {
		return components{}, err
	}
	if again.sum() != t.sum() {
		return components{}, &FileError{Path: path, What: "has changed since it was opened: run the command again"}
	}
	return again.vectors.held, nil
}
