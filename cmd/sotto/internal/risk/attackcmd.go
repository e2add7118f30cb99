package risk

import (
	"cmp"
	"context"
	"slices"

	"github.com/sotto-dp/sotto/attack"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/opening"
	"github.com/sotto-dp/sotto/language"
	"github.com/sotto-dp/sotto/mechanism"
)

func (c *AttackCmd) Run(ctx context.Context, term *cli.Terminal) error {
	switch {
	case len(c.Marks) > 0 && (c.Texts != "" || len(c.Corpus) > 0 || c.LM != "" || len(c.Mechanism) > 0):
		return cli.WrongUsage("", "--marks cannot be used with --texts, --corpus, --lm or --mechanism: marks are attacked without a text")
	case len(c.Marks) > 0:
		return c.marks(ctx, term)
	case c.Frequencies != "":
		return cli.WrongUsage("", "--frequencies needs --marks")
	case c.Texts == "":
		return cli.WrongUsage("", "attack needs --texts FILE, the sample to release and attack")
	}
	epsilons, entries, err := c.check()
	if err != nil {
		return err
	}
	if len(c.Corpus) > 0 {
		c.Reader, c.Order = cmp.Or(c.Reader, readerAdapted), cmp.Or(c.Order, language.MostTrained)
	}
	run, err := c.begin(ctx, term, slices.ContainsFunc(entries, func(e mechanism.Entry) bool { return e.New != nil }), c.Label)
	if err != nil {
		return err
	}
	result := run.document()
	if run.labels != nil {
		result.Label = &attackedLabel{c.Label, run.labels.Classes, len(run.labels.Public)}
	}
	job := cli.NewJob(term, "attacking", len(entries)*len(epsilons))
	result.Rows, result.LeftOut, err = sweep(entries, epsilons, func(e mechanism.Entry, epsilon float64) (attack.Row, error) {
		spec := opening.NewSpec(c.Param, job.Part())
		spec.Epsilon = epsilon
		return run.attack(ctx, e, spec)
	})
	if err != nil {
		return err
	}
	job.End()
	run.reveal(&result)
	if c.Page != "" {
		page, err := result.page()
		if err != nil {
			return err
		}
		if err := cli.WriteWhole(ctx, term, c.Page, page); err != nil {
			return err
		}
	}
	if c.JSON {
		return cli.PrintJSON(term, result)
	}
	return printAttacked(term, &result)
}
