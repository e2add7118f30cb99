package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

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
	if by != "" && c.FormatOf(name).Seeks {
		return c.readColumns(ctx, term, name, by)
	}
	err = c.EachRecord(ctx, term, name, by, func(r text.Record, shown string) error {
		if by != "" && len(r.Texts) != 1 {
			return WrongUsage("give one column or path with --field", "%s: record %d has %d texts, want one", shown, len(rows)+1, len(r.Texts))
		}
		for _, t := range r.Texts {
			rows = append(rows, LabelledText{r.By, bytes.Clone(t)})
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return rows, nil
}

// readColumns is Labelled for a format that stores texts and field separately.
func (c *FormatFlags) readColumns(ctx context.Context, term *Terminal, name, by string) (found []LabelledText, err error) {
	in, err := c.Source(ctx, term, name, nil, nil)
	if err != nil {
		return nil, err
	}
	defer in.Close()
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
		return nil, in.Fault(err, "")
	}
	return found, nil
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

// IsLabelFile distinguishes a file of labels from a list.
func IsLabelFile(value string) bool {
	info, err := os.Stat(value)
	return err == nil && !info.IsDir()
}

// namesFile reports whether a value that does not exist is meant as a file, not as a single label.
func namesFile(value string) bool {
	if info, err := os.Stat(value); err == nil && info.IsDir() {
		return true
	}
	ends := []string{".txt", ".csv", ".tsv", ".json", ".jsonl", ".list", ".gz", ".zst"}
	return !strings.Contains(value, ",") && (strings.ContainsRune(value, os.PathSeparator) || slices.Contains(ends, strings.ToLower(filepath.Ext(value))))
}

// ReadLabelSet reads a list, or a file with one label per line.
func ReadLabelSet(ctx context.Context, value string) ([]string, error) {
	if !IsLabelFile(value) {
		if namesFile(value) {
			return nil, WrongUsage("give a file with one label per line, or the labels with commas between them", "--labels %s: there is no such file", value)
		}
		labels := strings.Split(value, ",")
		for _, label := range labels {
			if strings.TrimSpace(label) != label { // charged, and then no record would have it
				return nil, WrongUsage("leave no spaces beside commas, or give a file with one label per line", "--labels has %q, with a space at an end", label)
			}
		}
		return labels, nil
	}
	data, err := ReadInput(ctx, value)
	if err != nil {
		return nil, err
	}
	if !utf8.Valid(data) || bytes.IndexByte(data, 0) >= 0 {
		return nil, WrongUsage("give a file with one label per line", "--labels %s: it is not UTF-8 text", value)
	}
	var labels []string
	for line := range strings.Lines(strings.TrimPrefix(string(data), "\ufeff")) {
		if line = strings.TrimRight(line, "\r\n"); line != "" {
			labels = append(labels, line)
		}
	}
	return labels, nil
}
