package models

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/opening"
	"github.com/sotto-dp/sotto/language"
	"github.com/sotto-dp/sotto/privacy/provenance"
	"github.com/sotto-dp/sotto/text/tokenize"
)

// model opens the model to measure. An ARPA file has its own words unless a table is given.
func (c *trainMeasureCmd) model(ctx context.Context) (*language.Model, error) {
	if c.Embeddings != "" {
		table, err := opening.Words(ctx, c.Embeddings)
		if err != nil {
			return nil, err
		}
		return opening.LanguageModel(ctx, c.LM, table, false)
	}
	return opening.ReadLanguageModel(ctx, c.LM, nil, func(r io.Reader) (*language.Model, error) {
		return language.ReadARPAAlone(ctx, r, false)
	})
}

// predict measures how well a language model predicts texts.
func (c *trainMeasureCmd) predict(ctx context.Context, term *cli.Terminal) error {
	if c.Beam != 1 || c.Epsilon != nil || len(c.Param) > 0 || c.InsecureSeed != nil {
		return cli.WrongUsage("", "--beam, --epsilon, --param and --insecure-seed cannot be used with --lm")
	}
	if err := c.CheckFormat(); err != nil {
		return err
	}
	m, err := c.model(ctx)
	if err != nil {
		return err
	}
	unknown := 0
	measured, err := m.Measure(c.Tokens(ctx, term, c.files(), tokenize.NewTokenizer(m.Vocabulary()), &unknown))
	if err != nil {
		return err
	}
	if measured.Tokens == 0 {
		return errors.New("the corpus has no texts")
	}
	read, err := c.reveals(ctx, c.LM, m.Card().Public)
	if err != nil {
		return err
	}
	if c.JSON {
		return cli.PrintJSON(term, struct {
			language.Measured
			Unknown    int               `json:"unknown_tokens"`
			SHA256     string            `json:"sha256"`
			Privacy    string            `json:"privacy"`
			Provenance provenance.Inputs `json:"provenance"`
		}{measured, unknown, m.Digest(), read.Of(provenance.Figures), read})
	}
	_, err = fmt.Fprintf(term.Out, "perplexity %.4f over %s, the ends of texts included (%d unknown)\n%s\n", measured.Perplexity, cli.Plural(measured.Tokens, "token"), unknown, read.Of(provenance.Figures))
	return err
}
