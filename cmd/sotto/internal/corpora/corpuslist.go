package corpora

import (
	"context"
	"fmt"
	"path/filepath"
	"text/tabwriter"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/opening"
	"github.com/sotto-dp/sotto/corpus"
)

type corpusListCmd struct {
	Corpus string `path:"corpus" arg:"" optional:"" help:"Name or file of the corpus whose texts to list."`
	Show   bool   `group:"output" help:"Print five texts of each builtin corpus."`
	JSON   bool   `name:"json" group:"output" help:"Print one JSON document."`
}

// corpusList is what corpus list --json prints.
type corpusList struct {
	Builtin   []string       `json:"builtin"`
	Installed []string       `json:"installed"`
	Library   string         `json:"library"`
	Corpora   []listedCorpus `json:"corpora"` // those of Builtin
}

type listedCorpus struct {
	corpus.Builtin
	Samples []string `json:"samples,omitempty"`
}

// samples is the number of texts that --show prints of a corpus.
const samples = 5

func (c *corpusListCmd) Run(ctx context.Context, term *cli.Terminal) error {
	if c.Corpus != "" {
		if c.Show {
			return cli.WrongUsage("", "--show cannot be used with CORPUS, whose texts are all listed")
		}
		return c.texts(ctx, term)
	}
	installed, err := corpus.List()
	if err != nil {
		return err
	}
	list := corpusList{Installed: append([]string{}, installed...)}
	if list.Library, err = corpus.Library(); err != nil {
		return err
	}
	for _, b := range corpus.Builtins() {
		one := listedCorpus{Builtin: b}
		if c.Show {
			if one.Samples, err = b.Samples(samples); err != nil {
				return err
			}
		}
		list.Builtin, list.Corpora = append(list.Builtin, b.Name), append(list.Corpora, one)
	}
	if c.JSON {
		return cli.PrintJSON(term, list)
	}
	return list.print(term)
}

func (l *corpusList) print(term *cli.Terminal) error {
	w := tabwriter.NewWriter(term.Out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "name\tlanguage\ttexts\tfield")
	for _, c := range l.Corpora {
		fmt.Fprintf(w, "%s\t%s\t%d\t%s\n", c.Name, c.Language, c.Texts, c.Field)
	}
	for _, name := range l.Installed {
		file := filepath.Join(l.Library, name+corpus.Extension)
		if corpus.IsBuiltin(name) {
			name = file // the name is that of the builtin corpus
		}
		fmt.Fprintf(w, "%s\t\t\t%s\n", name, file)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, c := range l.Corpora {
		for i, text := range c.Samples {
			if i == 0 {
				fmt.Fprintf(term.Out, "\n%s\n", c.Name)
			}
			fmt.Fprintf(term.Out, "  %s\n", text)
		}
	}
	return nil
}

// texts prints the texts of a corpus, one per line, by index.
func (c *corpusListCmd) texts(ctx context.Context, term *cli.Terminal) error {
	opened, err := opening.Corpus(ctx, c.Corpus)
	if err != nil {
		return err
	}
	if c.JSON {
		texts := make([]string, opened.Len())
		for i := range texts {
			texts[i] = opened.Text(i)
		}
		return cli.PrintJSON(term, map[string]any{"texts": texts})
	}
	var line []byte
	for i := range opened.Len() {
		line = append(opened.AppendText(line[:0], i), '\n')
		if _, err := term.Out.Write(line); err != nil {
			return err
		}
	}
	return nil
}
