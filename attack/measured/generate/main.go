// Command generate measures the figures of package measured. It needs the training and
// test parts of AG News as train.tsv.gz and test.tsv.gz, and takes about twenty minutes of
// processor time.
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/sotto-dp/sotto/attack/measured"
)

func main() {
	out := flag.String("o", "figures.json", "`file` to write")
	data := flag.String("data", filepath.Join(cmp.Or(os.Getenv("SOTTO_SHARED"), filepath.Join("..", "..", "..", "shared")), "data", "ag-news"),
		"`folder` of AG News")
	only := flag.String("m", "", "measure this `mechanism` alone")
	from, to := flag.Float64("from", 0, "measure from this `epsilon` on"), flag.Float64("to", math.Inf(1), "measure up to this `epsilon`")
	flag.Parse()
	if err := run(context.Background(), *data, *out, func(mechanism string, epsilon float64) bool {
		return (*only == "" || mechanism == *only) && *from <= epsilon && epsilon <= *to
	}); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, data, out string, wanted func(mechanism string, epsilon float64) bool) error {
	n, err := readNews(ctx, data)
	if err != nil {
		return err
	}
	entries, err := n.members(ctx)
	if err != nil {
		return err
	}
	f := n.figures()
	for _, entry := range entries {
		for _, epsilon := range epsilons(entry) {
			if !wanted(entry.Name, epsilon) {
				continue
			}
			row, blind, err := n.attack(ctx, entry, epsilon)
			if err != nil {
				return fmt.Errorf("%s at %g: %w", entry.Name, epsilon, err)
			}
			f.Blind = blind
			f.Rows = append(f.Rows, row)
			fmt.Fprintf(os.Stderr, "%s at %g: in context %.4f (%s)\n", entry.Name, epsilon, row.InContext.Share, row.Reader)
		}
	}
	return write(out, f)
}

// write puts one row per line, so that a diff shows which rows changed.
func write(name string, f measured.Figures) error {
	rows := f.Rows
	f.Rows = nil
	head, err := json.Marshal(f)
	if err != nil {
		return err
	}
	var b strings.Builder
	b.WriteString(strings.TrimSuffix(string(head), "null}") + "[")
	for i, r := range rows {
		line, err := json.Marshal(r)
		if err != nil {
			return err
		}
		if i > 0 {
			b.WriteString(",")
		}
		b.WriteString("\n")
		b.Write(line)
	}
	b.WriteString("\n]}\n")
	return os.WriteFile(name, []byte(b.String()), 0o644)
}
