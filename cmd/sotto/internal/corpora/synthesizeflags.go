package corpora

import (
	"context"
	"os"
	"slices"
	"strings"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/files/paths"
	"github.com/sotto-dp/sotto/synthesis"
)

// allBins reports whether every column has its bins after its name.
func allBins(by []string) bool {
	return !slices.ContainsFunc(by, func(column string) bool { return !strings.Contains(column, "=") })
}

// labelled returns the columns without bins, and the value of --labels for each.
func (c *SynthesizeCmd) labelled() (names []string, values map[string]string, err error) {
	for _, column := range c.By {
		if !strings.Contains(column, "=") {
			names = append(names, column)
		}
	}
	values = map[string]string{}
	for _, given := range c.Labels {
		name, value := "", given
		switch len(names) {
		case 0:
			return nil, nil, cli.WrongUsage("", "--labels needs --by, the column of the labels")
		case 1:
			name = names[0]
		default:
			if name, value, _ = strings.Cut(given, "="); !slices.Contains(names, name) {
				return nil, nil, cli.WrongUsage("", "--labels needs COLUMN=FILE|V1,V2 per column, for %s", strings.Join(names, ", "))
			}
		}
		if _, twice := values[name]; twice {
			return nil, nil, cli.WrongUsage("", "--labels is given twice for column %s", name)
		}
		values[name] = value
	}
	for _, name := range names {
		if _, ok := values[name]; !ok {
			return nil, nil, cli.WrongUsage("", "--by %s needs --labels, the public set of its labels", name)
		}
	}
	return names, values, nil
}

// AlsoUses returns the files of labels.
func (c *SynthesizeCmd) AlsoUses() (uses []paths.Use) {
	_, values, err := c.labelled()
	if err != nil {
		return nil
	}
	for _, value := range values {
		if isLabelFile(value) {
			uses = append(uses, paths.Use{Flag: "--labels", Name: value})
		}
	}
	return uses
}

// isLabelFile distinguishes a file of labels from a list.
func isLabelFile(value string) bool {
	info, err := os.Stat(value)
	return err == nil && !info.IsDir()
}

// columns returns the label columns.
func (c *SynthesizeCmd) columns(ctx context.Context) ([]synthesis.Column, error) {
	_, values, err := c.labelled()
	if err != nil {
		return nil, err
	}
	var columns []synthesis.Column
	for _, given := range c.By {
		name, bins, binned := strings.Cut(given, "=")
		var column synthesis.Column
		if binned {
			column, err = synthesis.Bins(name, bins)
		} else {
			var labels []string
			if labels, err = readLabels(ctx, values[name]); err != nil {
				return nil, err
			}
			column, err = synthesis.Labels(name, labels...)
		}
		if err != nil {
			return nil, cli.WrongUsage("", "%v", err)
		}
		columns = append(columns, column)
	}
	return columns, nil
}

// readLabels reads a list, or a file with one label per line.
func readLabels(ctx context.Context, value string) ([]string, error) {
	if !isLabelFile(value) {
		return strings.Split(value, ","), nil
	}
	data, err := cli.ReadInput(ctx, value)
	if err != nil {
		return nil, err
	}
	var labels []string
	for line := range strings.Lines(strings.TrimPrefix(string(data), "\ufeff")) {
		if line = strings.TrimRight(line, "\r\n"); line != "" {
			labels = append(labels, line)
		}
	}
	return labels, nil
}
