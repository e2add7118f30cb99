package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/sotto-dp/sotto/text"
)

// LabelledText is a text with the value of a field.
type LabelledText struct {
	By   string
	Text []byte
}

// Weights reads the weights that rows of a file have as their labels: numbers of 0 or more.
func Weights(rows []LabelledText, file string) (weights []float64, err error) {
	weights = make([]float64, len(rows))
	for i, r := range rows {
		if weights[i], err = strconv.ParseFloat(r.By, 64); err != nil || !(weights[i] >= 0 && weights[i] <= 1e15) {
			return nil, fmt.Errorf("%s: the weight of record %d is not a number of 0 or more", file, i+1)
		}
	}
	return weights, nil
}

// Labelled reads the texts of a file, each with the value of a field if by is not empty.
func (c *FormatFlags) Labelled(ctx context.Context, term *Terminal, name, by string) (rows []LabelledText, err error) {
	in, err := c.Source(ctx, term, name, nil, nil)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	if by != "" && in.Format.Seeks {
		rows, err = c.readColumns(ctx, in, by)
		return rows, in.Fault(err, "")
	}
	texts, err := in.Format.Open(in.Reader, text.Options{Fields: c.Field, By: by, Invalid: text.Invalid(c.Invalid)})
	for err == nil {
		var b text.Batch
		if b, err = texts.Next(); err == nil {
			rows, err = appendRecords(ctx, rows, b, by, in.Shown)
		}
	}
	if err != io.EOF {
		return nil, in.Fault(err, "")
	}
	return rows, nil
}

// readColumns is labelled for a format that stores texts and field separately.
func (c *FormatFlags) readColumns(ctx context.Context, in *Source, by string) (found []LabelledText, err error) {
	if len(c.Field) != 1 {
		return nil, WrongUsage("", "%s: labels need one --field, the column of the texts", in.Shown)
	}
	rows, err := in.Format.Rows(in.Reader, []string{c.Field[0], by})
	for err == nil {
		var b text.RowBatch
		if b, err = rows.Next(); err != nil {
			break
		}
		for i, row := range b.Rows() {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			what := ""
			switch {
			case row[0] == nil:
				what = "no text"
			case row[1] == nil:
				what = fmt.Sprintf("no value in column %q", by)
			case text.Invalid(c.Invalid).Check(row[0], 1) != nil:
				what = "a text that is not UTF-8"
			}
			if what != "" {
				return nil, fmt.Errorf("%s: row %d has %s", in.Shown, b.First()+i+1, what)
			}
			found = append(found, LabelledText{string(row[1]), bytes.Clone(text.Invalid(c.Invalid).Read(row[0]))})
		}
	}
	if err != io.EOF {
		return nil, err
	}
	return found, nil
}

func appendRecords(ctx context.Context, rows []LabelledText, b text.Batch, by, shown string) ([]LabelledText, error) {
	records, err := b.Records()
	if err != nil {
		return nil, err
	}
	for _, r := range records {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if by != "" && len(r.Texts) != 1 {
			return nil, WrongUsage("give one column or path with --field", "%s: record %d has %d texts, want one", shown, len(rows)+1, len(r.Texts))
		}
		for _, t := range r.Texts {
			rows = append(rows, LabelledText{r.By, bytes.Clone(t)})
		}
	}
	return rows, nil
}

// ClassesOf returns the distinct labels in ascending order, and the place of each label
// among them.
func ClassesOf(labels []string) (classes []string, of []int) {
	classes = slices.Compact(slices.Sorted(slices.Values(labels)))
	of = make([]int, len(labels))
	for i, l := range labels {
		of[i], _ = slices.BinarySearch(classes, l)
	}
	return classes, of
}
