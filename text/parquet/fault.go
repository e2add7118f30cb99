package parquet

import (
	"errors"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"
	"github.com/sotto-dp/sotto/text"
)

// Error reports a file that cannot be read, or cannot be written as it was read. It holds
// none of the file's values.
type Error struct{ What string }

func (e *Error) Error() string { return e.What }

// guard turns a panic of the decoder over a damaged file into an error without
// the panic's text, which may quote values.
func guard(f func() error) (err error) {
	defer func() {
		if recover() != nil {
			err = broken("its schema or its pages are damaged")
		}
	}()
	return f()
}

func broken(what string) error { return &Error{"not a Parquet file that can be read: " + what} }

// reader reads a file column by column, row group by row group, in memory bounded
// by the encoded size of one row group.
type reader struct {
	*parquet.File
	source *failing
	o      text.Options
	chosen []bool // by column
	groups []parquet.RowGroup
	group  int // of the next batch
	chunks []parquet.ColumnChunk
	column int    // of the next batch
	chunk  *chunk // nil between column chunks
	row    int64  // the first of the row group, from 1
	number uint64 // of the next batch of a chosen column
	pages  sink
}

// failing remembers the error of a reader, which the decoder wraps or hides.
type failing struct {
	r   io.ReaderAt
	err error
}

func (f *failing) ReadAt(p []byte, at int64) (int, error) {
	if at < 0 { // a fault of the footer, not of the reader
		return 0, io.ErrUnexpectedEOF
	}
	n, err := f.r.ReadAt(p, at)
	if err != nil && !errors.Is(err, io.EOF) {
		f.err = err
	}
	return n, err
}

func (f *failing) failed() error {
	if f.err == nil {
		return nil
	}
	return fmt.Errorf("read: %w", f.err)
}
