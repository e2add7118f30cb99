package release

import (
	"context"
	"io"

	"github.com/sotto-dp/sotto/statement"
)

// Reader reads the private copy of another reader's texts. Read returns the first error
// of the stream. It is for one goroutine.
type Reader struct {
	pipe *io.PipeReader
	end  *ended
}

// Reader returns a reader that rewrites what is read through it, as [Loop.Copy] does.
// It must be read to its end or closed.
func (l *Loop) Reader(ctx context.Context, in io.Reader, s Stream) *Reader {
	out, pipe := io.Pipe()
	end := l.start(ctx, pipe, in, s, func(err error) { _ = pipe.CloseWithError(err) })
	return &Reader{out, end}
}

func (r *Reader) Read(p []byte) (int, error) { return r.pipe.Read(p) }

// Close ends the stream early and waits for work in progress. If a Read of the input
// blocks, its owner must end it.
func (r *Reader) Close() error {
	_ = r.pipe.Close()
	<-r.end.done
	return nil
}

// Statement returns the statement for everything drawn. It waits for the end of the
// stream.
func (r *Reader) Statement() statement.Statement {
	<-r.end.done
	return r.end.statement
}

// Writer writes the private copy of what is written to it to another writer. It is for
// one goroutine.
type Writer struct {
	pipe *io.PipeWriter
	end  *ended
}

// Writer returns a writer that rewrites what is written through it, as [Loop.Copy]
// does. The caller must call Close, which writes the rest and returns the first error.
func (l *Loop) Writer(ctx context.Context, out io.Writer, s Stream) *Writer {
	in, pipe := io.Pipe()
	end := l.start(ctx, out, in, s, func(err error) {
		if err == nil {
			err = io.ErrClosedPipe
		}
		_ = in.CloseWithError(err)
	})
	return &Writer{pipe, end}
}

func (w *Writer) Write(p []byte) (int, error) { return w.pipe.Write(p) }

// Close ends the input, waits until everything is written, and returns the first error of
// the stream. It does not close the underlying writer.
func (w *Writer) Close() error {
	_ = w.pipe.Close()
	<-w.end.done
	return w.end.err
}

// Statement returns the statement for everything drawn. It waits for Close.
func (w *Writer) Statement() statement.Statement {
	<-w.end.done
	return w.end.statement
}

// ended is the result of a copy in the background.
type ended struct {
	done      chan struct{}
	statement statement.Statement
	err       error
}

func (l *Loop) start(ctx context.Context, out io.Writer, in io.Reader, s Stream, end func(error)) *ended {
	e := &ended{done: make(chan struct{})}
	go func() {
		defer close(e.done)
		e.statement, e.err = l.Copy(ctx, out, in, s)
		end(e.err)
	}()
	return e
}
