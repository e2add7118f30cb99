package vectors

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"io"
)

// writer writes counts and their digest.
type writer struct {
	out *bufio.Writer
	sum hash.Hash
	buf []byte
}

func newWriter(w io.Writer) *writer {
	sum := sha256.New()
	return &writer{out: bufio.NewWriterSize(io.MultiWriter(w, sum), 1<<18), sum: sum}
}

func (w *writer) number(n uint64) { w.buf = binary.AppendUvarint(w.buf, n) }

func (w *writer) flush() error {
	_, err := w.out.Write(w.buf)
	w.buf = w.buf[:0]
	return err
}

// head writes all that is before the pairs.
func (w *writer) head(h header, tokens int64, list []string, count []int64) error {
	w.buf = append(w.buf, countsMagic...)
	for _, n := range []int64{countsVersion, int64(h.window), int64(h.words), h.least, h.corpus.texts, h.corpus.bytes} {
		w.number(uint64(n))
	}
	w.buf = append(w.buf, h.corpus.digest[:]...)
	w.number(uint64(tokens))
	w.number(uint64(len(list)))
	for i, word := range list {
		w.number(uint64(len(word)))
		w.buf = append(w.buf, word...)
		w.number(uint64(count[i]))
	}
	rules := h.rules.Marshal()
	w.number(uint64(len(rules)))
	w.buf = append(w.buf, rules...)
	return w.flush()
}

// rows writes the pairs that all gives, which are in order, for n words.
func (w *writer) rows(ctx context.Context, n int, all func(give func(pair) error) error) error {
	var row []pair
	at := 0
	end := func() error { // the row at
		w.number(uint64(len(row)))
		column := uint32(0)
		for _, p := range row {
			w.number(uint64(p.column - column))
			w.number(p.count)
			column = p.column
		}
		row = row[:0]
		if at++; at&63 == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		return w.flush()
	}
	err := all(func(p pair) error {
		for at < int(p.row) {
			if err := end(); err != nil {
				return err
			}
		}
		row = append(row, p)
		return nil
	})
	for err == nil && at < n {
		err = end()
	}
	return err
}

// finish writes the digest to file, which is where all else was written.
func (w *writer) finish(file io.Writer) error {
	if err := w.out.Flush(); err != nil {
		return err
	}
	_, err := file.Write(w.sum.Sum(nil))
	return err
}
