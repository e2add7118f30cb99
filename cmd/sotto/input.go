package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/sotto-dp/sotto/files/paths"
	"github.com/sotto-dp/sotto/text"
)

// formatFlags describe how files hold texts.
type formatFlags struct {
	Format  string   `placeholder:"NAME" group:"input" help:"${formats} (default: by extension, else lines)."`
	Field   []string `placeholder:"PATH" sep:"none" group:"input" help:"Column, or path into JSON or nested columns, of the texts (repeatable)."`
	Invalid string   `enum:",fail,replace" default:"" placeholder:"WHAT" group:"input" help:"Input that is not UTF-8: fail, or replace invalid bytes by U+FFFD (default: fail; whole texts are replaced in any case)."`
}

type inputFlags struct {
	formatFlags
	File []string `path:"inputs" arg:"" optional:"" help:"Files or patterns to read (default: standard input). A record has at most 256 MiB."`
}

// formatList returns the names of the formats, for help texts.
func formatList() string {
	names := formats.Names()
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

func (c *formatFlags) checkFormat() error {
	if c.Format == "" || formats.Named(c.Format) != nil {
		return nil
	}
	hint := didYouMean(c.Format, formats.Names())
	return wrongUsage(hint, "--format must be one of %s, got %q", strings.Join(formats.Names(), ", "), c.Format)
}

// formatOf returns the format of the flag, or else of the file's name.
func (c *formatFlags) formatOf(name string) *text.Format {
	if c.Format != "" {
		return formats.Named(c.Format)
	}
	return formats.Of(name)
}

// files returns the files to read, and refuses files that cannot be written to one
// output. Of files with headers only the records can be read.
func (c *inputFlags) files(output string, records bool) ([]string, error) {
	files, err := expand(c.File)
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		files = []string{"-"}
	}
	for _, name := range files {
		if f := c.formatOf(name); len(files) > 1 && !isFolder(output) && f.Header && !records {
			return nil, wrongUsage("give a folder with -o to write each file there", "%s has a header: rewrite one file at a time", f)
		}
		if name == "-" {
			continue
		}
		info, err := os.Stat(name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, plainError(err))
		}
		if info.IsDir() {
			return nil, fmt.Errorf("%s: is a directory\n       give its files, such as '%s'", name, filepath.Join(name, "*"))
		}
		if isFolder(output) && !info.Mode().IsRegular() {
			return nil, wrongUsage("write it to a file first", "%s is not a regular file: with -o FOLDER files are read twice", name)
		}
	}
	return files, nil
}

// expand replaces patterns that are not names of files by the matching files, in order.
func expand(names []string) ([]string, error) {
	var files []string
	for _, name := range names {
		if !strings.ContainsAny(name, "*?[") {
			files = append(files, name)
			continue
		}
		found, err := paths.Expand(name)
		if err != nil || len(found) == 0 {
			return nil, wrongUsage("", "no file matches %s", name)
		}
		files = append(files, found...)
	}
	return files, nil
}

// inputOf is the key of a context's standard input.
type inputOf struct{}

// withInput returns a context of a command line with its own standard input: that of the
// program is the pipe of requests in a worker.
func withInput(ctx context.Context, in *os.File) context.Context {
	return context.WithValue(ctx, inputOf{}, in)
}

// openInput opens a file that a flag names; - is the standard input of the command line.
func openInput(ctx context.Context, name string) (io.ReadCloser, error) {
	var f *os.File
	if isStdin(name) {
		if f, _ = ctx.Value(inputOf{}).(*os.File); f == nil {
			return nil, wrongUsage("name a file", "there is no standard input to read %s from", name)
		}
		hintTyping(f, os.Stderr)
	} else {
		var err error
		if f, err = openFile(ctx, name); err != nil {
			return nil, err
		}
	}
	return struct {
		io.Reader
		io.Closer
	}{waiting(ctx, f), f}, nil
}

// hintTyping prints to a terminal that the program waits for input.
func hintTyping(in *os.File, messages io.Writer) {
	if !onTerminal(in) || !onTerminal(messages) {
		return
	}
	end := "Ctrl-D"
	if runtime.GOOS == "windows" {
		end = "Ctrl-Z and Enter"
	}
	fmt.Fprintf(messages, "sotto: reading from the terminal; %s ends the input\n", end)
}

// readInput reads a whole file that a flag names; - is standard input.
func readInput(ctx context.Context, name string) ([]byte, error) {
	f, err := openInput(ctx, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, plainError(err))
	}
	return data, nil
}

// plainError removes the file name and the call from an error of the operating system:
// the caller names the file.
func plainError(err error) error {
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

func outputName(name string) string {
	if name == "" {
		return "standard output"
	}
	return name
}
