package main

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/text"
)

// spanFlags choose what is rewritten of a text.
type spanFlags struct {
	Spans string `path:"read" placeholder:"FILE" group:"privacy" help:"Rewrite only what these spans mark and copy the rest: JSON lines, line i for record i, as Presidio's analyzer or spaCy writes them. The promise is conditional on the spans, and there is none for a text."`

	rows spanRows // of the open file
}

// spanRows are the spans of each record.
type spanRows [][]text.Span

func (r spanRows) Rows() int                      { return len(r) }
func (r spanRows) Row(i int) ([]text.Span, error) { return r[i], nil }

// check refuses flags that cannot be combined.
func (f *spanFlags) check(c *rewriteCmd) error {
	switch {
	case f.Spans == "":
		return nil
	case c.Model != "" || c.whole(&c.mechanismFlags):
		return wrongUsage("leave out --spans: with --unit text everything is protected", "--spans cannot be used with --unit text: what is not marked is copied, so no promise for a whole text holds")
	case c.Account != "":
		return wrongUsage("rewrite without --spans to charge an account", "--spans cannot be used with --account: an account is of whole texts, and a text of which parts are copied loses an infinite epsilon")
	case isFolder(c.Output):
		return wrongUsage("write one file", "--spans cannot be used with a folder: line i is for record i of one input")
	case len(c.Field) > 1:
		return wrongUsage("", "--spans needs exactly one --field: a record has one text")
	}
	return nil
}

// checkFiles refuses inputs that do not match the flag.
func (f *spanFlags) checkFiles(c *rewriteCmd, files []string) error {
	switch {
	case f.Spans == "":
	case len(files) > 1:
		return wrongUsage("rewrite each file on its own", "--spans needs exactly one input: line i is for record i")
	case slices.ContainsFunc(files, func(name string) bool { return c.formatOf(name).Whole }):
		return wrongUsage("use --format lines: then each line is a text", "--spans cannot be used with --format text, whose lines are parts of one text")
	}
	return nil
}

// open reads the spans. Errors name a line and repeat nothing of it: it may hold the text.
func (f *spanFlags) open(ctx context.Context) error {
	if f.Spans == "" {
		return nil
	}
	data, err := readInput(ctx, f.Spans)
	if err != nil {
		return err
	}
	for line := range bytes.Lines(data) {
		spans, err := text.ReadSpans(line)
		if err != nil {
			return fmt.Errorf("%s: line %d: %w", f.Spans, len(f.rows)+1, err)
		}
		f.rows = append(f.rows, spans)
	}
	return nil
}

// stream adds the spans to a stream.
func (f *spanFlags) stream(s *sotto.Stream) {
	if f.Spans != "" {
		s.Spans = f.rows
	}
}
