package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/sotto-dp/sotto/files/paths"
	"github.com/sotto-dp/sotto/text"
)

// FormatFlags describe how files hold texts.
type FormatFlags struct {
	Format    string   `placeholder:"NAME" group:"input" help:"${formats} (default: by extension, else lines)."`
	Field     []string `placeholder:"PATH" sep:"none" group:"input" help:"Column, or path into JSON or nested columns, of the texts (repeatable)."`
	Delimiter string   `placeholder:"C" group:"input" help:"What separates the columns of csv: one character such as ; or |, or tab (default: a comma)."`
	Tolerant  bool     `kong:"-"` // a damaged compressed file of one record has no readable text, and is no error
	Invalid   string   `enum:",fail,replace" default:"" placeholder:"WHAT" group:"input" help:"Input that is not UTF-8: fail, or replace invalid bytes by U+FFFD (default: fail; whole texts are replaced in any case)."`
}

type InputFlags struct {
	FormatFlags
	File []string `path:"inputs" arg:"" optional:"" help:"Files or patterns to read (default: standard input). A record has at most 256 MiB."`
}

// FormatList returns the names of the formats, for help texts.
func FormatList() string {
	names := Formats.Names()
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

func (c *FormatFlags) CheckFormat() error {
	if d := c.separator(); len(d) > 1 || strings.ContainsAny(d, "\"\r\n\x00") || d != "" && d[0] >= 0x80 {
		return WrongUsage("", "--delimiter must be one ASCII character that is no quote, or tab, got %q", c.Delimiter)
	}
	if c.Format == "" || Formats.Named(c.Format) != nil {
		return nil
	}
	hint := DidYouMean(c.Format, Formats.Names())
	return WrongUsage(hint, "--format must be one of %s, got %q", strings.Join(Formats.Names(), ", "), c.Format)
}

// separator returns the character of --delimiter.
func (c *FormatFlags) separator() string {
	if c.Delimiter == "tab" || c.Delimiter == `\t` {
		return "\t"
	}
	return c.Delimiter
}

// FormatOf returns the format of the flag, or else of the file's name. With --delimiter a file
// of texts alone, as its name says, is csv.
func (c *FormatFlags) FormatOf(name string) *text.Format {
	f := Formats.Of(name)
	if c.Format != "" {
		f = Formats.Named(c.Format)
	}
	if c.Delimiter != "" && (f == text.CSV || f == text.Lines && c.Format == "") {
		return text.Delimited(c.separator()[0])
	}
	return f
}

// WarnOfLines warns that each line of several files is protected on its own, although each file
// may be what the flags call one: a text, or a record. It depends on the flags and on the names of
// the files, not on what they hold.
func (c *FormatFlags) WarnOfLines(w io.Writer, files []string, one string) {
	other := func(name string) bool { return c.FormatOf(name) != text.Lines }
	if c.Format == "" && len(files) > 1 && !slices.ContainsFunc(files, other) {
		fmt.Fprintf(w, "sotto: warning: each line was a %s of its own: if each file is one %s, use --format text\n", one, one)
	}
}

// Files returns the files to read, and refuses files that cannot be written to one
// output. Of files with headers only the records can be read.
func (c *InputFlags) Files(output string, records bool) ([]string, error) {
	files, err := Expand(c.File)
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		files = []string{"-"}
	}
	for _, name := range files {
		if err := c.checkName(name); err != nil {
			return nil, err
		}
		if f := c.FormatOf(name); len(files) > 1 && !IsFolder(output) && f.Header && !records {
			return nil, WrongUsage("give a folder with -o to write each file there", "%s has a header: rewrite one file at a time", f)
		}
		if name == "-" {
			continue
		}
		info, err := os.Stat(name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, PlainError(err))
		}
		if info.IsDir() {
			return nil, fmt.Errorf("%s: is a directory\n       give its files, such as '%s', or with those below it '%s'", name, filepath.Join(name, "*"), filepath.Join(name, "**"))
		}
		if IsFolder(output) && !info.Mode().IsRegular() {
			return nil, WrongUsage("write it to a file first", "%s is not a regular file: with -o FOLDER files are read twice", name)
		}
	}
	return files, nil
}

// Expand replaces patterns that are not names of files by the matching files, in order.
func Expand(names []string) ([]string, error) {
	found, err := Find(names)
	var files []string
	for _, f := range found {
		files = append(files, f.Name)
	}
	return files, err
}

// Find is Expand with where each file is below what its pattern writes out.
func Find(names []string) (files []paths.Found, err error) {
	for _, name := range names {
		if !strings.ContainsAny(name, "*?[") {
			files = append(files, paths.Found{Name: name, Below: filepath.Base(name)})
			continue
		}
		found, err := paths.Find(name)
		if err != nil && !errors.Is(err, path.ErrBadPattern) {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if len(found) == 0 {
			return nil, WrongUsage("", "no file matches %s", name)
		}
		files = append(files, found...)
	}
	return files, nil
}

// inputOf is the key of a context's standard input.
type inputOf struct{}

// WithInput returns a context of a command line with its own standard input: that of the
// program is the pipe of requests in a worker.
func WithInput(ctx context.Context, in *os.File) context.Context {
	return context.WithValue(ctx, inputOf{}, in)
}

// OpenInput opens a file that a flag names; - is the standard input of the command line.
func OpenInput(ctx context.Context, name string) (io.ReadCloser, error) {
	var f *os.File
	if IsStdin(name) {
		if f, _ = ctx.Value(inputOf{}).(*os.File); f == nil {
			return nil, WrongUsage("name a file", "there is no standard input to read %s from", name)
		}
		hintTyping(f, os.Stderr)
	} else {
		var err error
		if f, err = OpenFile(ctx, name); err != nil {
			return nil, err
		}
	}
	return struct {
		io.Reader
		io.Closer
	}{Waiting(ctx, f), f}, nil
}

// hintTyping prints to a terminal that the program waits for input.
func hintTyping(in *os.File, messages io.Writer) {
	if !OnTerminal(in) || !OnTerminal(messages) {
		return
	}
	end := "Ctrl-D"
	if runtime.GOOS == "windows" {
		end = "Ctrl-Z and Enter"
	}
	fmt.Fprintf(messages, "sotto: reading from the terminal; %s ends the input\n", end)
}

// ReadInput reads a whole file that a flag names; - is standard input.
func ReadInput(ctx context.Context, name string) ([]byte, error) {
	f, err := OpenInput(ctx, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, PlainError(err))
	}
	return data, nil
}

// PlainError removes the file name and the call from an error of the operating system:
// the caller names the file.
func PlainError(err error) error {
	var p *os.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	var l *os.LinkError
	if errors.As(err, &l) {
		return l.Err
	}
	return err
}

func OutputName(name string) string {
	if name == "" || name == "-" {
		return "standard output"
	}
	return name
}

// IsFolder reports whether an output is a folder: an existing one, or a name that ends in
// a slash.
func IsFolder(output string) bool {
	if output == "" {
		return false
	}
	info, err := os.Stat(output)
	return err == nil && info.IsDir() || os.IsPathSeparator(output[len(output)-1])
}

func ShownInput(name string) string {
	if name == "-" {
		return "standard input"
	}
	return name
}
