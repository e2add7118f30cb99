package release

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/text"
	"github.com/sotto-dp/sotto/text/detect"
)

// marks reports whether spans are given.
func (c *RewriteCmd) marks() bool { return c.Spans != "" || c.SpansField != "" || c.MarkPatterns }

func (r *spanRows) Rows() int { return len(r.spans) + len(r.tagged) }

func (r *spanRows) Row(i int, of []byte) ([]text.Span, error) {
	if r.tagged != nil {
		return r.tagged[i].Spans(of)
	}
	return r.spans[i], nil
}

// open reads a file of spans in a form; empty is that of its extension. Errors name a line
// and repeat nothing of it: it may hold the text.
func (r *spanRows) open(ctx context.Context, name, form string) error {
	data, err := cli.ReadInput(ctx, name)
	if err != nil {
		return err
	}
	if form == "conll" || form == "" && slices.Contains([]string{".conll", ".iob", ".bio"}, filepath.Ext(name)) {
		if r.tagged, err = text.ReadTagged(data); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return nil
	}
	for line := range bytes.Lines(data) {
		spans, err := text.ReadSpans(line)
		if err != nil {
			return fmt.Errorf("%s: line %d: %w", name, len(r.spans)+1, err)
		}
		r.spans = append(r.spans, spans)
	}
	return nil
}

// marksFlag returns the flag that gives the marks.
func (c *RewriteCmd) marksFlag() string {
	switch {
	case c.Spans != "":
		return "--spans"
	case c.SpansField != "":
		return "--spans-field"
	}
	return "--mark-patterns"
}

// checkSpans refuses what spans cannot be combined with.
func (c *RewriteCmd) checkSpans() error {
	flag := c.marksFlag()
	switch {
	case !c.marks():
		return nil
	case c.Account != "":
		return cli.WrongUsage("rewrite without "+flag+" to charge an account", "%s cannot be used with --account: an account bounds the loss of texts, and a text with copied parts has no bound", flag)
	case text.Invalid(c.Invalid) == text.ReplaceInvalid:
		return cli.WrongUsage("convert the input to UTF-8 before the detector reads it", "%s cannot be used with --invalid replace: spans count characters, and detectors replace invalid bytes by other numbers of characters", flag)
	case len(c.Field) > 1 && flag != "--mark-patterns":
		return cli.WrongUsage("", "%s needs exactly one --field: a record has one text", flag)
	}
	return nil
}

// checkMarks refuses inputs that the spans do not match: a file of spans is for one input, into
// a folder too.
func (c *RewriteCmd) checkMarks(files []string) error {
	switch {
	case !c.marks():
	case c.SpansField != "" && slices.ContainsFunc(files, func(name string) bool { return c.FormatOf(name) != text.JSONL }):
		return cli.WrongUsage("give the spans in a file of their own, with --spans", "--spans-field needs --format jsonl: other records have no lists in a field")
	case c.Spans != "" && len(files) > 1:
		return cli.WrongUsage("rewrite each file on its own, or give the spans in the records with --spans-field", "--spans needs exactly one input: line i is for record i")
	case c.MarkedEpsilon != nil && slices.ContainsFunc(files, func(name string) bool { return c.FormatOf(name).Whole }):
		return cli.WrongUsage("use --format lines: then each line is a text", "--marked-epsilon cannot be used with --format text: the output would have no lines")
	}
	return nil
}

// openSpans reads the file of spans.
func (c *RewriteCmd) openSpans(ctx context.Context) error {
	if c.Spans == "" {
		return nil
	}
	return c.spans.open(ctx, c.Spans, c.SpansFormat)
}

// stateMarks states where the marks came from.
func (c *RewriteCmd) stateMarks(s *sotto.Statement) {
	s.LeaveOut(c.SpansField)
	if c.MarkPatterns {
		s.Detected(detect.Version())
	}
}

// markStream adds the spans to a stream, and returns what it reads.
func (c *RewriteCmd) markStream(in io.Reader, s *sotto.Stream) io.Reader {
	if c.MarkPatterns {
		s.Detect = detect.Patterns
	}
	switch {
	case c.SpansField != "":
		c.lines = text.NewSpanLines(in, c.SpansField)
		s.Spans = c.lines
		return c.lines
	case c.Spans != "":
		s.Spans = &c.spans
	}
	return in
}
