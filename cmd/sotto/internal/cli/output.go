package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/sotto-dp/sotto/files/atomicfile"
	"github.com/sotto-dp/sotto/files/compress"
)

// errWrite marks a failure of the output, to distinguish it from one of the input.
var errWrite = errors.New("write failed")

// WritesReport is the hint where a command has --report.
const WritesReport = "write the data to a file with -o, or the statement with --report"

// CheckJSON refuses --json if the data goes to standard output too.
func CheckJSON(asJSON bool, output, hint string) error {
	if asJSON && output == "" {
		return WrongUsage(hint, "--json and the data both write to standard output")
	}
	return nil
}

// OutputFile is standard output, or a file that appears under its name only when
// everything is written.
type OutputFile struct {
	Pending *atomicfile.File // nil if there is nothing to replace
	device  *os.File         // a pipe or a device that was given
	buffer  *bufio.Writer
	stream  io.WriteCloser // compresses if the extension is .gz or .zst
}

// CreateOutput opens an output, and removes what killed runs left of it. Opening a pipe or
// writing to it may block forever: both end with ctx.
func CreateOutput(ctx context.Context, term *Terminal, name string) (*OutputFile, error) {
	if name != "" && name != "-" && !Special(name) {
		if err := sweepOutput(name); err != nil {
			return nil, noFolder(name, err)
		}
	}
	return BeginOutput(ctx, term, name)
}

// BeginOutput is CreateOutput for an output of which nothing is left. The output of a flag that
// is - takes standard output from what else the command prints.
func BeginOutput(ctx context.Context, term *Terminal, name string) (*OutputFile, error) {
	o := &OutputFile{}
	var w io.Writer = term.Out
	switch {
	case name == "":
	case name == "-":
		w = term.Data
	case Special(name):
		f, err := OpenDevice(ctx, name, 0)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, PlainError(err))
		}
		o.device, w = f, Waiting(ctx, f)
	default:
		if err := errors.Join(term.MayWrite(name), notFolder(name)); err != nil {
			return nil, err
		}
		p, err := atomicfile.Create(Target(name))
		if err != nil {
			return nil, noFolder(name, err)
		}
		o.Pending, w = p, p
	}
	o.buffer = bufio.NewWriterSize(w, 1<<16)
	if o.Pending == nil {
		// The reader sees each batch as soon as it is done.
		o.buffer = bufio.NewWriterSize(w, 16)
	}
	stream, err := compress.NewWriter(name, o.buffer)
	if err != nil {
		o.Discard()
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	o.stream = stream
	return o, nil
}

func (o *OutputFile) Write(p []byte) (int, error) {
	n, err := o.stream.Write(p)
	if err == nil && o.Pending == nil {
		err = o.buffer.Flush()
	}
	if err != nil {
		err = fmt.Errorf("%w: %w", errWrite, err)
	}
	return n, err
}

// sweepOutput removes what killed runs left of an output.
func sweepOutput(name string) error {
	path := Target(name)
	return atomicfile.Sweep(filepath.Dir(path), []string{filepath.Base(path)})
}

// notFolder refuses a folder as a file to write.
func notFolder(name string) error {
	if info, err := os.Stat(Target(name)); err == nil && info.IsDir() {
		return fmt.Errorf("%s: it is a folder", name)
	}
	return nil
}

// canWrite refuses a file that could not be created at the end of a run: one that is a folder,
// or whose folder is missing. It creates nothing.
func canWrite(name string) error {
	folder := filepath.Dir(Target(name))
	switch info, err := os.Stat(folder); {
	case err != nil:
		return noFolder(name, err)
	case !info.IsDir():
		return fmt.Errorf("%s: %s is not a folder", name, folder)
	}
	return notFolder(name)
}

// noFolder adds the name of an output to an error, and what to do where its folder is missing.
func noFolder(name string, err error) error {
	folder := filepath.Dir(Target(name))
	if _, missing := os.Stat(folder); errors.Is(missing, fs.ErrNotExist) {
		return fmt.Errorf("%s: there is no folder %s\n       make it: mkdir -p %s", name, folder, InShell(folder))
	}
	return fmt.Errorf("%s: %w", name, PlainError(err))
}

// Finish ends the stream and writes what is buffered.
func (o *OutputFile) Finish() error {
	if err := o.stream.Close(); err != nil {
		return err
	}
	return o.buffer.Flush()
}

// Commit renames the file to its name.
func (o *OutputFile) Commit() error {
	if o.device != nil {
		return o.device.Close()
	}
	if o.Pending == nil {
		return nil
	}
	return o.Pending.CloseAtomicallyReplace()
}

// WriteOutput writes a whole output by a function.
func WriteOutput(ctx context.Context, term *Terminal, name string, write func(io.Writer) error) error {
	out, err := CreateOutput(ctx, term, name)
	if err != nil {
		return err
	}
	defer out.Discard()
	if err = write(out); err == nil {
		err = out.Finish()
	}
	if err == nil {
		err = out.Commit()
	}
	if err != nil {
		return fmt.Errorf("%s: %w", OutputName(name), PlainError(err))
	}
	return nil
}

// Deliver writes the report if requested, commits the output, and prints the statement if
// JSON is requested.
func (o *OutputFile) Deliver(ctx context.Context, term *Terminal, output, report string, asJSON bool, statement any) error {
	if report != "" {
		if err := WriteReport(ctx, term, report, statement); err != nil {
			return err
		}
	}
	if err := o.Commit(); err != nil {
		return fmt.Errorf("%s: %w", OutputName(output), PlainError(err))
	}
	if asJSON {
		return PrintJSON(term, statement)
	}
	return nil
}

func WriteReport(ctx context.Context, term *Terminal, name string, statement any) error {
	data, err := json.MarshalIndent(statement, "", "  ")
	if err != nil {
		return err
	}
	return WriteWhole(ctx, term, name, append(data, '\n'))
}

// Discard removes what was not committed.
func (o *OutputFile) Discard() {
	if o.Pending != nil {
		_ = o.Pending.Cleanup()
	}
}

// Special reports whether a name is a pipe or a device, which is written to and never
// replaced. /dev/stdout is one even if it leads to a regular file.
func Special(name string) bool {
	if name == "/dev/stdout" || name == "/dev/stderr" || strings.HasPrefix(name, "/dev/fd/") {
		return true
	}
	info, err := os.Stat(name)
	return err == nil && !info.Mode().IsRegular() && !info.IsDir()
}

// WriteWhole writes a small file, whole or not at all; - is standard output.
func WriteWhole(ctx context.Context, term *Terminal, name string, data []byte) error {
	var err error
	switch {
	case name == "-":
		_, err = term.Data.Write(data)
		name = ""
	case Special(name):
		err = writeDevice(ctx, name, data)
	default:
		if err = term.MayWrite(name); err == nil {
			err = errors.Join(sweepOutput(name), atomicfile.WriteFile(Target(name), data))
		}
	}
	if err != nil {
		return fmt.Errorf("%s: %w", OutputName(name), PlainError(err))
	}
	return nil
}

// WritePrivate writes a file that only its owner may read, whole or not at all.
func WritePrivate(term *Terminal, name string, write func(io.Writer) error) error {
	err := term.MayWrite(name)
	if err == nil {
		err = sweepOutput(name)
	}
	var p *atomicfile.File
	if err == nil {
		p, err = atomicfile.CreatePrivate(Target(name))
	}
	if err == nil {
		defer func() { _ = p.Cleanup() }()
		err = write(p)
	}
	if err == nil {
		err = p.CloseAtomicallyReplace()
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, PlainError(err))
	}
	return nil
}

// OpenDevice opens a pipe or a device for writing. Opening a pipe that nobody reads may
// block forever: it ends with ctx.
func OpenDevice(ctx context.Context, name string, flag int) (*os.File, error) {
	return Within(ctx, func() (*os.File, error) { return os.OpenFile(name, os.O_WRONLY|flag, 0) })
}

// writeDevice writes to an existing pipe or device, or to the file behind /dev/fd/N.
func writeDevice(ctx context.Context, name string, data []byte) error {
	f, err := OpenDevice(ctx, name, os.O_TRUNC)
	if err != nil {
		return err
	}
	_, err = Waiting(ctx, f).Write(data)
	return errors.Join(err, f.Close())
}

// Target follows a symbolic link, so that its target is replaced and the link stays.
func Target(name string) string {
	if path, err := filepath.EvalSymlinks(name); err == nil {
		return path
	}
	return name
}
