package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/sotto-dp/sotto/files/compress"
	"github.com/sotto-dp/sotto/internal/fullread"
	"github.com/sotto-dp/sotto/text"
	"github.com/sotto-dp/sotto/text/parquet"
)

// Source is an open input of texts.
type Source struct {
	io.Reader // as the format reads it
	Format    *text.Format
	Shown     string // its name in messages
	toPerson  bool   // messages are read by a person at a terminal
	closers   []func() error
}

// Source opens an input; - is standard input. file is the open file, nil if it must be
// opened. bar, if not nil, makes a progress bar for the size of the input in bytes, -1 if
// unknown.
func (c *FormatFlags) Source(ctx context.Context, term *Terminal, name string, file *os.File, bar newBarFunc) (_ *Source, err error) {
	if err := c.checkName(name); err != nil {
		return nil, err
	}
	s := &Source{Format: c.FormatOf(name), Shown: name, toPerson: OnTerminal(term.Err)}
	defer func() {
		if err != nil {
			s.Close()
		}
	}()
	switch {
	case IsStdin(name):
		file, s.Shown = term.In, "standard input"
		hintTyping(file, term.Err)
	case file == nil:
		if file, err = OpenFile(ctx, name); err != nil {
			return nil, err
		}
		s.closers = append(s.closers, file.Close)
	}
	info, err := file.Stat()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Shown, PlainError(err))
	}
	size := info.Size()
	if IsStdin(name) {
		size = -1
	}
	advance := func(int) {}
	if bar != nil {
		shown := bar(filepath.Base(s.Shown), size)
		advance = func(n int) { _ = shown.Add(n) }
		s.closers = append(s.closers, shown.Clear)
	}
	if s.Format.Seeks {
		if !info.Mode().IsRegular() {
			return nil, WrongUsage("", "%s cannot be read from standard input or a pipe: give a file", s.Format)
		}
		s.Reader = &fileReader{io.NewSectionReader(file, 0, info.Size()), advance}
		return s, nil
	}
	decode := compress.NewReader
	if c.Tolerant && s.Format.Whole {
		decode = newTolerant
	}
	plain, err := decode(name, &streamReader{Waiting(ctx, file), advance})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Shown, PlainError(err))
	}
	s.closers = append(s.closers, plain.Close)
	s.Reader = &streamReader{plain, func(int) {}}
	return s, nil
}

func (s *Source) Close() {
	for _, end := range s.closers {
		_ = end() // read only
	}
}

// Steady makes the reads of a stream depend on its content only, for seeded draws: a
// batch may end where a read does, and pipes and zstd return what is available. gzip
// returns the same reads whatever its input does.
func (s *Source) Steady() {
	if !s.Format.Seeks && !strings.HasSuffix(s.Shown, ".gz") {
		s.Reader = fullread.From(s.Reader)
	}
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

// Fault adds the file to an error: the source for a fault of the input, output for one of
// the output. Other errors stay as they are.
func (s *Source) Fault(err error, output string) error {
	var field *text.FieldError
	var place *text.InputError
	var damaged *parquet.Error
	var read *readError
	switch {
	case err == nil, errors.Is(err, context.Canceled):
		return err
	case errors.Is(err, errWrite):
		return fmt.Errorf("%s: %w", OutputName(output), PlainError(err))
	case errors.As(err, &field):
		hint := columnsHint(field.Columns, s.toPerson || s.Format.Name == parquet.Format.Name)
		if field.Missing {
			hint = strings.TrimSuffix("choose it with --field; "+hint, "; ")
		}
		return WrongUsage(hint, "%s: %s", s.Shown, field.What)
	case errors.As(err, &place) && place.Encoding:
		return fmt.Errorf("%s: %w (--invalid replace)", s.Shown, PlainError(err))
	case errors.As(err, &place) && place.Absent:
		return WrongUsage("choose the field with --field", "%s: %w", s.Shown, err)
	case errors.As(err, &read) && errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("%s: the file ends too early: it is damaged, or not all of it was copied", s.Shown)
	case errors.As(err, &place), errors.As(err, &damaged), errors.As(err, &read):
		return fmt.Errorf("%s: %w", s.Shown, PlainError(err))
	}
	return err
}

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
