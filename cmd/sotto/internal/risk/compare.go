// Package risk has the commands that measure what a reader recovers, and choose an epsilon by
// it: attack, compare, tune and explain.
package risk

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/catalog"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/tune"
)

func (c *CompareCmd) Run(ctx context.Context, term *cli.Terminal) error {
	if len(c.Epsilon) == 0 {
		return cli.WrongUsage("try --epsilon 1:8:1", "compare needs --epsilon")
	}
	epsilons, err := parseEpsilons("compare", c.Epsilon)
	if err != nil {
		return err
	}
	if err := c.check(); err != nil {
		return err
	}
	entries, err := c.entries()
	if err != nil {
		return err
	}
	if c.ofTexts(entries) {
		return c.texts(ctx, term, entries, epsilons)
	}
	attacked, err := c.sampled(ctx, term, true, false)
	if err != nil {
		return err
	}
	table, err := c.tableOf(ctx, attacked)
	if err != nil {
		return err
	}
	if len(c.Mechanism) == 0 && c.Notion != string(privacy.Pure) && packingAtHand(table) {
		if packing, ok := catalog.Default(mechanism.UseWords, privacy.Metric); ok {
			entries = append(entries, packing)
		}
	}
	spec := c.spec(nil)
	job := cli.NewJob(term, "comparing", len(entries)*len(epsilons)+1)
	result := comparison{Sample: sampleOf(attacked)}
	result.Rows, result.LeftOut, err = sweep(entries, epsilons, func(e mechanism.Entry, epsilon float64) (row comparedRow, err error) {
		s := spec
		s.Epsilon, s.Progress = epsilon, job.Part()
		e = openedOnce(e)
		if row.Row, err = tune.Compare(ctx, e, table, s); err == nil {
			row.sampleRow, err = comparedWords(ctx, attacked, e, s)
		}
		if err == nil {
			row.MostExposed, err = c.exposed(ctx, e, table, s)
		}
		return row, err
	})
	if err != nil {
		return err
	}
	if len(result.Rows) == 0 {
		return cli.WrongUsage("", "no mechanism accepts any of these epsilons: %s", result.LeftOut[0].Why)
	}
	if result.Limits, err = limitsAt(ctx, epsilons, table, spec.Cache, job); err != nil {
		return err
	}
	job.End()
	if c.EqualAttack != nil {
		if result.EqualAttack, err = atEqualAttack(ctx, *c.EqualAttack, entries, table, spec, term); err != nil {
			return err
		}
	}
	if err := c.draw(ctx, term, result, table); err != nil {
		return err
	}
	switch {
	case c.JSON:
		return cli.PrintJSON(term, result)
	case c.CSV:
		return printCSV(term, result)
	}
	return printComparison(term, result)
}

// tableOf returns the table that a sample is attacked over, or opens it.
func (c *CompareCmd) tableOf(ctx context.Context, attacked *attackRun) (*embedding.Table, error) {
	if attacked != nil {
		return attacked.table, nil
	}
	return tableOfWords(ctx, &c.TableFlags)
}

// check refuses flags that cannot be combined.
func (c *CompareCmd) check() error {
	if c.JSON && c.CSV {
		return cli.WrongUsage("", "--json cannot be used with --csv")
	}
	if err := c.ofOne(len(c.Mechanism), "sotto compare NAME"); err != nil {
		return err
	}
	if err := c.sampleFlags.check(); err != nil {
		return err
	}
	if err := c.exposedFlag.check(); err != nil {
		return err
	}
	if a := c.EqualAttack; a != nil && !(*a > 0 && *a < 1) {
		return privacy.Bad("compare", "equal-attack", *a, "in (0, 1)")
	}
	return cli.CheckPlots(c.Plot)
}

func (c *CompareCmd) entries() ([]mechanism.Entry, error) {
	names := c.Mechanism
	if len(names) == 0 {
		for _, e := range catalog.All() {
			if e.Compared && (c.Notion == "" || string(e.Notion) == c.Notion) {
				names = append(names, e.Name)
			}
		}
	}
	var entries []mechanism.Entry
	for _, name := range names {
		e, err := c.admitted(name)
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(entries, func(o mechanism.Entry) bool { return o.Name == name }) {
			entries = append(entries, e)
		}
	}
	return entries, nil
}

// atEqualAttack finds each mechanism's epsilon at one attack success.
func atEqualAttack(ctx context.Context, success float64, entries []mechanism.Entry, table *embedding.Table, spec mechanism.Spec, term *cli.Terminal) (*equalAttack, error) {
	equal := &equalAttack{AttackSuccess: success, Rows: []tune.Result{}, LeftOut: []leftOut{}}
	spec.Progress = term.Progress()
	for _, e := range entries {
		r, err := tune.Search(ctx, e, table, spec, tune.Target{Figure: "attack", Value: success})
		var sampled *tune.SampledError
		switch {
		case errors.As(err, &sampled):
			equal.LeftOut = append(equal.LeftOut, leftOut{Mechanism: e.Name, Why: err.Error()})
		case err != nil:
			return nil, err
		default:
			equal.Rows = append(equal.Rows, r)
		}
	}
	return equal, nil
}

// draw writes the requested plots.
func (c *CompareCmd) draw(ctx context.Context, term *cli.Terminal, result comparison, table *embedding.Table) error {
	if len(c.Plot) == 0 {
		return nil
	}
	limits, err := drawnLimits(result, table)
	if err != nil {
		return err
	}
	sheet := frontierOf(fmt.Sprintf("%s, %d words", table.Name(), table.Len()), plainRows(result.Rows), limits)
	return cli.DrawAll(ctx, term, c.Plot, sheet)
}
