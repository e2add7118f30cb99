// Command generate measures the figures of package measured. It needs the training and
// test parts of AG News as train.tsv.gz and test.tsv.gz, and takes about a quarter of an
// hour on one core.
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
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
	flag.Parse()
	if err := run(context.Background(), *data, *out, *only); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, data, out, only string) error {
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
		if only != "" && entry.Name != only {
			continue
		}
		for _, epsilon := range epsilons(entry) {
			row, blind, err := n.attack(ctx, entry, epsilon)
			if err != nil {
				return fmt.Errorf("%s at %g: %w", entry.Name, epsilon, err)
			}
			f.Blind = blind
			f.Rows = append(f.Rows, row)
			fmt.Fprintf(os.Stderr, "%s at %g: in context %.4f\n", entry.Name, epsilon, row.InContext.Share)
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
