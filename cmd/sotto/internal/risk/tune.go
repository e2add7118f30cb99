package risk

import (
	"context"
	"errors"
	"fmt"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/tune"
)

func (c *TuneCmd) Run(ctx context.Context, term *cli.Terminal) error {
	if err := c.sampleFlags.check(); err != nil {
		return err
	}
	targets := c.targets()
	if err := c.checkTargets(len(targets)); err != nil {
		return err
	}
	switch {
	case c.Topic != nil, c.Linkage != nil && c.Texts == "":
		return c.wholeTexts(ctx, term)
	case c.Recovered != nil || c.Linkage != nil:
		return c.risk(ctx, term, targets[0])
	case c.Corpus != "" || c.Texts != "":
		return cli.WrongUsage("", "--corpus and --texts need --recovered, --linkage or --topic")
	}
	entry, err := c.entry(mechanism.UseWords)
	if err != nil {
		return err
	}
	if wholeOnly(entry) {
		return cli.WrongUsage("try --linkage 0.1", "%s replaces whole texts: its targets are --linkage and --topic", entry.Name)
	}
	if err := targets[0].Check(); err != nil {
		return err
	}
	table, err := tableOfWords(ctx, &c.TableFlags)
	if err != nil {
		return err
	}
	spec := c.spec(term.Progress())
	result, err := tune.Search(ctx, entry, table, spec, targets[0])
	var sampled *tune.SampledError
	if errors.As(err, &sampled) {
		return cli.WrongUsage("try --unchanged or --distance, or give rewrite the epsilon of its guarantee", "%v", err)
	}
	if err != nil {
		return err
	}
	flags := c.flags(result, spec)
	if c.JSON {
		return cli.PrintJSON(term, struct {
			tune.Result
			Flags string `json:"flags"`
		}{result, flags})
	}
	if err := printRows(term, []tune.Row{result.Row}); err != nil {
		return err
	}
	_, err = fmt.Fprintf(term.Out, "target %s %g, %s\nsotto rewrite %s\n", result.Figure, result.Wanted, result.Verdict, flags)
	return err
}

// checkTargets refuses targets that cannot be combined with other flags or targets.
func (c *TuneCmd) checkTargets(given int) error {
	switch {
	case c.About != "" && c.Topic == nil:
		return cli.WrongUsage("", "--about needs --topic: it says what words for labels teach of the topics")
	case c.Linkage != nil && c.Topic != nil:
		return cli.WrongUsage("sotto compare shows both", "--linkage cannot be used with --topic")
	case c.Calibrate != "" && (c.Topic != nil || c.Linkage != nil && c.Texts == ""):
		return cli.WrongUsage("", calibrateWords)
	case given != 1:
		return cli.WrongUsage("try --unchanged 0.5", "tune needs exactly one target: --unchanged, --attack, --certified, --pure, --distance, --recovered, --linkage or --topic")
	}
	return nil
}

// entry returns the mechanism to tune.
func (c *TuneCmd) entry(use mechanism.Use) (mechanism.Entry, error) {
	name, err := c.named(c.Mechanism, use)
	if err != nil {
		return mechanism.Entry{}, err
	}
	return c.admitted(name)
}

// targets returns the targets that are given.
func (c *TuneCmd) targets() (all []tune.Target) {
	for _, t := range []struct {
		name  string
		value *float64
	}{{"unchanged", c.Unchanged}, {"attack", c.Attack}, {"certified", c.Certified}, {"pure", c.Pure}, {"distance", c.Distance},
		{recovered, c.Recovered}, {tune.Linkage, c.Linkage}, {tune.Topic, c.Topic}} {
		if t.value != nil {
			all = append(all, tune.Target{Figure: t.name, Value: *t.value})
		}
	}
	return all
}
