package main

import (
	"fmt"
	"path/filepath"

	"github.com/sotto-dp/sotto/lab/plan"
	"github.com/sotto-dp/sotto/lab/report"
)

type reportCmd struct {
	Size   string `default:"quick" help:"Report the rows of this size: smoke, quick or full."`
	Output string `short:"o" default:"page" placeholder:"FOLDER" help:"Folder for index.html, the plots and the CSV."`
	benchFlags
}

func (c *reportCmd) Run(term *terminal) error {
	size, err := parseSize(c.Size)
	if err != nil {
		return err
	}
	runner, err := c.runner(size)
	if err != nil {
		return err
	}
	var parts []report.Part
	rows, missing := 0, 0
	for _, p := range plan.All() {
		part := report.Part{Plan: p}
		if part.Rows, part.Missing, err = runner.Rows(p, size); err != nil {
			return err
		}
		rows += len(part.Rows)
		missing += part.Missing
		parts = append(parts, part)
	}
	if rows == 0 {
		return fmt.Errorf("no rows of size %s made by this code: lab run %s", size, size)
	}
	if err := report.Write(c.Output, fmt.Sprintf("The papers' experiments, size %s", size), parts); err != nil {
		return err
	}
	_, err = fmt.Fprintf(term.out, "%s: %d rows, %d missing\n", filepath.Join(c.Output, "index.html"), rows, missing)
	return err
}
