package corpora

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/opening"
	"github.com/sotto-dp/sotto/synthesis"
	"github.com/sotto-dp/sotto/text"
	"github.com/sotto-dp/sotto/text/parquet"
)

// openedInput is an input whose header was read.
type openedInput struct {
	*cli.Source
	rows text.Rows
}

// open opens a file and reads its header.
func (c *SynthesizeCmd) open(ctx context.Context, term *cli.Terminal, plan *synthesis.Plan, name string) (*openedInput, error) {
	fields := []string{c.Field}
	for _, column := range plan.Columns() {
		fields = append(fields, column.Name())
	}
	if plan.ByUser() {
		fields = append(fields, c.User)
	}
	in, err := c.input().Source(ctx, term, name, nil, term.ReadingBar(c.Output))
	if err != nil {
		return nil, err
	}
	rows, err := in.Format.Rows(in.Reader, fields)
	if err != nil {
		in.Close()
		return nil, in.Fault(err, c.Output)
	}
	return &openedInput{in, rows}, nil
}

// checkHeaders opens the files once before the charge: a mistake in the name of a field is none
// that an account should pay for, and headers are public. Standard input stays open, since it
// cannot be read again. A pipe with a name is not opened: its writer may wait for another one.
func (c *SynthesizeCmd) checkHeaders(ctx context.Context, term *cli.Terminal, plan *synthesis.Plan, files []string) error {
	for _, name := range files {
		stdin := cli.IsStdin(name)
		if info, err := os.Stat(name); !stdin && (err != nil || !info.Mode().IsRegular()) {
			continue
		}
		in, err := c.open(ctx, term, plan, name)
		switch {
		case err != nil:
			return err
		case stdin && c.stdin == nil:
			c.stdin = in
		default:
			in.Close()
		}
	}
	return nil
}

// eachInput opens the files in turn.
func (c *SynthesizeCmd) eachInput(ctx context.Context, term *cli.Terminal, plan *synthesis.Plan, files []string, read func(text.Rows) error) (err error) {
	for _, name := range files {
		in := c.stdin
		if in != nil && cli.IsStdin(name) {
			c.stdin = nil
		} else if in, err = c.open(ctx, term, plan, name); err != nil {
			return err
		}
		err = read(in.rows)
		in.Close()
		if err != nil {
			return in.Fault(err, c.Output)
		}
	}
	return nil
}

// textField is the name of the column of the texts.
func (c *SynthesizeCmd) textField() string {
	if c.Field == "" {
		return "text"
	}
	return c.Field
}

// weightField is the name of the column of the weights.
const weightField = "weight"

// tableWriter writes the rows of the output.
type tableWriter interface {
	Write(values ...[]byte) error
	Close() error
}

// table begins the output in the format of its name; without one, lines of texts only, or
// TSV if a row has more.
func (c *SynthesizeCmd) table(out io.Writer, plan *synthesis.Plan) (tableWriter, error) {
	var columns []string
	for _, column := range plan.Columns() {
		columns = append(columns, column.Name())
	}
	columns = append(columns, c.textField())
	if c.Weights {
		columns = append(columns, weightField)
	}
	for i, name := range columns {
		if slices.Contains(columns[:i], name) {
			return nil, cli.WrongUsage("", "the output would have two columns %s", strconv.Quote(name))
		}
	}
	if c.As == fewShot {
		return newChatWriter(out, plan.Columns()), nil
	}
	form := cli.Formats.Of(c.Output)
	if form == text.Lines && len(columns) > 1 {
		form = text.TSV
	}
	if form == parquet.Format {
		return parquet.NewTableWriter(out, columns...)
	}
	t, err := text.NewTableWriter(out, form, columns...)
	if err != nil {
		return nil, cli.WrongUsage("", "%v", err)
	}
	return t, nil
}

// write writes the rows, then the statement, and commits the output. It reads only the
// release.
func (c *SynthesizeCmd) write(ctx context.Context, term *cli.Terminal, release *synthesis.Release, table tableWriter, out *cli.OutputFile, files []string) error {
	var values [][]byte
	rows := int64(0)
	each := func(row synthesis.Row) error {
		values = values[:0]
		for _, label := range row.Labels {
			values = append(values, []byte(label))
		}
		values = append(values, row.Text)
		if c.Weights {
			values = append(values, strconv.AppendFloat(nil, row.Weight, 'g', -1, 64))
		}
		rows++
		return table.Write(values...)
	}
	var err error
	if c.Weights {
		err = release.Weighted(ctx, each)
	} else {
		err = release.Draw(ctx, orZero(c.Size), nil, each)
	}
	if err == nil {
		err = table.Close()
	}
	if err == nil {
		err = out.Finish()
	}
	if err != nil {
		return fmt.Errorf("%s: %w", cli.OutputName(c.Output), cli.PlainError(err))
	}
	statement := release.Statement()
	statement.Version = sotto.Version
	if err := out.Deliver(ctx, term, c.Output, c.Report, c.JSON, statement); err != nil {
		return err
	}
	if !c.Quiet {
		summariseRelease(term.Err, rows, statement, c.records(files), c.TextVectors != "")
		opening.NoteDefaultCorpus(term.Err, c.Corpus)
	}
	return nil
}

// report prints how many records would be counted under no label and no cluster.
func (c *SynthesizeCmd) report(ctx context.Context, term *cli.Terminal, plan *synthesis.Plan, files []string, vectors recordVectors) error {
	var found synthesis.Problems
	err := c.eachInput(ctx, term, plan, files, func(rows text.Rows) error {
		return plan.Check(ctx, &found, vectors.input(rows, 0))
	})
	if err != nil {
		return err
	}
	if c.JSON {
		return cli.PrintJSON(term, found)
	}
	var lines strings.Builder
	fmt.Fprintf(&lines, "for the operator only: these counts are exact, and no claim protects them\n%d records\n", found.Records)
	fmt.Fprintf(&lines, "%d without a label of the public set\n", found.Labels)
	fmt.Fprintf(&lines, "%d without a text, or with one that is too long or not UTF-8\n", found.Texts)
	if found.Given == nil {
		fmt.Fprintf(&lines, "%d whose text has no vector: none of its words is known\n", found.Vectors)
	} else {
		fmt.Fprintf(&lines, "%d without a row in %s\n%d whose vector is zero\n", found.NoRow, c.TextVectors, found.Vectors)
	}
	if found.RowsDiffer() {
		fmt.Fprintln(&lines, c.rowsDiffer(*found.Given, found.Records)+": give one row per record")
	}
	_, err = io.WriteString(term.Out, lines.String())
	return err
}
