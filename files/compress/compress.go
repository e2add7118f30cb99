// Package compress reads and writes gzip and zstd files by the extension of their
// names.
package compress

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// Plain returns a name without the extension of a compression.
func Plain(name string) string {
	return strings.TrimSuffix(strings.TrimSuffix(name, ".gz"), ".zst")
}

// NewReader returns the decompressed content of r: gzip where the name ends in .gz,
// zstd where it ends in .zst, and r itself otherwise. Close does not close r.
// A truncated or damaged stream is an error of Read, or of NewReader where its
// header is damaged.
func NewReader(name string, r io.Reader) (io.ReadCloser, error) {
	switch {
	case strings.HasSuffix(name, ".gz"):
		in := bufio.NewReaderSize(r, 1<<20)
		begin, _ := in.Peek(2)
		plain, err := gzip.NewReader(in)
		return plain, noGzip(begin, err)
	case strings.HasSuffix(name, ".zst"):
		d, err := zstd.NewReader(r)
		if err != nil {
			return nil, err
		}
		return d.IOReadCloser(), nil
	}
	return io.NopCloser(r), nil
}

// noGzip says why a file has no header of gzip. The end of an input is no error to most readers,
// and has no place in it.
func noGzip(begin []byte, err error) error {
	switch {
	case err == io.EOF && len(begin) == 0:
		return errors.New("it is empty, and so no gzip file")
	case err == gzip.ErrHeader, (err == io.EOF || err == io.ErrUnexpectedEOF) && !bytes.HasPrefix([]byte{0x1f, 0x8b}, begin):
		return errors.New("it is no gzip file, whatever its name")
	case err == io.ErrUnexpectedEOF:
		return errors.New("it ends in the header of gzip: it is damaged, or not all of it was copied")
	}
	return err
}

// NewWriter returns a writer that compresses to w by the same extensions. Close
// ends the stream and does not close w. The headers hold no name and no time of
// writing, so that the same content gives the same bytes.
func NewWriter(name string, w io.Writer) (io.WriteCloser, error) {
	switch {
	case strings.HasSuffix(name, ".gz"):
		return gzip.NewWriter(w), nil
	case strings.HasSuffix(name, ".zst"):
		return zstd.NewWriter(w)
	}
	return plainWriter{w}, nil
}

type plainWriter struct{ io.Writer }

func (plainWriter) Close() error { return nil }
