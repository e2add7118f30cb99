package main

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/sotto-dp/sotto/lab/plan"
	"github.com/sotto-dp/sotto/lab/report"
	"github.com/sotto-dp/sotto/lab/source"
)

type reportCmd struct {
	Size   string `default:"quick" help:"Report the rows of this size: smoke, quick or full."`
	Rows   string `placeholder:"FOLDER" help:"Read the rows from PLAN.csv files in this folder, such as results/full, instead of the store."`
	Output string `short:"o" default:"page" placeholder:"FOLDER" help:"Folder for index.html and the CSV."`
	PNG    bool   `help:"Write each plot of the page as a PNG too."`
	benchFlags
}

func (c *reportCmd) Run(ctx context.Context, term *terminal) error {
	size, err := parseSize(c.Size)
	if err != nil {
		return err
	}
	parts, err := c.parts(ctx, size)
	if err != nil {
		return err
	}
	rows, missing := 0, 0
	for _, p := range parts {
		rows += len(p.Rows)
		missing += p.Missing
	}
	if rows == 0 && c.Rows != "" {
		return fmt.Errorf("no rows in %s: name a folder with PLAN.csv files, such as results/%s", c.Rows, size)
	}
	if rows == 0 {
		return fmt.Errorf("no rows of size %s made by this code: lab run %s makes them, and --rows results/%s has those of the repository", size, size, size)
	}
	code, err := source.Code(ctx)
	if err != nil {
		return err
	}
	if err := report.Write(c.Output, size, code, parts, c.PNG); err != nil {
		return err
	}
	_, err = fmt.Fprintf(term.out, "%s: %d rows, %d missing\n", filepath.Join(c.Output, "index.html"), rows, missing)
	return err
}

// parts returns each plan with its rows.
func (c *reportCmd) parts(ctx context.Context, size plan.Size) (parts []report.Part, err error) {
	if c.Rows != "" {
		return report.Committed(c.Rows, size)
	}
	runner, err := c.runner(ctx, size)
	if err != nil {
		return nil, err
	}
	for _, p := range plan.All() {
		part := report.Part{Plan: p}
		if part.Rows, part.Missing, err = runner.Rows(p, size); err != nil {
			return nil, err
		}
		parts = append(parts, part)
	}
	return parts, nil
}
