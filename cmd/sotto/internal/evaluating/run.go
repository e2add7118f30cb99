package evaluating

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/opening"
	"github.com/sotto-dp/sotto/evaluation"
	"github.com/sotto-dp/sotto/synthesis"
)

func (c *ReportCmd) Run(ctx context.Context, term *cli.Terminal) error {
	if err := c.check(); err != nil {
		return err
	}
	e, err := c.evaluate(ctx, term)
	if err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if c.Output != "" {
		if err := c.write(ctx, term, e); err != nil {
			return err
		}
	}
	if c.JSON {
		return cli.PrintJSON(term, e)
	}
	return nil
}

// evaluate verifies the report, and reads the release.
func (c *ReportCmd) evaluate(ctx context.Context, term *cli.Terminal) (*evaluation.Evaluation, error) {
	data, err := cli.ReadInput(ctx, c.Report)
	if err != nil {
		return nil, err
	}
	var named struct {
		Mechanism string
		Corpus    *struct{ Name string }
	}
	if len(data) > opening.MaxReport || json.Unmarshal(data, &named) != nil || named.Mechanism == "" {
		return nil, fmt.Errorf("%s: not a privacy statement", c.Report)
	}
	if named.Corpus == nil {
		return nil, cli.WrongUsage("give the report of synthesize, or of rewrite --unit text", "%s: the report is not of a release of texts of a corpus", c.Report)
	}
	c.Corpus = cmp.Or(c.Corpus, opening.BesideFile(c.Report, named.Corpus.Name))
	book, err := opening.Corpus(ctx, c.Corpus)
	if err != nil {
		return nil, err
	}
	if named.Mechanism == synthesis.Name {
		return c.ofCorpus(ctx, term, data, book)
	}
	return c.ofTexts(ctx, term, data, book)
}

// write writes the page.
func (c *ReportCmd) write(ctx context.Context, term *cli.Terminal, e *evaluation.Evaluation) error {
	var out bytes.Buffer
	if err := e.Page(&out); err != nil {
		return err
	}
	return cli.WriteWhole(ctx, term, c.Output, out.Bytes())
}
