package release

import (
	"crypto/sha256"
	"encoding/binary"
	"io"
	"math"

	"github.com/sotto-dp/sotto/internal/fullread"
	"github.com/sotto-dp/sotto/text"
)

// keyed returns the position with the key of a batch's draws, if the stream has a key. It
// follows from the texts in memory that are drawn for, and all that comes with them, so
// the same noise meets no other batch, even if a file changes while it is read.
func (s Stream) keyed(at Position, texts [][]byte, spans []text.Spans, vectors [][]float64) Position {
	if s.Key == nil {
		return at
	}
	h := sha256.New()
	var number [8]byte
	put := func(n uint64) {
		binary.LittleEndian.PutUint64(number[:], n)
		h.Write(number[:])
	}
	put(uint64(len(texts)))
	for _, t := range texts {
		put(uint64(len(t)))
		h.Write(t)
	}
	put(uint64(len(spans)))
	for _, of := range spans {
		put(uint64(len(of)))
		for _, span := range of {
			put(uint64(span.Start))
			put(uint64(span.End))
			put(uint64(len(span.Type)))
			h.Write([]byte(span.Type))
		}
	}
	put(uint64(len(vectors)))
	for _, v := range vectors {
		put(uint64(len(v)))
		for _, x := range v {
			put(math.Float64bits(x))
		}
	}
	if at.Of != nil {
		put(uint64(at.Of.tokens))
	}
	key := s.Key.Derive([]byte("batch"), binary.LittleEndian.AppendUint64(nil, at.Batch), h.Sum(nil))
	at.key = &key
	return at
}

// named names what was read at the position by the position's key.
func (p Position) named(read *Pending, err error) (*Pending, error) {
	if err == nil && p.key != nil {
		read.name = p.key.Name()
	}
	return read, err
}

// steady makes the reads of a stream depend on its content only: a batch may end where a
// read does, and pipes and decompressors return what is available.
func (s Stream) steady(in io.Reader) io.Reader {
	if s.Format != nil && s.Format.Seeks {
		return in // it is not read in order
	}
	return fullread.From(in)
}
