// Package fullread makes the reads of a stream depend on its content only, whatever pipes and
// decompressors return at once.
package fullread

import "io"

// From returns a reader whose reads are short only at the end or at an error.
func From(in io.Reader) io.Reader { return &reader{in} }

type reader struct{ in io.Reader }

func (r *reader) Read(p []byte) (int, error) {
	n, err := io.ReadFull(r.in, p)
	if err == io.ErrUnexpectedEOF {
		err = io.EOF
	}
	return n, err
}
