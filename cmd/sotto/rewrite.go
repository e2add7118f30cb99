package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/internal/compress"
	"github.com/sotto-dp/sotto/text"
)

type rewriteCmd struct {
	mechanismFlags
	Output       string   `short:"o" placeholder:"FILE" help:"Write here instead of standard output (.gz and .zst compress)."`
	Format       string   `placeholder:"NAME" help:"lines, text, jsonl, csv or tsv (default: by extension, else lines)."`
	Field        []string `placeholder:"PATH" sep:"none" help:"Column or JSON path to rewrite (repeatable)."`
	Report       string   `placeholder:"FILE" help:"Write the privacy statement here."`
	Workers      int      `placeholder:"N" help:"Batches rewritten at once (default: one a processor)."`
	InsecureSeed *uint64  `placeholder:"N" help:"Reproducible draws, for tests only: marked in the report."`
	File         []string `arg:"" optional:"" help:"Files to rewrite; standard input when none is given."`
}

// Run rewrites everything into one output, whole or not at all.
func (c *rewriteCmd) Run(ctx context.Context, term *terminal) (err error) {
	if c.Format != "" && !slices.Contains(text.Formats(), c.Format) {
		hint := didYouMean(c.Format, text.Formats())
		return wrongUsage(hint, "format is %q, must be one of %s", c.Format, strings.Join(text.Formats(), ", "))
	}
	if c.Workers < 0 {
		return wrongUsage("", "workers is %d, must be 0 or more", c.Workers)
	}
	cfg, err := c.config(term, "rewrite")
	if err != nil {
		return err
	}
	cfg.InsecureSeed = c.InsecureSeed
	files := c.File
	if len(files) == 0 {
		files = []string{"-"}
	}
	if err := c.checkFiles(files); err != nil {
		return err
	}
	r, err := sotto.Open(cfg)
	if err != nil {
		return err
	}

	out, err := createOutput(term, c.Output)
	if err != nil {
		return err
	}
	defer out.discard()
	var counts sotto.Counts
	for _, name := range files {
		if err := c.rewriteFile(ctx, term, r, name, out, &counts); err != nil {
			return err
		}
	}
	if err := out.finish(); err != nil {
		return fmt.Errorf("%s: %w", outputName(c.Output), plainError(err))
	}
	statement := r.Statement(counts)
	if c.Report != "" {
		data, err := json.MarshalIndent(statement, "", "  ")
		if err != nil {
			return err
		}
		if err := writeWhole(c.Report, append(data, '\n')); err != nil {
			return err
		}
	}
	if err := out.commit(); err != nil {
		return fmt.Errorf("%s: %w", outputName(c.Output), plainError(err))
	}
	if c.JSON && c.Output != "" {
		return printJSON(term, statement)
	}
	return nil
}

// checkFiles refuses a choice of files that cannot go into one output.
func (c *rewriteCmd) checkFiles(files []string) error {
	for _, name := range files {
		if f := c.formatOf(name); len(files) > 1 && (f == text.CSV || f == text.TSV) {
			return wrongUsage("", "%s has a header: rewrite one file at a time", f)
		}
		if name == "-" {
			continue
		}
		info, err := os.Stat(name)
		if err != nil {
			return fmt.Errorf("%s: %w", name, plainError(err))
		}
		if info.IsDir() {
			return fmt.Errorf("%s: is a directory", name)
		}
		if c.Output != "" {
			if o, err := os.Stat(c.Output); err == nil && os.SameFile(info, o) {
				return wrongUsage("", "%s is both input and output", name)
			}
		}
	}
	return nil
}

func (c *rewriteCmd) formatOf(name string) text.Format {
	switch {
	case c.Format != "":
		return text.Format(c.Format)
	case name == "-":
		return text.Lines
	}
	return text.FormatOf(name)
}

// rewriteFile streams one file through the rewriter.
func (c *rewriteCmd) rewriteFile(ctx context.Context, term *terminal, r *sotto.Rewriter, name string, out *outputFile, total *sotto.Counts) error {
	format := c.formatOf(name)
	raw, size, shown := io.Reader(term.in), int64(-1), "standard input"
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return fmt.Errorf("%s: %w", name, plainError(err))
		}
		defer f.Close()
		if info, err := f.Stat(); err == nil {
			size = info.Size()
		}
		raw, shown = f, name
	}
	if onTerminal(term.err) && !onTerminal(term.out) || onTerminal(term.err) && c.Output != "" {
		bar := newBar(term.err, size, filepath.Base(shown), true)
		defer func() { _ = bar.Clear() }()
		raw = io.TeeReader(raw, bar)
	}
	in, err := compress.NewReader(name, raw)
	if err != nil {
		return fmt.Errorf("%s: %w", shown, plainError(err))
	}
	defer in.Close()

	var mu sync.Mutex
	var counts sotto.Counts
	var failed error
	err = text.Copy(ctx, out, in, text.Options{
		Format: format, Fields: c.Field, Workers: c.Workers, Prompt: name == "-" && c.InsecureSeed == nil,
		Rewrite: func(texts [][]byte, batch uint64) ([][]byte, error) {
			var n sotto.Counts
			private, err := r.RewriteAll(nil, texts, batch<<32, &n)
			mu.Lock()
			defer mu.Unlock()
			counts.Add(n)
			if err != nil {
				failed = err
			}
			return private, err
		},
	})
	if format == text.Text { // one document of many lines
		counts.Documents, counts.LongestTokens = 1, counts.Tokens
	}
	total.Add(counts)
	var field *text.FieldError
	switch {
	case err == nil:
		return nil
	case failed != nil:
		return failed
	case errors.As(err, &field):
		return wrongUsage(didYouMean(field.Name, field.Have), "%s: %s", shown, field.What)
	case errors.Is(err, errWrite):
		return fmt.Errorf("%s: %w", outputName(c.Output), plainError(err))
	case errors.Is(err, context.Canceled):
		return err
	}
	return fmt.Errorf("%s: %w", shown, plainError(err))
}

// plainError takes the name of the file and of the call off an error of the
// operating system: the caller names the file.
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
