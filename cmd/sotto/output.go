package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/sotto-dp/sotto/files/atomicfile"
	"github.com/sotto-dp/sotto/files/compress"
)

// errWrite marks a failure of the output, to distinguish it from one of the input.
var errWrite = errors.New("write failed")

// writesReport is the hint where a command has --report.
const writesReport = "write the data to a file with -o, or the statement with --report"

// checkJSON refuses --json if the data goes to standard output too.
func checkJSON(asJSON bool, output, hint string) error {
	if asJSON && output == "" {
		return wrongUsage(hint, "--json and the data both write to standard output")
	}
	return nil
}

// refuseBinary refuses to write data that is not text to standard output if that is a
// terminal. output is the name of the output, empty for standard output.
func (t *terminal) refuseBinary(output, what string) error {
	if output != "" || !onTerminal(t.out) {
		return nil
	}
	return wrongUsage("write it to a file with -o, or redirect standard output", "%s is binary data, which is not written to a terminal", what)
}

// outputFile is standard output, or a file that appears under its name only when
// everything is written.
type outputFile struct {
	pending *atomicfile.File // nil if there is nothing to replace
	device  *os.File         // a pipe or a device that was given
	buffer  *bufio.Writer
	stream  io.WriteCloser // compresses if the extension is .gz or .zst
}

// createOutput opens an output, and removes what killed runs left of it. Opening a pipe or
// writing to it may block forever: both end with ctx.
func createOutput(ctx context.Context, term *terminal, name string) (*outputFile, error) {
	if name != "" && !special(name) {
		if err := sweepOutput(name); err != nil {
			return nil, fmt.Errorf("%s: %w", name, plainError(err))
		}
	}
	return beginOutput(ctx, term, name)
}

// beginOutput is createOutput for an output of which nothing is left.
func beginOutput(ctx context.Context, term *terminal, name string) (*outputFile, error) {
	o := &outputFile{}
	var w io.Writer = term.out
	if special(name) {
		f, err := openDevice(ctx, name, 0)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, plainError(err))
		}
		o.device, w = f, waiting(ctx, f)
	} else if name != "" {
		if err := term.mayWrite(name); err != nil {
			return nil, err
		}
		p, err := atomicfile.Create(target(name))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, plainError(err))
		}
		o.pending, w = p, p
	}
	o.buffer = bufio.NewWriterSize(w, 1<<16)
	if o.pending == nil {
		// The reader sees each batch as soon as it is done.
		o.buffer = bufio.NewWriterSize(w, 16)
	}
	stream, err := compress.NewWriter(name, o.buffer)
	if err != nil {
		o.discard()
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	o.stream = stream
	return o, nil
}

func (o *outputFile) Write(p []byte) (int, error) {
	n, err := o.stream.Write(p)
	if err == nil && o.pending == nil {
		err = o.buffer.Flush()
	}
	if err != nil {
		err = fmt.Errorf("%w: %w", errWrite, err)
	}
	return n, err
}

// sweepOutput removes what killed runs left of an output.
func sweepOutput(name string) error {
	path := target(name)
	return atomicfile.Sweep(filepath.Dir(path), []string{filepath.Base(path)})
}

// finish ends the stream and writes what is buffered.
func (o *outputFile) finish() error {
	if err := o.stream.Close(); err != nil {
		return err
	}
	return o.buffer.Flush()
}

// commit renames the file to its name.
func (o *outputFile) commit() error {
	if o.device != nil {
		return o.device.Close()
	}
	if o.pending == nil {
		return nil
	}
	return o.pending.CloseAtomicallyReplace()
}

// deliver writes the report if requested, commits the output, and prints the statement if
// JSON is requested.
func (o *outputFile) deliver(ctx context.Context, term *terminal, output, report string, asJSON bool, statement any) error {
	if report != "" {
		if err := writeReport(ctx, term, report, statement); err != nil {
			return err
		}
	}
	if err := o.commit(); err != nil {
		return fmt.Errorf("%s: %w", outputName(output), plainError(err))
	}
	if asJSON {
		return printJSON(term, statement)
	}
	return nil
}

func writeReport(ctx context.Context, term *terminal, name string, statement any) error {
	data, err := json.MarshalIndent(statement, "", "  ")
	if err != nil {
		return err
	}
	return writeWhole(ctx, term, name, append(data, '\n'))
}

// discard removes what was not committed.
func (o *outputFile) discard() {
	if o.pending != nil {
		_ = o.pending.Cleanup()
	}
}

// special reports whether a name is a pipe or a device, which is written to and never
// replaced. /dev/stdout is one even if it leads to a regular file.
func special(name string) bool {
	if name == "/dev/stdout" || name == "/dev/stderr" || strings.HasPrefix(name, "/dev/fd/") {
		return true
	}
	info, err := os.Stat(name)
	return err == nil && !info.Mode().IsRegular() && !info.IsDir()
}

// writeWhole writes a small file, whole or not at all; - is standard output.
func writeWhole(ctx context.Context, term *terminal, name string, data []byte) error {
	var err error
	switch {
	case name == "-":
		_, err = term.data.Write(data)
		name = ""
	case special(name):
		err = writeDevice(ctx, name, data)
	default:
		if err = term.mayWrite(name); err == nil {
			err = errors.Join(sweepOutput(name), atomicfile.WriteFile(target(name), data))
		}
	}
	if err != nil {
		return fmt.Errorf("%s: %w", outputName(name), plainError(err))
	}
	return nil
}

// openDevice opens a pipe or a device for writing. Opening a pipe that nobody reads may
// block forever: it ends with ctx.
func openDevice(ctx context.Context, name string, flag int) (*os.File, error) {
	return within(ctx, func() (*os.File, error) { return os.OpenFile(name, os.O_WRONLY|flag, 0) })
}

// writeDevice writes to an existing pipe or device, or to the file behind /dev/fd/N.
func writeDevice(ctx context.Context, name string, data []byte) error {
	f, err := openDevice(ctx, name, os.O_TRUNC)
	if err != nil {
		return err
	}
	_, err = waiting(ctx, f).Write(data)
	return errors.Join(err, f.Close())
}

// target follows a symbolic link, so that its target is replaced and the link stays.
func target(name string) string {
	if path, err := filepath.EvalSymlinks(name); err == nil {
		return path
	}
	return name
}
