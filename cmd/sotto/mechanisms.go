package main

import (
	"encoding/json"
	"fmt"
	"text/tabwriter"

	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/privacy"
)

type mechanismsCmd struct {
	JSON bool `name:"json" help:"Print one JSON document."`
}

// catalogueEntry is one mechanism of mechanisms --json.
type catalogueEntry struct {
	Name       string           `json:"name"`
	Summary    string           `json:"summary"`
	Paper      string           `json:"paper"`
	Standing   privacy.Standing `json:"standing"`
	Published  *privacy.Claim   `json:"published"`
	Notion     privacy.Notion   `json:"notion"`
	Parameters []parameter      `json:"parameters"`
	Uses       []string         `json:"uses"`
}

type parameter struct {
	Name    string `json:"name"`
	Default string `json:"default"`
	Must    string `json:"must"`
}

func (c *mechanismsCmd) Run(term *terminal) error {
	if c.JSON {
		list := []catalogueEntry{}
		for _, e := range mechanism.Catalog() {
			entry := catalogueEntry{Name: e.Name, Summary: e.Summary, Paper: e.Paper, Standing: e.Standing,
				Published: e.Published, Notion: e.Notion, Parameters: []parameter{}, Uses: uses(e)}
			for _, p := range e.Parameters {
				entry.Parameters = append(entry.Parameters, parameter(p))
			}
			list = append(list, entry)
		}
		return printJSON(term, map[string]any{"mechanisms": list})
	}
	w := tabwriter.NewWriter(term.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "name\tguarantee\tstanding\tsummary")
	for _, e := range mechanism.Catalog() {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", e.Name, e.Notion, e.Standing, e.Summary)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintln(term.out, "\nThe proof or refutation of each stands in its note, mechanism/NAME.md; --json adds papers and parameters.")
	return err
}

func uses(e mechanism.Entry) []string {
	u := []string{}
	if e.New != nil {
		u = append(u, "words")
	}
	if e.NewPerturber != nil {
		u = append(u, "vectors")
	}
	return u
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
