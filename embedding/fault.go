package embedding

import (
	"errors"
	"fmt"
	"io"
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

// unexpected turns an io.EOF into a fault at a place.
func unexpected(err error, where, what string) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fault(where, "the file ends inside %s", what)
	}
	return fault(where, "%v", err)
}
