// Command figures computes the rows that the playground shows for the embedded table. It
// takes about half an hour on two cores, with -rows some minutes.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strings"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/playground"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/builtin"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/catalog"
	"github.com/sotto-dp/sotto/mechanism/packing"
	"github.com/sotto-dp/sotto/tune"
)

func main() {
	out := flag.String("o", "figures.json", "file to write")
	kept := flag.String("rows", "", "file whose rows are kept: compute the most exposed words that they lack alone")
	flag.Parse()
	if err := run(*out, *kept); err != nil {
		fmt.Fprintln(os.Stderr, "figures:", err)
		os.Exit(1)
	}
}

func run(out, kept string) error {
	before, err := read(kept)
	if err != nil {
		return err
	}
	english, err := builtin.English()
	if err != nil {
		return err
	}
	first, err := english.First(packing.Words)
	if err != nil {
		return err
	}
	// Solved mechanisms are opened from their shipped channels. Mechanisms that need all
	// pairs of words have no figures here.
	var free, solved []string
	for _, e := range catalog.All() {
		switch {
		case e.New == nil || e.Cost == mechanism.Pairs:
		case e.Cost == mechanism.Solver:
			solved = append(solved, e.Name)
		default:
			free = append(free, e.Name)
		}
	}
	whole, err := rows(english, before, free...)
	if err != nil {
		return err
	}
	packed, err := rows(first, before, solved...)
	if err != nil {
		return err
	}
	return write(out, playground.Shipped{Tables: []playground.ShippedTable{whole, packed}})
}

// read returns the rows of a file, none for no file.
func read(name string) (s playground.Shipped, err error) {
	if name == "" {
		return s, nil
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return s, err
	}
	return s, json.Unmarshal(data, &s)
}

// rows computes the rows of a table, except those that were computed before.
func rows(table *embedding.Table, before playground.Shipped, members ...string) (playground.ShippedTable, error) {
	all := playground.ShippedTable{SHA256: table.Digest(), Name: table.Name(), Words: table.Len(), Rows: []playground.ShippedRow{}}
	for _, name := range members {
		entry, ok := catalog.Find(name)
		if !ok {
			return all, fmt.Errorf("%s is not in the catalogue", name)
		}
		for _, epsilon := range playground.Stops(name) {
			row, err := rowAt(entry, table, epsilon, before)
			if err != nil {
				return all, err
			}
			fmt.Fprintf(os.Stderr, "%s at %g: unchanged %.4f\n", name, epsilon, row.Unchanged)
			all.Rows = append(all.Rows, row)
		}
	}
	return all, nil
}

func rowAt(entry mechanism.Entry, table *embedding.Table, epsilon float64, before playground.Shipped) (row playground.ShippedRow, err error) {
	ctx, spec := context.Background(), mechanism.Spec{Epsilon: epsilon}
	if row = find(before, table, entry.Name, epsilon); row.MostExposed != nil {
		return row, nil
	}
	if row.Mechanism == "" {
		if row.Row, err = tune.Compare(ctx, entry, table, spec); err != nil {
			return row, err
		}
	}
	m, err := entry.New(ctx, table, spec)
	if err != nil {
		return row, err
	}
	if channel, ok := m.(mechanism.Channel); ok {
		e, err := tune.MostExposed(ctx, tune.Opened{Entry: entry, Channel: channel, Table: table}, nil, nil)
		if err != nil {
			return row, err
		}
		e = e.First(playground.ExposedWords)
		row.MostExposed = &e
	}
	return row, nil
}

// find returns a row of a table, a zero one if there is none.
func find(s playground.Shipped, table *embedding.Table, member string, epsilon float64) (row playground.ShippedRow) {
	for _, t := range s.Tables {
		if t.SHA256 != table.Digest() {
			continue
		}
		for _, r := range t.Rows {
			if r.Mechanism == member && r.Epsilon == epsilon {
				return r
			}
		}
	}
	return row
}

// write puts one row per line, so that a diff shows which rows changed.
func write(name string, s playground.Shipped) error {
	var b strings.Builder
	b.WriteString("{\"tables\":[")
	for i, t := range s.Tables {
		if i > 0 {
			b.WriteString(",")
		}
		fmt.Fprintf(&b, "\n{\"sha256\":%q,\"name\":%q,\"words\":%d,\"rows\":[", t.SHA256, t.Name, t.Words)
		for j, r := range t.Rows {
			line, err := json.Marshal(r)
			if err != nil {
				return err
			}
			if j > 0 {
				b.WriteString(",")
			}
			b.WriteString("\n")
			b.Write(line)
		}
		b.WriteString("\n]}")
	}
	b.WriteString("\n]}\n")
	return os.WriteFile(name, []byte(b.String()), 0o644)
}
