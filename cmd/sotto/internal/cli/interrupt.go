package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"syscall"
)

// InterruptedError is a signal that ended the program.
type InterruptedError struct{ signal os.Signal }

func (e *InterruptedError) Error() string { return "interrupted" }

// Is makes it a cancellation too.
func (e *InterruptedError) Is(target error) bool { return target == context.Canceled }

// Code returns the exit code by the convention of shells: 128 plus the number of the
// signal.
func (e *InterruptedError) Code() int {
	if s, ok := e.signal.(syscall.Signal); ok {
		return 128 + int(s)
	}
	return ExitFailed
}

// UntilSignal returns a context that the first interrupt or SIGTERM cancels. A second one
// kills the program. stop restores the default handling of signals.
func UntilSignal(parent context.Context) (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(parent)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		select {
		case s := <-signals:
			signal.Stop(signals)
			cancel(&InterruptedError{s})
		case <-ctx.Done():
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		cancel(nil)
	}
}

// AfterSignal returns the error of a command that failed, or the signal that ended it. A
// FinalError takes precedence.
func AfterSignal(ctx context.Context, err error) error {
	if errors.As(err, new(*FinalError)) {
		return err
	}
	if interrupted, ok := context.Cause(ctx).(*InterruptedError); ok && err != nil {
		return interrupted
	}
	return err
}

// Within returns the result of f. If ctx ends first, it returns the error of ctx and
// abandons f: the program is about to end.
func Within[T any](ctx context.Context, f func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		value, err := f()
		done <- result{value, err}
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}

// OpenFile opens a file for reading. Opening a pipe may block forever, so it ends with
// ctx.
func OpenFile(ctx context.Context, name string) (*os.File, error) {
	f, err := Within(ctx, func() (*os.File, error) { return os.Open(name) })
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, PlainError(err))
	}
	return f, nil
}

// Waiting returns a file whose reads and writes end with ctx if they may block, as on a
// pipe or a terminal.
func Waiting(ctx context.Context, f *os.File) io.ReadWriter {
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
		return f
	}
	return &WaitingFile{ctx: ctx, File: f}
}

// WaitingFile is for one goroutine.
type WaitingFile struct {
	ctx    context.Context
	File   *os.File
	buffer []byte // an abandoned call still uses it
}

func (w *WaitingFile) Read(p []byte) (int, error) {
	if err := w.ctx.Err(); err != nil || len(p) == 0 {
		return 0, err
	}
	buffer := w.space(len(p))
	n, err := Within(w.ctx, func() (int, error) { return w.File.Read(buffer) })
	return copy(p, buffer[:n]), err
}

func (w *WaitingFile) Write(p []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	buffer := w.space(len(p))
	copy(buffer, p)
	return Within(w.ctx, func() (int, error) { return w.File.Write(buffer) })
}

// space returns n bytes. It is not called after ctx has ended.
func (w *WaitingFile) space(n int) []byte {
	w.buffer = slices.Grow(w.buffer[:0], n)[:n]
	return w.buffer
}
