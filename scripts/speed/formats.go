//go:build linux

package main

import (
	"bufio"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go"

	"github.com/sotto-dp/sotto/files/compress"
)

// formats measures the IMDB training set as CSV and as Parquet (snappy).
func formats(m *meter) ([][]string, error) {
	csvFile, parquetFile, report := filepath.Join(m.work, "in.csv"), filepath.Join(m.work, "in.parquet"), filepath.Join(m.work, "report.json")
	if err := convert(m.imdb(), csvFile, parquetFile); err != nil {
		return nil, err
	}
	var jobs []job
	for _, in := range []string{csvFile, parquetFile} {
		kind := filepath.Ext(in)
		jobs = append(jobs, job{"Format/" + kind[1:], []string{"rewrite", "-e", "10", "--field", "text", "-q", "--report", report, "-o", filepath.Join(m.work, "out"+kind), in}})
	}
	costs, err := m.inTurns(jobs)
	if err != nil {
		return nil, err
	}
	tokens, err := tokensOf(report)
	var rows [][]string
	for i, name := range []string{"CSV", "Parquet"} {
		rows = append(rows, []string{name, number(tokens / costs[i].seconds), number(costs[i].processor)})
	}
	return rows, err
}

type record struct {
	ID   int64  `parquet:"id"`
	Text string `parquet:"text,snappy"`
}

// eachText calls do with the texts of a TSV, numbered from 1.
func eachText(from string, do func(id int64, text string) error) error {
	f, err := os.Open(from)
	if err != nil {
		return err
	}
	defer f.Close()
	in, err := compress.NewReader(from, f)
	if err != nil {
		return err
	}
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 64<<20)
	lines.Scan()
	column := slices.Index(strings.Split(lines.Text(), "\t"), "text")
	if column < 0 {
		return fmt.Errorf("%s has no column text", from)
	}
	for id := int64(1); lines.Scan(); id++ {
		if err := do(id, strings.Split(lines.Text(), "\t")[column]); err != nil {
			return err
		}
	}
	return lines.Err()
}

// convert writes the texts of a TSV as CSV and as Parquet.
func convert(from, asCSV, asParquet string) error {
	c, err := os.Create(asCSV)
	if err != nil {
		return err
	}
	p, err := os.Create(asParquet)
	if err != nil {
		return err
	}
	table, columns := csv.NewWriter(c), parquet.NewGenericWriter[record](p, parquet.MaxRowsPerRowGroup(10_000))
	if err := table.Write([]string{"id", "text"}); err != nil {
		return err
	}
	err = eachText(from, func(id int64, text string) error {
		if err := table.Write([]string{fmt.Sprint(id), text}); err != nil {
			return err
		}
		_, err := columns.Write([]record{{id, text}})
		return err
	})
	table.Flush()
	for _, err := range []error{err, table.Error(), columns.Close(), c.Close(), p.Close()} {
		if err != nil {
			return err
		}
	}
	return nil
}
