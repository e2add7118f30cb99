package models

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/catalog"
	"github.com/sotto-dp/sotto/mechanism/packing"
	"github.com/sotto-dp/sotto/privacy"
)

func (c *CompileCmd) Run(ctx context.Context, term *cli.Terminal) error {
	if err := c.check(); err != nil {
		return err
	}
	table, err := c.Table(ctx)
	if err != nil {
		return err
	}
	effort := packing.Effort{Gap: c.Gap, Time: c.Time, Progress: term.Progress()}
	if effort.Objective, err = c.objective(ctx, table); err != nil {
		return err
	}
	if cli.OnTerminal(term.Err) {
		effort.Solving = func(sweep int, value, bound float64) {
			if value < 0 { // some rows had to be constrained
				fmt.Fprintf(term.Err, "\rsweep %d: making room for rows that could not be filled   ", sweep)
				return
			}
			fmt.Fprintf(term.Err, "\rsweep %d: unchanged %.4f, limit %.4f, gap %.2f%%   ", sweep, value, bound, 100*(bound/value-1))
		}
	}
	if c.State != "" {
		if !c.searched() {
			return cli.WrongUsage("", "--state is for %s only", CompiledMembers()[0])
		}
		if effort.Resume, err = os.ReadFile(c.State); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%s: %w", c.State, cli.PlainError(err))
		}
		effort.Save = func(state []byte) error { return cli.WriteWhole(ctx, term, c.State, state) }
	}
	if !c.searched() && (c.DistanceWeight != 0 || c.Prior != "" || c.Least != 0) {
		return cli.WrongUsage("", "only %s takes --distance-weight, --prior and --least", CompiledMembers()[0])
	}
	start := time.Now()
	data, err := packing.Compile(ctx, c.Mechanism, table, *c.Epsilon, effort)
	if effort.Solving != nil {
		fmt.Fprintln(term.Err)
	}
	if err != nil {
		return err
	}
	if err := cli.WriteWhole(ctx, term, c.Output, data); err != nil {
		return err
	}
	channel, err := packing.Read(data)
	if err != nil {
		return errors.Join(errors.New("compile: the new channel file cannot be read back"), err)
	}
	return c.print(term, channel, table, len(data), time.Since(start))
}

// searched reports whether the mechanism's channel is found by a search with an
// objective.
func (c *CompileCmd) searched() bool {
	entry, _ := catalog.Find(c.Mechanism)
	return entry.Compiled == mechanism.Searched
}

// CompiledMembers lists the mechanisms that use channel files, the default first.
func CompiledMembers() (names []string) {
	for _, way := range []mechanism.Compiled{mechanism.Searched, mechanism.Solved} {
		for _, e := range catalog.All() {
			if e.Compiled == way {
				names = append(names, e.Name)
			}
		}
	}
	return names
}

// check refuses invalid flags before anything is read.
func (c *CompileCmd) check() error {
	switch {
	case c.Epsilon == nil:
		return cli.WrongUsage("", "compile needs --epsilon, the certified metric epsilon; there is no default")
	case c.Output == "":
		return cli.WrongUsage("", "compile needs -o FILE, where the channel goes")
	case c.Time < 0:
		return privacy.Bad("compile", "time", c.Time, "positive")
	case !slices.Contains(CompiledMembers(), c.Mechanism):
		return cli.WrongUsage("", "--mechanism must be %s, got %q", strings.Join(CompiledMembers(), " or "), c.Mechanism)
	}
	if err := packing.GapParameter.Check("compile", c.Gap); err != nil {
		return err
	}
	return privacy.CheckEpsilon("compile", *c.Epsilon)
}

// print reports a compiled channel.
func (c *CompileCmd) print(term *cli.Terminal, channel *packing.File, table *embedding.Table, size int, took time.Duration) error {
	loss := channel.Loss()
	if c.JSON {
		return cli.PrintJSON(term, map[string]any{
			"mechanism": channel.Name(), "epsilon": channel.Epsilon, "certified_epsilon": loss.MetricHigh, "pure_epsilon": loss.PureHigh,
			"unchanged": channel.Value, "limit": channel.Bound, "words": table.Len(), "table_sha256": table.Digest(),
			"bytes": size, "seconds": took.Seconds(),
		})
	}
	fmt.Fprintf(term.Out, "%s at epsilon %g over %d words: certified %s, pure %s, unchanged %.4f", channel.Name(), channel.Epsilon, table.Len(), privacy.Above(loss.MetricHigh, 7), privacy.Above(loss.PureHigh, 4), channel.Value)
	if channel.Bound > 0 {
		fmt.Fprintf(term.Out, " (the limit of any mechanism is %.4f)", channel.Bound)
	}
	use := fmt.Sprintf("--mechanism %s --epsilon %g --param channel=%s", channel.Name(), channel.Epsilon, cli.InShell(c.Output))
	if c.Embeddings != "" {
		use += " --embeddings " + cli.InShell(c.Embeddings)
	}
	if c.Words != nil {
		use += fmt.Sprintf(" --words %d", *c.Words)
	}
	if c.Never != "" {
		use += " --never " + cli.InShell(c.Never)
	}
	_, err := fmt.Fprintf(term.Out, "\nuse it with %s\n", use)
	return err
}
