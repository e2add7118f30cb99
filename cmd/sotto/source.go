package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/sotto-dp/sotto/files/compress"
	"github.com/sotto-dp/sotto/text"
	"github.com/sotto-dp/sotto/text/parquet"
)

// formats are the formats of texts that the commands read.
var formats = text.Formats(parquet.Format)

// source is an open input of texts.
type source struct {
	io.Reader // as the format reads it
	format    *text.Format
	shown     string // its name in messages
	closers   []func() error
}

// source opens an input; - is standard input. file is the open file, nil if it must be
// opened. bar, if not nil, makes a progress bar for the size of the input in bytes, -1 if
// unknown.
func (c *formatFlags) source(ctx context.Context, term *terminal, name string, file *os.File, bar newBarFunc) (_ *source, err error) {
	s := &source{format: c.formatOf(name), shown: name}
	defer func() {
		if err != nil {
			s.close()
		}
	}()
	switch {
	case isStdin(name):
		file, s.shown = term.in, "standard input"
		hintTyping(file, term.err)
	case file == nil:
		if file, err = openFile(ctx, name); err != nil {
			return nil, err
		}
		s.closers = append(s.closers, file.Close)
	}
	info, err := file.Stat()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.shown, plainError(err))
	}
	size := info.Size()
	if isStdin(name) {
		size = -1
	}
	advance := func(int) {}
	if bar != nil {
		shown := bar(filepath.Base(s.shown), size)
		advance = func(n int) { _ = shown.Add(n) }
		s.closers = append(s.closers, shown.Clear)
	}
	if s.format.Seeks {
		if !info.Mode().IsRegular() {
			return nil, wrongUsage("", "%s cannot be read from standard input or a pipe: give a file", s.format)
		}
		s.Reader = &fileReader{io.NewSectionReader(file, 0, info.Size()), advance}
		return s, nil
	}
	plain, err := compress.NewReader(name, &streamReader{waiting(ctx, file), advance})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.shown, plainError(err))
	}
	s.closers = append(s.closers, plain.Close)
	s.Reader = &streamReader{plain, func(int) {}}
	return s, nil
}

func (s *source) close() {
	for _, end := range s.closers {
		_ = end() // read only
	}
}

// steady makes the reads of a stream depend on its content only, for seeded draws: a
// batch may end where a read does, and pipes and zstd return what is available. gzip
// returns the same reads whatever its input does.
func (s *source) steady() {
	if !s.format.Seeks && !strings.HasSuffix(s.shown, ".gz") {
		s.Reader = &fullReader{s.Reader}
	}
}

// fullReader returns short reads only at the end or at an error.
type fullReader struct{ in io.Reader }

func (r *fullReader) Read(p []byte) (int, error) {
	n, err := io.ReadFull(r.in, p)
	if err == io.ErrUnexpectedEOF {
		err = io.EOF
	}
	return n, err
}

// readError marks a failure of the input, to distinguish it from one of the output.
type readError struct{ err error }

func (e *readError) Error() string { return e.err.Error() }
func (e *readError) Unwrap() error { return e.err }

func marked(err error) error {
	if err == nil || err == io.EOF {
		return err
	}
	return &readError{err}
}

// streamReader reports how much is read, and marks errors.
type streamReader struct {
	in      io.Reader
	advance func(n int)
}

func (r *streamReader) Read(p []byte) (int, error) {
	n, err := r.in.Read(p)
	r.advance(n)
	return n, marked(err)
}

// fileReader is a streamReader that can be read at any position.
type fileReader struct {
	*io.SectionReader
	advance func(n int)
}

func (r *fileReader) ReadAt(p []byte, at int64) (int, error) {
	n, err := r.SectionReader.ReadAt(p, at)
	r.advance(n)
	return n, marked(err)
}

// fault adds the file to an error: the source for a fault of the input, output for one of
// the output. Other errors stay as they are.
func (s *source) fault(err error, output string) error {
	var field *text.FieldError
	var place *text.InputError
	var damaged *parquet.Error
	var read *readError
	switch {
	case err == nil, errors.Is(err, context.Canceled):
		return err
	case errors.Is(err, errWrite):
		return fmt.Errorf("%s: %w", outputName(output), plainError(err))
	case errors.As(err, &field):
		// The hint cannot name the columns of the file: they may be private texts.
		hint := ""
		if field.Missing {
			hint = "choose it with --field"
		}
		return wrongUsage(hint, "%s: %s", s.shown, field.What)
	case errors.As(err, &place) && place.Encoding:
		return fmt.Errorf("%s: %w (--invalid replace)", s.shown, plainError(err))
	case errors.As(err, &place) && place.Absent:
		return wrongUsage("choose the field with --field", "%s: %w", s.shown, err)
	case errors.As(err, &read) && errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("%s: the file ends too early: it is damaged, or not all of it was copied", s.shown)
	case errors.As(err, &place), errors.As(err, &damaged), errors.As(err, &read):
		return fmt.Errorf("%s: %w", s.shown, plainError(err))
	}
	return err
}
