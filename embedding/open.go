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
