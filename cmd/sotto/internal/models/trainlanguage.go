package models

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/opening"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/files/compress"
	"github.com/sotto-dp/sotto/language"
	"github.com/sotto-dp/sotto/text/tokenize"
)

type trainLanguageModelCmd struct {
	corpusFlags
	Public bool   `group:"privacy" help:"Declare that the corpus is public; required: a language model repeats its texts."`
	Output string `path:"write" binary:"" short:"o" placeholder:"FILE" group:"output" help:"Model file to write; an ARPA file if the name ends with .arpa."`
	opening.TableFlags
	Order   int      `placeholder:"N" group:"advanced" help:"Words of the longest n-gram: 2 to 4 (default: 3)."`
	With    []string `path:"read" placeholder:"FILE" sep:"none" group:"input" help:"Another language model to interpolate with; needs --held-out (repeatable)."`
	HeldOut []string `path:"read" placeholder:"FILE" sep:"none" group:"input" help:"Public text, not of any model's corpus, that the weights of --with are fitted on (repeatable)."`
	JSON    bool     `name:"json" group:"output" help:"Print one JSON document."`
}

func (c *trainLanguageModelCmd) check() error {
	switch {
	case c.Output == "":
		return cli.WrongUsage("", "train needs -o FILE, the model file to write")
	case !c.Public:
		return cli.WrongUsage("declare the corpus public with --public, if it is", "train language-model needs --public: a language model repeats its texts, and is used on public ones only")
	case c.Order != 0 && (c.Order < language.MinOrder || c.Order > language.MostTrained):
		return cli.WrongUsage("", "--order must be %d to %d, got %d", language.MinOrder, language.MostTrained, c.Order)
	case (len(c.With) == 0) != (len(c.HeldOut) == 0):
		return cli.WrongUsage("", "give both --with and --held-out, or neither")
	}
	return c.CheckFormat()
}

func (c *trainLanguageModelCmd) Run(ctx context.Context, term *cli.Terminal) error {
	if err := c.check(); err != nil {
		return err
	}
	table, err := c.WordsAlone(ctx)
	if err != nil {
		return err
	}
	start := time.Now()
	m, err := c.train(ctx, term, table)
	if err != nil {
		return err
	}
	if err := writeLanguageModel(ctx, term, c.Output, m); err != nil {
		return err
	}
	card := m.Card()
	if c.JSON {
		return cli.PrintJSON(term, struct {
			language.Card
			SHA256  string  `json:"sha256"`
			Seconds float64 `json:"seconds"`
		}{card, m.Digest(), time.Since(start).Seconds()})
	}
	fmt.Fprintf(term.Out, "order %d, %s over %s of %s (declared public)\n", card.Order,
		cli.Plural(sum(card.NGrams), "n-gram"), cli.Plural(card.Corpus.Tokens, "token"), cli.Plural(card.Corpus.Texts, "text"))
	for i, part := range card.Parts {
		name := "this corpus"
		if i > 0 {
			name = c.With[i-1]
		}
		fmt.Fprintf(term.Out, "weight %.4f: %s\n", part.Weight, name)
	}
	_, err = fmt.Fprintf(term.Out, "sha256 %s\n", m.Digest())
	return err
}

func sum(list []int) (all int) {
	for _, n := range list {
		all += n
	}
	return all
}

// train trains the model, and interpolates it with others.
func (c *trainLanguageModelCmd) train(ctx context.Context, term *cli.Terminal, table *embedding.Table) (*language.Model, error) {
	models := make([]*language.Model, 1, 1+len(c.With))
	for _, name := range c.With {
		m, err := opening.LanguageModel(ctx, name, table, c.Public)
		if err == nil && !m.Card().Public {
			err = fmt.Errorf("%s: the model is not declared public", name)
		}
		if err != nil {
			return nil, err
		}
		models = append(models, m)
	}
	o := language.Options{Order: c.Order, Public: c.Public, Progress: term.Progress()}
	var err error
	if models[0], err = language.Train(ctx, table, c.Tokens(ctx, term, c.files(), tokenize.NewTokenizer(table), nil), o); err != nil || len(c.With) == 0 {
		return models[0], err
	}
	weights, err := language.FitWeights(models, c.Tokens(ctx, term, c.HeldOut, tokenize.NewTokenizer(table), nil))
	if err != nil {
		return nil, err
	}
	return language.Interpolate(ctx, models, weights)
}

// arpaExtension is the extension of ARPA files, before that of a compression.
const arpaExtension = ".arpa"

// writeLanguageModel writes a model in the form that the file's name has.
func writeLanguageModel(ctx context.Context, term *cli.Terminal, name string, m *language.Model) error {
	return cli.WriteOutput(ctx, term, name, func(out io.Writer) error {
		if strings.HasSuffix(compress.Plain(name), arpaExtension) {
			return m.WriteARPA(out)
		}
		_, err := out.Write(m.Marshal())
		return err
	})
}
