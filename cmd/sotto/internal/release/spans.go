package release

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/text"
)

// marks reports whether spans are given.
func (c *RewriteCmd) marks() bool { return c.Spans != "" || c.SpansField != "" }

// spanRows are the spans of each record.
type spanRows [][]text.Span

func (r spanRows) Rows() int                      { return len(r) }
func (r spanRows) Row(i int) ([]text.Span, error) { return r[i], nil }

// checkSpans refuses what spans cannot be combined with.
func (c *RewriteCmd) checkSpans() error {
	flag := "--spans-field"
	if c.Spans != "" {
		flag = "--spans"
	}
	switch {
	case !c.marks():
		return nil
	case c.Account != "":
		return cli.WrongUsage("rewrite without "+flag+" to charge an account", "%s cannot be used with --account: an account bounds the loss of texts, and a text with copied parts has no bound", flag)
	case cli.IsFolder(c.Output):
		return cli.WrongUsage("write one file", "%s cannot be used with a folder: spans are for the records of one output", flag)
	case text.Invalid(c.Invalid) == text.ReplaceInvalid:
		return cli.WrongUsage("convert the input to UTF-8 before the detector reads it", "%s cannot be used with --invalid replace: spans count characters, and detectors replace invalid bytes by other numbers of characters", flag)
	case len(c.Field) > 1:
		return cli.WrongUsage("", "%s needs exactly one --field: a record has one text", flag)
	}
	return nil
}

// checkMarks refuses inputs that the spans do not match.
func (c *RewriteCmd) checkMarks(files []string) error {
	switch {
	case !c.marks():
	case c.SpansField != "" && slices.ContainsFunc(files, func(name string) bool { return c.FormatOf(name) != text.JSONL }):
		return cli.WrongUsage("give the spans in a file of their own, with --spans", "--spans-field needs --format jsonl: other records have no lists in a field")
	case c.Spans != "" && len(files) > 1:
		return cli.WrongUsage("rewrite each file on its own", "--spans needs exactly one input: line i is for record i")
	case slices.ContainsFunc(files, func(name string) bool { return c.FormatOf(name).Whole }):
		return cli.WrongUsage("use --format lines: then each line is a text", "--spans cannot be used with --format text, whose lines are parts of one text")
	}
	return nil
}

// openSpans reads the spans. Errors name a line and repeat nothing of it: it may hold the text.
func (c *RewriteCmd) openSpans(ctx context.Context) error {
	if c.Spans == "" {
		return nil
	}
	data, err := cli.ReadInput(ctx, c.Spans)
	if err != nil {
		return err
	}
	for line := range bytes.Lines(data) {
		spans, err := text.ReadSpans(line)
		if err != nil {
			return fmt.Errorf("%s: line %d: %w", c.Spans, len(c.spans)+1, err)
		}
		c.spans = append(c.spans, spans)
	}
	return nil
}

// markStream adds the spans to a stream, and returns what it reads.
func (c *RewriteCmd) markStream(in io.Reader, s *sotto.Stream) io.Reader {
	switch {
	case c.SpansField != "":
		lines := text.NewSpanLines(in, c.SpansField)
		s.Spans = lines
		return lines
	case c.Spans != "":
		s.Spans = c.spans
	}
	return in
}

// stateSpans records in a statement that the field is left out.
func (c *RewriteCmd) stateSpans(s *sotto.Statement) {
	if s.SpansField = c.SpansField; c.SpansField != "" {
		s.NotProtected = append(s.NotProtected, fmt.Sprintf("fields beside the text in which a detector stored what it found: only %q, which has the spans, is left out of the output", c.SpansField))
	}
}
