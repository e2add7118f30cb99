package corpora

import (
	"context"
	"fmt"
	"slices"
	"text/tabwriter"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/opening"
	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/privacy/provenance"
)

type corpusSuggestCmd struct {
	Texts  string   `path:"file" placeholder:"FILE" group:"input" help:"Public texts like yours; up to 2000 of them are compared."`
	Public bool     `group:"privacy" help:"Declare that these texts are public: private ones must not choose a corpus."`
	Corpus []string `path:"corpus" placeholder:"NAME|FILE" sep:"none" group:"input" help:"Compare these corpora (repeatable; default: the builtin ones, and those of the library)."`
	cli.FormatFlags
	JSON bool `name:"json" group:"output" help:"Print one JSON document."`
}

// mostSamples bounds the texts that are compared.
const mostSamples = 2000

func (c *corpusSuggestCmd) check() error {
	switch {
	case c.Texts == "":
		return cli.WrongUsage("", "corpus suggest needs --texts FILE, public texts like yours")
	case !c.Public:
		return cli.WrongUsage("", "--texts needs --public: "+provenance.NotPublic)
	}
	return c.CheckFormat()
}

func (c *corpusSuggestCmd) Run(ctx context.Context, term *cli.Terminal) error {
	if err := c.check(); err != nil {
		return err
	}
	samples, err := c.Read(ctx, term, c.Texts, nil)
	if err != nil {
		return err
	}
	if len(samples) == 0 {
		return fmt.Errorf("%s: contains no text", c.Texts)
	}
	names, err := c.names(ctx)
	if err != nil {
		return err
	}
	found, err := corpus.Compare(ctx, names, spread(samples, mostSamples))
	if err != nil {
		return err
	}
	if c.JSON {
		return cli.PrintJSON(term, map[string]any{"corpora": found})
	}
	w := tabwriter.NewWriter(term.Out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "similarity\tcorpus")
	for _, l := range found {
		fmt.Fprintf(w, "%.3f\t%s\n", l.Similarity, l.Name)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if !cli.OnTerminal(term.Out) {
		return nil
	}
	_, err = fmt.Fprintf(term.Err, "sotto: try --corpus %s\n", found[0].Name)
	return err
}

// names returns the corpora to compare. Those of the library that are not declared public,
// or that have no encoder for other texts, are left out.
func (c *corpusSuggestCmd) names(ctx context.Context) ([]string, error) {
	if len(c.Corpus) > 0 {
		for _, name := range c.Corpus {
			if _, err := opening.Corpus(ctx, name); err != nil && !corpus.IsBuiltin(name) {
				return nil, err
			}
		}
		return c.Corpus, nil
	}
	var names []string
	for _, b := range corpus.Builtins() {
		names = append(names, b.Name)
	}
	installed, err := corpus.List()
	for _, name := range installed {
		if slices.Contains(names, name) {
			continue
		}
		opened, err := opening.Corpus(ctx, name)
		if err != nil {
			return nil, err
		}
		if e, err := opened.Encoder(nil); err == nil && e != nil && opened.Declared() {
			names = append(names, name)
		}
	}
	return names, err
}

// spread returns at most n of the samples, evenly spaced.
func spread(samples [][]byte, n int) [][]byte {
	if len(samples) <= n {
		return samples
	}
	some := make([][]byte, n)
	for i := range some {
		some[i] = samples[i*len(samples)/n]
	}
	return some
}
