package release

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/text"
)

// spanFlags choose what is rewritten of a text.
type spanFlags struct {
	Spans string `path:"read" placeholder:"FILE" group:"privacy" help:"Rewrite only what these spans mark and copy the rest: JSON lines, line i for record i, as Presidio's analyzer or spaCy writes them. The guarantee is conditional on the spans, and there is none for a text."`

	SpansField string `placeholder:"NAME" group:"privacy" help:"The same with spans from a field of each record of JSON lines. The field is left out of the output: detectors store there what they found."`

	MarkedEpsilon *float64 `placeholder:"E" group:"privacy" help:"With --spans or --spans-field: draw what is marked at this epsilon and the rest at --epsilon, instead of copying the rest. Both guarantees are conditional on the spans."`

	rows spanRows // of the open file
}

// marks reports whether spans are given.
func (f *spanFlags) marks() bool { return f.Spans != "" || f.SpansField != "" }

// flag returns the flag that is given.
func (f *spanFlags) flag() string {
	if f.Spans != "" {
		return "--spans"
	}
	return "--spans-field"
}

// spanRows are the spans of each record.
type spanRows [][]text.Span

func (r spanRows) Rows() int                      { return len(r) }
func (r spanRows) Row(i int) ([]text.Span, error) { return r[i], nil }

// check refuses flags that cannot be combined.
func (f *spanFlags) check(c *RewriteCmd) error {
	flag := f.flag()
	switch {
	case f.MarkedEpsilon != nil && !f.marks():
		return cli.WrongUsage("", "--marked-epsilon needs --spans or --spans-field: it is for the tokens that they mark")
	case !f.marks():
		return nil
	case f.MarkedEpsilon != nil && c.RequireCertificate != "":
		return cli.WrongUsage("", "--marked-epsilon cannot be used with --require-certificate: a certificate is for one mechanism, and two are opened")
	case f.Spans != "" && f.SpansField != "":
		return cli.WrongUsage("", "--spans cannot be used with --spans-field: spans are in a file of their own or in the records")
	case c.Model != "" || c.Whole(&c.MechanismFlags):
		return cli.WrongUsage("leave out "+flag+": with --unit text everything is protected", "%s cannot be used with --unit text: what is not marked is copied, so a whole text has no guarantee", flag)
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

// checkFiles refuses inputs that do not match the flag.
func (f *spanFlags) checkFiles(c *RewriteCmd, files []string) error {
	switch {
	case !f.marks():
	case f.SpansField != "" && slices.ContainsFunc(files, func(name string) bool { return c.FormatOf(name) != text.JSONL }):
		return cli.WrongUsage("give the spans in a file of their own, with --spans", "--spans-field needs --format jsonl: other records have no lists in a field")
	case f.Spans != "" && len(files) > 1:
		return cli.WrongUsage("rewrite each file on its own", "--spans needs exactly one input: line i is for record i")
	case slices.ContainsFunc(files, func(name string) bool { return c.FormatOf(name).Whole }):
		return cli.WrongUsage("use --format lines: then each line is a text", "--spans cannot be used with --format text, whose lines are parts of one text")
	}
	return nil
}

// open reads the spans. Errors name a line and repeat nothing of it: it may hold the text.
func (f *spanFlags) open(ctx context.Context) error {
	if f.Spans == "" {
		return nil
	}
	data, err := cli.ReadInput(ctx, f.Spans)
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

// stream adds the spans to a stream, and returns what it reads.
func (f *spanFlags) stream(in io.Reader, s *sotto.Stream) io.Reader {
	switch {
	case f.SpansField != "":
		lines := text.NewSpanLines(in, f.SpansField)
		s.Spans = lines
		return lines
	case f.Spans != "":
		s.Spans = f.rows
	}
	return in
}

// apply configures the mechanism.
func (f *spanFlags) apply(cfg *sotto.Config) error {
	cfg.Marked = f.marks()
	if f.MarkedEpsilon == nil {
		return nil
	}
	cfg.MarkedEpsilon = *f.MarkedEpsilon
	return privacy.CheckEpsilon("rewrite: marked", cfg.MarkedEpsilon) // 0 would mean that the rest is copied
}

// state records in a statement that the field is left out.
func (f *spanFlags) state(s *sotto.Statement) {
	if s.SpansField = f.SpansField; f.SpansField != "" {
		s.NotProtected = append(s.NotProtected, fmt.Sprintf("fields beside the text in which a detector stored what it found: only %q, which has the spans, is left out of the output", f.SpansField))
	}
}
