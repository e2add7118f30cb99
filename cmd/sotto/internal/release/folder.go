package release

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/charging"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/opening"
	"github.com/sotto-dp/sotto/files/paths"
	runs "github.com/sotto-dp/sotto/run"
)

// AlsoUses returns the files that a run writes into its folder, and the lock of its map.
func (c *RewriteCmd) AlsoUses() (uses []paths.Use) {
	if c.KeepMap != "" {
		uses = append(uses, paths.Use{Flag: "--keep-map", Name: cli.LockName(c.KeepMap), Writes: true})
	}
	if !cli.IsFolder(c.Output) {
		return uses
	}
	files, err := cli.Expand(c.File)
	if err != nil {
		return uses // reported where the files are listed
	}
	uses = append(uses, paths.Use{Flag: "-o", Name: filepath.Join(c.Output, runs.LogName), Writes: true})
	seen := map[string]bool{runs.LogName: true} // equal names of inputs are refused later
	for _, name := range files {
		if base := filepath.Base(name); !seen[base] {
			seen[base] = true
			uses = append(uses, paths.Use{Flag: "-o", Name: filepath.Join(c.Output, base), Writes: true})
		}
	}
	return uses
}

// intoFolder writes each file under its own name to the output folder.
func (c *RewriteCmd) intoFolder(ctx context.Context, term *cli.Terminal, r *sotto.Rewriter, payer *charging.Payer, files []string) error {
	outputs := map[string]string{} // from output to input
	for _, name := range files {
		if name == "-" {
			return cli.WrongUsage("give -o FILE", "standard input cannot be written into the folder %s: it has no file name", c.Output)
		}
		base := filepath.Base(name)
		if other, ok := outputs[base]; ok {
			return cli.WrongUsage("", "%s and %s would both be written to %s", other, name, filepath.Join(c.Output, base))
		}
		if base == runs.LogName {
			return cli.WrongUsage("", "%s is a run record, not a text", name)
		}
		outputs[base] = name
	}
	settings, private, err := c.runSettings(r)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(c.Output, 0o755); err != nil {
		return fmt.Errorf("%s: %w", c.Output, cli.PlainError(err))
	}
	log, err := runs.Open(c.Output, settings, private, c.Resume)
	if err != nil {
		return refusal(err)
	}
	defer log.Close()
	if err := log.Sweep(slices.Collect(maps.Keys(outputs))); err != nil {
		return err
	}

	if err := c.affordFolder(ctx, term, r, payer, files, log); err != nil {
		return err
	}
	var counts sotto.Counts
	for i, name := range files {
		done, err := c.oneInto(ctx, term, r, payer, name, log)
		if err != nil {
			if i > 0 {
				fmt.Fprintf(term.Err, "sotto: files that stay in %s: %d of %d: mend what follows, or leave that file away, and continue with --resume\n", c.Output, i, len(files))
			}
			return err
		}
		counts.Add(done)
	}
	if err := opening.FinishEncoder(c.texts.encode); err != nil {
		return err
	}
	if err := log.End(); err != nil {
		return err
	}
	statement := r.Statement(counts)
	c.stateMarks(&statement)
	if c.Report != "" {
		if err := cli.WriteReport(ctx, term, c.Report, statement); err != nil {
			return err
		}
	}
	if c.JSON {
		if err := cli.PrintJSON(term, statement); err != nil {
			return err
		}
	}
	return c.summarise(ctx, term, r, statement)
}

// oneInto writes one file of the run, unless it is done.
func (c *RewriteCmd) oneInto(ctx context.Context, term *cli.Terminal, r *sotto.Rewriter, payer *charging.Payer, name string, log *runs.Log) (none sotto.Counts, err error) {
	base := filepath.Base(name)
	path := filepath.Join(c.Output, base)
	in, content, done, err := c.settled(ctx, name, log)
	if err != nil {
		return none, err
	}
	defer in.Close()
	if done != nil {
		return countsOf(log, done)
	}
	attempt, draws, err := log.Next(base, content)
	if err != nil {
		return none, err
	}
	if n := log.Interrupted(base); n == attempt.Number {
		fmt.Fprintf(term.Err, "sotto: %s: attempt %d was interrupted: the same draws are made again, and no charge is made twice\n", path, n)
	} else if n > 0 {
		fmt.Fprintf(term.Err, "sotto: %s: attempt %d was interrupted and may have been seen, and its input, the program or the key of its draws is another one now: it is drawn and charged again\n", path, n)
	}
	out, err := cli.BeginOutput(ctx, term, path)
	if err != nil {
		return none, err
	}
	defer out.Discard()
	if out.Pending == nil {
		return none, fmt.Errorf("%s: is now a device or a pipe", path)
	}
	attempt.Temporary = filepath.Base(out.Pending.Name())
	counts, err := c.copy(ctx, term, r, copied{name: name, file: in, out: out, charge: afterRecord(log, attempt, payer.Charge(r)), alone: payer.StreamsAlone(), key: &draws})
	if err != nil {
		return none, err
	}
	if err := c.kept.write(term); err != nil {
		return none, err
	}
	if err := out.Finish(); err != nil {
		return none, fmt.Errorf("%s: %w", path, cli.PlainError(err))
	}
	if now, err := runs.SumOf(in); err != nil || now != content {
		return none, cli.FirstOf(err, fmt.Errorf("%s: changed while it was read", name))
	}
	if attempt.Whole, err = wholeOf(out.Pending.Name(), counts, r.Statement(counts)); err != nil {
		return none, err
	}
	if err := log.Put(attempt); err != nil {
		return none, err
	}
	if err := out.Commit(); err != nil {
		return none, fmt.Errorf("%s: %w", path, cli.PlainError(err))
	}
	return countsOf(log, attempt.Whole)
}

// settled opens an input, and returns its SHA-256, and its output if that is done.
func (c *RewriteCmd) settled(ctx context.Context, name string, log *runs.Log) (in *os.File, content string, done *runs.Whole, err error) {
	if in, err = os.Open(name); err != nil {
		return nil, "", nil, fmt.Errorf("%s: %w", name, cli.PlainError(err))
	}
	if content, err = runs.SumOf(in); err == nil {
		done, err = log.Settle(ctx, filepath.Base(name), name, content, c.Again)
	}
	if err != nil {
		_ = in.Close()
	}
	return in, content, done, refusal(err)
}

// afterRecord returns a charger that records an attempt before the first of its charges and
// draws. An input that is refused before that is no attempt.
func afterRecord(log *runs.Log, one runs.Attempt, charge charging.Charger) charging.Charger {
	begin := sync.OnceValue(func() error { return log.Put(one) })
	return func(ctx context.Context, batch uint64, p *sotto.Pending) error {
		if err := begin(); err != nil || charge == nil {
			return err
		}
		return charge(ctx, batch, p)
	}
}

// remedies are those of runs that name flags.
var remedies = map[runs.Remedy]string{
	runs.Resume:        "use --resume to continue it; rewriting its files again would release them twice",
	runs.RedrawGone:    "put it back, or redraw it with --again, which is a second release and is charged again",
	runs.RedrawChanged: "put the original output back, or move this file away and redraw it with --again, which is a second release and is charged again",
	runs.RedrawText:    "to rewrite the new text, which is charged again, move the output away and use --again",
}

// refusal returns an error of a run with its remedy as this program's hints are.
func refusal(err error) error {
	var r *runs.Refusal
	if !errors.As(err, &r) {
		return err
	}
	remedy := cmp.Or(remedies[r.Remedy], string(r.Remedy))
	if r.Usage {
		return cli.WrongUsage(remedy, "%s", r.What)
	}
	return &runs.Refusal{What: r.What, Remedy: runs.Remedy(remedy)}
}
