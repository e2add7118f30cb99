package risk

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/playground"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/progress"
	"github.com/sotto-dp/sotto/tune"
)

func (f exposedFlag) check() error {
	if n := f.Exposed; n != nil && (*n < 0 || *n > tune.MostExposedWords) {
		return cli.WrongUsage("", "--exposed must be in [0, %d], got %d", tune.MostExposedWords, *n)
	}
	return nil
}

// of returns the most exposed words of a channel. It returns nil for a mechanism without a
// channel, and if none are requested.
func (f exposedFlag) of(ctx context.Context, o tune.Opened, cache mechanism.Cache, report progress.Func) (*tune.Exposure, error) {
	if f.Exposed == nil || *f.Exposed == 0 || o.Channel == nil {
		return nil, nil
	}
	e, err := tune.MostExposed(ctx, o, cache, report)
	e = e.First(*f.Exposed)
	return &e, err
}

// exposed returns the most exposed words of the table of a rewriter. If no number is
// requested it returns those that ship with the program, nil if none do.
func (c *ExplainCmd) exposed(ctx context.Context, term *cli.Terminal, r *sotto.Rewriter) (*tune.Exposure, error) {
	if c.Exposed == nil {
		s := r.Statement(sotto.Counts{})
		epsilon, ok := s.Parameters["epsilon"].(float64)
		given := slices.ContainsFunc(s.Given, func(name string) bool { return name != "epsilon" })
		if !ok || given || s.Parameters["calibrate"] == "published" {
			return nil, nil
		}
		return playground.MostExposed(s.Mechanism, r.Table(), epsilon)
	}
	channel, ok := r.Mechanism().(mechanism.Channel)
	if !ok && *c.Exposed > 0 {
		return nil, cli.WrongUsage("choose a channel, such as neighbours, tem or exponential", "%s adds noise to vectors: the probabilities of its outputs are not known exactly", r.Entry().Name)
	}
	return c.of(ctx, tune.Opened{Entry: r.Entry(), Channel: channel, Table: r.Table()}, cli.UserCache(), term.Progress())
}

// exposed returns the most exposed words at a setting of compare.
func (c *CompareCmd) exposed(ctx context.Context, e mechanism.Entry, table *embedding.Table, spec mechanism.Spec) (*tune.Exposure, error) {
	if c.Exposed == nil || *c.Exposed == 0 {
		return nil, nil
	}
	m, err := e.New(ctx, table, spec)
	if err != nil {
		return nil, err
	}
	channel, _ := m.(mechanism.Channel)
	return c.of(ctx, tune.Opened{Entry: e, Channel: channel, Table: table}, spec.Cache, spec.Progress)
}

// printComparedExposed prints the most exposed words of each row of compare.
func printComparedExposed(term *cli.Terminal, rows []comparedRow) error {
	any := false
	w := cli.NewCellWriter(term.Out)
	for _, r := range rows {
		e := r.MostExposed
		if e == nil {
			continue
		}
		if !any {
			fmt.Fprintln(w, "\nmechanism\tepsilon\tmost exposed words, with the probability that the best guess from one output names them")
			any = true
		}
		list := make([]string, len(e.Words))
		for i, x := range e.Words {
			list[i] = fmt.Sprintf("%s %.4f", x.Word, x.Recovered)
		}
		fmt.Fprintf(w, "%s\t%.6g\t%s", r.Mechanism, r.Epsilon, w.Cell(strings.Join(list, ", ")))
		if e.Alike > len(e.Words) {
			fmt.Fprintf(w, "; %d words are as exposed as the first", e.Alike)
		}
		fmt.Fprintln(w)
	}
	return w.Flush()
}

// printExposed prints the most exposed words of a table of some words.
func printExposed(term *cli.Terminal, e *tune.Exposure, words int) error {
	if e == nil {
		return nil
	}
	const guess = "the best guess from one output, with every word as likely,"
	if e.Alike == words {
		_, err := fmt.Fprintf(term.Out, "\nNo word of the table is more exposed than another: %s recovers each with probability %.4f.\n", guess, e.Mean)
		return err
	}
	w := cli.NewCellWriter(term.Out)
	fmt.Fprintf(w, "\nMost exposed of the %s of the table: %s recovers %.4f of all words on average, and of these:\n", cli.Plural(words, "word"), guess, e.Mean)
	fmt.Fprintln(w, "  \tstays\trecovered")
	for _, x := range e.Words {
		fmt.Fprintf(w, "  %s\t%.4f\t%.4f\n", w.Cell(x.Word), x.Unchanged, x.Recovered)
	}
	if e.Alike > len(e.Words) {
		fmt.Fprintf(w, "  %d words are as exposed as the first.\n", e.Alike)
	}
	return w.Flush()
}
