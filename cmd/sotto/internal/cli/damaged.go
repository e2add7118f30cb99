package cli

import (
	"errors"
	"io"
	"strings"

	"github.com/sotto-dp/sotto/files/compress"
)

// noText are bytes that are not UTF-8, so that a record with them has no readable text.
const noText = "\xff"

// tolerant is a decoder of a compressed file of one record. Damage ends the record with noText.
type tolerant struct {
	io.Reader // noText once it is damaged
	plain     io.Closer
}

// newTolerant is compress.NewReader for a file of one record.
func newTolerant(name string, in io.Reader) (io.ReadCloser, error) {
	plain, err := compress.NewReader(name, in)
	switch {
	case err == nil:
		return &tolerant{plain, plain}, nil
	case damage(err):
		return io.NopCloser(strings.NewReader(noText)), nil
	}
	return nil, err
}

func (r *tolerant) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if err != nil && err != io.EOF && damage(err) {
		r.Reader, err = strings.NewReader(noText), nil
	}
	return n, err
}

func (r *tolerant) Close() error { return r.plain.Close() }

// damage reports whether an error of a decoder is about what it read, and not one of reading.
func damage(err error) bool {
	var read *readError
	return !errors.As(err, &read)
}
