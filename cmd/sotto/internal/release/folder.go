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
	runs "github.com/sotto-dp/sotto/run"
)

// intoFolder writes each file under its own name, and below its own folders if a pattern has **,
// to the output folder.
func (c *RewriteCmd) intoFolder(ctx context.Context, term *cli.Terminal, r *sotto.Rewriter, payer *charging.Payer, files []string) error {
	outputs, from, err := c.outputs(files)
	if err != nil {
		return err
	}
	settings, private, err := c.runSettings(r)
	if err != nil {
		return err
	}
	if err := c.makeFolders(from); err != nil {
		return err
	}
	log, err := runs.Open(c.Output, settings, private, c.Resume)
	if err != nil {
		return refusal(err)
	}
	defer log.Close()
	counts, err := settleRest(ctx, log, slices.Collect(maps.Keys(from)))
	if err != nil {
		return err
	}

	done, err := c.affordFolder(ctx, term, r, payer, files, outputs, log)
	if err != nil {
		return err
	}
	for i, name := range files {
		var one sotto.Counts
		if whole := done[name]; whole != nil {
			one, err = countsOf(log, whole)
		} else {
			one, err = c.oneInto(ctx, term, r, payer, name, outputs[name], log)
		}
		if err != nil {
			if i > 0 {
				fmt.Fprintf(term.Err, "sotto: files that stay in %s: %d of %d: mend what follows, or leave that file away, and continue with --resume\n", c.Output, i, len(files))
			}
			return err
		}
		counts.Add(one)
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
	return c.summarise(ctx, term, r, statement, counts)
}

// oneInto writes one file of the run, unless it is done.
func (c *RewriteCmd) oneInto(ctx context.Context, term *cli.Terminal, r *sotto.Rewriter, payer *charging.Payer, name, output string, log *runs.Log) (none sotto.Counts, err error) {
	path := c.path(output)
	in, content, done, err := c.settled(ctx, name, output, log)
	if err != nil {
		return none, err
	}
	defer in.Close()
	if done != nil {
		return countsOf(log, done)
	}
	attempt, draws, err := log.Next(output, content)
	if err != nil {
		return none, err
	}
	if n := log.Interrupted(output); n == attempt.Number {
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
func (c *RewriteCmd) settled(ctx context.Context, name, output string, log *runs.Log) (in *os.File, content string, done *runs.Whole, err error) {
	if in, err = os.Open(name); err != nil {
		return nil, "", nil, fmt.Errorf("%s: %w", name, cli.PlainError(err))
	}
	if content, err = runs.SumOf(in); err == nil {
		done, err = log.Settle(ctx, output, name, content, c.Again)
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
