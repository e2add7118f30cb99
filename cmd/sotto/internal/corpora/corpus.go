// Package corpora has the commands for whole corpora: corpus builds public ones, synthesize
// makes private copies.
package corpora

import (
	"context"
	"fmt"
	"text/tabwriter"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/opening"
	"github.com/sotto-dp/sotto/corpus"
)

type CorpusCmd struct {
	Build   corpusBuildCmd   `cmd:"" help:"Build a searchable corpus of public texts with vectors."`
	Write   corpusWriteCmd   `cmd:"" help:"Have a language model write a public corpus of a field."`
	Info    corpusInfoCmd    `cmd:"" help:"Describe a corpus, and verify its digests."`
	List    corpusListCmd    `cmd:"" help:"List the available corpora, or the texts of one."`
	Suggest corpusSuggestCmd `cmd:"" help:"Compare corpora with public texts like yours."`
	Search  corpusSearchCmd  `cmd:"" help:"Find the texts of a corpus that are nearest to a text."`
}

type corpusInfoCmd struct {
	Corpus string `path:"corpus" arg:"" help:"Name or file."`
	JSON   bool   `name:"json" group:"output" help:"Print one JSON document."`
}

// corpusInfo is what corpus info --json prints.
type corpusInfo struct {
	Name           string            `json:"name"`
	Texts          int               `json:"texts"`
	Dimensions     int               `json:"dimensions"`
	SHA256         string            `json:"sha256"`
	DeclaredPublic bool              `json:"declared_public"`
	Privacy        string            `json:"privacy"` // what the corpus reveals
	Encoder        corpus.Kind       `json:"encoder"`
	Table          *corpus.TableCard `json:"table"`
	Terms          int               `json:"terms"`
	Clusters       int               `json:"clusters"`
	Clusterings    []int             `json:"clusterings,omitempty"` // sizes of the other clusterings
	Source         corpus.Source     `json:"source"`
	Written        *corpus.Written   `json:"written,omitempty"` // by a language model
}

func (c *corpusInfoCmd) Run(ctx context.Context, term *cli.Terminal) error {
	opened, err := opening.Corpus(ctx, c.Corpus)
	if err != nil {
		return err
	}
	info := describeCorpus(opened)
	if c.JSON {
		return cli.PrintJSON(term, info)
	}
	w := tabwriter.NewWriter(term.Out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "name\t%s\ntexts\t%d\ndimensions\t%d\nencoder\t%s\n", info.Name, info.Texts, info.Dimensions, info.Encoder)
	if t := info.Table; t != nil {
		fmt.Fprintf(w, "table\t%s, %d words, sha256 %.12s\n", t.Name, t.Words, t.SHA256)
	}
	if info.Terms > 0 {
		fmt.Fprintf(w, "terms\t%d\n", info.Terms)
	}
	if m := info.Written; m != nil {
		fmt.Fprintf(w, "written by\t%s, seed %d\nabout\t%s\n", m.Model, m.Seed, m.About)
	}
	fmt.Fprintf(w, "clusters\t%d", info.Clusters)
	for _, size := range info.Clusterings {
		fmt.Fprintf(w, ", %d", size)
	}
	fmt.Fprintf(w, "\ndeclared public\t%s\nsha256\t%s\n", yesNo(info.DeclaredPublic), info.SHA256)
	return w.Flush()
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no: serve refuses it"
}

type corpusSearchCmd struct {
	Corpus         string `path:"corpus" placeholder:"NAME|FILE" group:"input" help:"Corpus to search (default: english)."`
	Embeddings     string `path:"table" placeholder:"NAME|FILE" group:"input" help:"The table that the corpus was built with (default: by its name in the corpus)."`
	EncoderProgram string `placeholder:"CMD" group:"input" help:"The program that made the vectors of the corpus. It sees the text."`
	Top            int    `default:"10" placeholder:"N" group:"output" help:"Texts to show (default: 10)."`
	JSON           bool   `name:"json" group:"output" help:"Print one JSON document."`
	Text           string `arg:"" help:"Text to search for."`
}

// corpusMatch is a search result.
type corpusMatch struct {
	Index      int     `json:"index"`
	Text       string  `json:"text"`
	Similarity float64 `json:"similarity"`
}

func (c *corpusSearchCmd) Run(ctx context.Context, term *cli.Terminal) error {
	if c.Top < 1 {
		return cli.WrongUsage("", "--top must be positive, got %d", c.Top)
	}
	opened, err := opening.Corpus(ctx, c.Corpus)
	if err != nil {
		return err
	}
	vector, err := c.vector(ctx, opened)
	if err != nil {
		return err
	}
	found, err := opened.Search(vector, min(c.Top, opened.Len()))
	if err != nil {
		return err
	}
	results := make([]corpusMatch, len(found))
	for i, m := range found {
		results[i] = corpusMatch{m.Index, opened.Text(m.Index), m.Similarity}
	}
	if c.JSON {
		return cli.PrintJSON(term, map[string]any{"results": results})
	}
	w := tabwriter.NewWriter(term.Out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "similarity\tindex\ttext")
	for _, m := range results {
		fmt.Fprintf(w, "%.4f\t%d\t%s\n", m.Similarity, m.Index, m.Text)
	}
	return w.Flush()
}

// vector returns the vector of the text, by the corpus's own encoder or by the program that made
// its vectors.
func (c *corpusSearchCmd) vector(ctx context.Context, in *corpus.Corpus) ([]int8, error) {
	switch {
	case c.EncoderProgram == "" && in.Card().Encoder.Kind == corpus.Brought:
		return nil, cli.WrongUsage("give its program with --encoder-program", "%s has vectors of another program's encoder: the text needs its own", in.Name())
	case c.EncoderProgram == "":
		encoder, err := opening.Encoder(ctx, in, c.Embeddings)
		if err != nil {
			return nil, err
		}
		return encoder.Encode(nil, []byte(c.Text)), nil
	case c.Embeddings != "":
		return nil, cli.WrongUsage("", "--encoder-program cannot be used with --embeddings: it makes the vectors")
	}
	p, err := opening.EncoderProgram(ctx, c.EncoderProgram, in)
	if err != nil {
		return nil, err
	}
	defer p.Close()
	vectors, err := p.Vectors(ctx, [][]byte{[]byte(c.Text)})
	if err != nil {
		return nil, err
	}
	return corpus.Quantize(nil, vectors[0]), nil
}
