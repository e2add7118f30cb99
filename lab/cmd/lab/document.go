package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/sotto-dp/sotto/files/atomicfile"
	"github.com/sotto-dp/sotto/lab/report"
)

type documentCmd struct {
	Rows string   `default:"results/full" placeholder:"FOLDER" help:"Folder of PLAN.csv, as report writes them."`
	File []string `arg:"" type:"existingfile" help:"Markdown documents."`
}

// Run writes the generated tables of documents, and the figures beside them.
func (c *documentCmd) Run(term *terminal) error {
	for _, file := range c.File {
		before, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		after, figures, err := report.Document(string(before), report.RowsOf(c.Rows))
		if err != nil {
			return err
		}
		for name, svg := range figures {
			if err := atomicfile.WriteFile(filepath.Join(filepath.Dir(file), name), []byte(svg)); err != nil {
				return err
			}
		}
		if err := atomicfile.WriteFile(file, []byte(after)); err != nil {
			return err
		}
		fmt.Fprintf(term.out, "%s: made from the rows of %s\n", file, c.Rows)
	}
	return nil
}
