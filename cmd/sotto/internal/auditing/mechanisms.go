package auditing

import (
	"fmt"
	"text/tabwriter"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/mechanism/catalog"
)

type MechanismsCmd struct {
	JSON bool `name:"json" group:"output" help:"Print one JSON document."`
}

func (c *MechanismsCmd) Run(term *cli.Terminal) error {
	if c.JSON {
		return cli.PrintJSON(term, map[string]any{"mechanisms": sotto.Catalogue()})
	}
	w := tabwriter.NewWriter(term.Out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "name\tguarantee\tstanding\tsummary")
	for _, e := range catalog.All() {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", e.Name, e.Notion, e.Standing, e.Summary)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintln(term.Out, "\nThe proof or refutation of each is in mechanism/catalog/NAME.md; --json adds papers and parameters.")
	return err
}
