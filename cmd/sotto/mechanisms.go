package main

import (
	"encoding/json"
	"fmt"
	"text/tabwriter"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/mechanism/catalog"
)

type mechanismsCmd struct {
	JSON bool `name:"json" group:"output" help:"Print one JSON document."`
}

func (c *mechanismsCmd) Run(term *terminal) error {
	if c.JSON {
		return printJSON(term, map[string]any{"mechanisms": sotto.Catalogue()})
	}
	w := tabwriter.NewWriter(term.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "name\tguarantee\tstanding\tsummary")
	for _, e := range catalog.All() {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", e.Name, e.Notion, e.Standing, e.Summary)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintln(term.out, "\nThe proof or refutation of each is in mechanism/catalog/NAME.md; --json adds papers and parameters.")
	return err
}

// printJSON writes one document, indented.
func printJSON(term *terminal, v any) error {
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	_, err = term.out.Write(append(data, '\n'))
	return err
}
