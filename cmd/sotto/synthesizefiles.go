package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/synthesis"
	"github.com/sotto-dp/sotto/text"
	"github.com/sotto-dp/sotto/text/parquet"
)

// vectors opens the vectors of the records.
func (c *synthesizeCmd) vectors(ctx context.Context, plan *synthesis.Plan) (*broughtVectors, error) {
	if c.TextVectors == "" {
		return nil, nil
	}
	v, err := openVectors(ctx, c.TextVectors)
	if err != nil {
		return nil, err
	}
	if dim := plan.Dim(); v.Cols != dim {
		_ = v.file.Close() // read only
		return nil, wrongUsage("", "%s has vectors of %d components, the corpus of %d", c.TextVectors, v.Cols, dim)
	}
	return v, nil
}

func vectorsOf(v *broughtVectors) synthesis.Vectors {
	if v == nil {
		return nil
	}
	return v
}

// eachInput opens the files in turn.
func (c *synthesizeCmd) eachInput(ctx context.Context, term *terminal, plan *synthesis.Plan, files []string, read func(text.Rows) error) error {
	fields := []string{c.Field}
	for _, column := range plan.Columns() {
		fields = append(fields, column.Name())
	}
	if plan.ByUser() {
		fields = append(fields, c.User)
	}
	for _, name := range files {
		in, err := c.input().source(ctx, term, name, nil, term.readingBar(c.Output))
		if err != nil {
			return err
		}
		rows, err := in.format.Rows(in.Reader, fields)
		if err == nil {
			err = read(rows)
		}
		in.close()
		if err != nil {
			return in.fault(err, c.Output)
		}
	}
	return nil
}

// textField is the name of the column of the texts.
func (c *synthesizeCmd) textField() string {
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
func (c *synthesizeCmd) table(out io.Writer, plan *synthesis.Plan) (tableWriter, error) {
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
			return nil, wrongUsage("", "the output would have two columns %s", strconv.Quote(name))
		}
	}
	form := formats.Of(c.Output)
	if form == text.Lines && len(columns) > 1 {
		form = text.TSV
	}
	if form == parquet.Format {
		return parquet.NewTableWriter(out, columns...)
	}
	t, err := text.NewTableWriter(out, form, columns...)
	if err != nil {
		return nil, wrongUsage("", "%v", err)
	}
	return t, nil
}

// write writes the rows, then the statement, and commits the output. It reads only the
// release.
func (c *synthesizeCmd) write(ctx context.Context, term *terminal, release *synthesis.Release, table tableWriter, out *outputFile) error {
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
		err = out.finish()
	}
	if err != nil {
		return fmt.Errorf("%s: %w", outputName(c.Output), plainError(err))
	}
	statement := release.Statement()
	statement.Version = sotto.Version
	if err := out.deliver(ctx, term, c.Output, c.Report, c.JSON, statement); err != nil {
		return err
	}
	if !c.Quiet {
		summariseRelease(term.err, rows, statement)
	}
	return nil
}

// report prints how many records would be counted under no label and no cluster.
func (c *synthesizeCmd) report(ctx context.Context, term *terminal, plan *synthesis.Plan, files []string, vectors *broughtVectors) error {
	var found synthesis.Problems
	err := c.eachInput(ctx, term, plan, files, func(rows text.Rows) error {
		return plan.Check(ctx, &found, synthesis.Input{Rows: rows, Vectors: vectorsOf(vectors)})
	})
	if err != nil {
		return err
	}
	if c.JSON {
		return printJSON(term, found)
	}
	var lines strings.Builder
	fmt.Fprintf(&lines, "for the operator only: these counts are exact, and no claim protects them\n%d records\n", found.Records)
	fmt.Fprintf(&lines, "%d without a label of the public set\n", found.Labels)
	fmt.Fprintf(&lines, "%d without a text, or with one that is too long or not UTF-8\n", found.Texts)
	fmt.Fprintf(&lines, "%d whose text has no vector: none of its words is known\n", found.Vectors)
	_, err = io.WriteString(term.out, lines.String())
	return err
}
