package release

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/text"
	"github.com/sotto-dp/sotto/text/detect"
	"github.com/sotto-dp/sotto/typed"
)

type SpansCmd struct {
	cli.InputFlags
	Patterns    bool   `group:"input" help:"Mark what has a shape (default without --spans): e-mail addresses, URLs, phone, card and account numbers, dates, times, ages, money, national numbers, long digits, keys and passwords. It does not find names. What is missed stays in clear."`
	Spans       string `path:"read" placeholder:"FILE" group:"input" help:"Print these marks, in one form and with the names of types that sotto rewrite --typed uses."`
	SpansFormat string `enum:",jsonl,conll" default:"" placeholder:"NAME" group:"input" help:"Form of --spans: jsonl or conll (default: by extension, else jsonl)."`
	Types       bool   `group:"output" help:"Print the types that have a codebook, with the number of its values, and read nothing."`
	Values      string `placeholder:"NAME" group:"output" help:"Print the values of an embedded codebook, a value on each line, and read nothing. Their SHA-256 is that of a report."`
	Output      string `path:"output" short:"o" placeholder:"FILE" group:"output" help:"Write here instead of standard output."`

	rows spanRows // of the open file
}

// Run prints the marks of each record as a line of JSON, as --spans reads them.
func (c *SpansCmd) Run(ctx context.Context, term *cli.Terminal) error {
	out, err := cli.CreateOutput(ctx, term, c.Output)
	if err != nil {
		return err
	}
	defer out.Discard()
	w := bufio.NewWriter(out)
	switch {
	case c.Types:
		err = printTypes(w)
	case c.Values != "":
		err = printValues(w, c.Values)
	default:
		err = c.marks(ctx, term, w)
	}
	if err == nil {
		err = w.Flush()
	}
	if err == nil {
		err = out.Finish()
	}
	if err != nil {
		return err
	}
	return out.Commit()
}

// marks prints the marks of the records of one input.
func (c *SpansCmd) marks(ctx context.Context, term *cli.Terminal, w io.Writer) error {
	if err := c.CheckFormat(); err != nil {
		return err
	}
	files, err := c.Files("", false)
	if err != nil {
		return err
	}
	switch {
	case len(files) > 1:
		return cli.WrongUsage("", "spans reads one file: line i of the output is for record i")
	case len(c.Field) > 1:
		return cli.WrongUsage("", "spans takes one --field: a record has one text")
	}
	if c.Spans != "" {
		if err := c.rows.open(ctx, c.Spans, c.SpansFormat); err != nil {
			return err
		}
	}
	record := 0
	e := json.NewEncoder(w)
	err = c.EachWhole(ctx, term, files[0], func(r text.Record) error {
		if len(r.Texts) > 1 {
			return &text.FieldError{What: fmt.Sprintf("record %d holds %d texts: a line of spans is for one text", record+1, len(r.Texts))}
		}
		var one []byte // nil without a text
		if len(r.Texts) == 1 {
			one = r.Texts[0]
		}
		found, err := c.of(record, one)
		if err != nil {
			return fmt.Errorf("spans of record %d: %w", record+1, err)
		}
		record++
		return e.Encode(found)
	})
	if err == nil && c.Spans != "" && c.rows.Rows() != record {
		return fmt.Errorf("%s: it has %d lists of spans, and the input %d records", c.Spans, c.rows.Rows(), record)
	}
	return err
}

// printed is a mark as sotto spans prints it.
type printed struct {
	Type  string `json:"entity_type"`
	Start int    `json:"start"`
	End   int    `json:"end"`
}

// of returns the marks of a record, in the order of its text.
func (c *SpansCmd) of(record int, one []byte) (all []printed, err error) {
	var spans text.Spans
	if c.Spans != "" {
		if record >= c.rows.Rows() {
			return nil, fmt.Errorf("there are %d lists of spans only", c.rows.Rows())
		}
		if spans, err = c.rows.Row(record, one); err != nil {
			return nil, err
		}
	}
	if c.Patterns || c.Spans == "" {
		spans, err = detect.Patterns(one, spans)
	} else {
		err = spans.Check(one)
	}
	if err != nil {
		return nil, err
	}
	all = []printed{}
	for _, s := range spans.Sorted() {
		all = append(all, printed{typed.Known(s.Type), s.Start, s.End})
	}
	return all, nil
}

// printTypes prints the types with their codebooks.
func printTypes(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "type\tcodebook\tvalues\tsuch as\tepsilon")
	for _, name := range typed.Types() {
		c, _ := typed.Default(name)
		epsilon := "0"
		if !c.Unordered() {
			epsilon = "--epsilon"
		}
		fmt.Fprintf(w, "%s\t%s\t%d\t%s\t%s\n", name, c.Name(), c.Len(), c.Text(c.Len()/2), epsilon)
	}
	return w.Flush()
}

// printValues prints the values of a codebook.
func printValues(out io.Writer, name string) error {
	c, ok := typed.Embedded(name)
	if !ok {
		return cli.WrongUsage(cli.DidYouMean(name, typed.Codebooks()), "there is no embedded codebook %q", name)
	}
	line := make([]byte, 0, 64)
	for i := range c.Len() {
		if _, err := out.Write(append(c.Append(line[:0], i), '\n')); err != nil {
			return err
		}
	}
	return nil
}
