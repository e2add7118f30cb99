package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/sotto-dp/sotto/lab/plan"
	"github.com/sotto-dp/sotto/lab/result"
	"golang.org/x/term"
)

type runCmd struct {
	Size   string   `placeholder:"SIZE" help:"Size of the plans that are named: smoke, quick (default) or full."`
	Sample int      `placeholder:"N" help:"At most N trials of each plan, spread over it: for an estimate of the whole."`
	Fresh  bool     `help:"Make rows and models again that the store has."`
	Name   []string `arg:"" help:"Plans, or a size for all of them."`
	benchFlags
}

func (c *runCmd) Run(ctx context.Context, t *terminal) error {
	size, plans, err := c.chosen()
	if err != nil {
		return err
	}
	runner, err := c.runner(ctx, size)
	if err != nil {
		return err
	}
	runner.Fresh, runner.Bench.Fresh = c.Fresh, c.Fresh
	start, made, seconds := time.Now(), 0, 0.0
	var bar *progressbar.ProgressBar
	runner.Done = func(r result.Row) {
		made++
		seconds += r.Seconds
		if bar != nil {
			bar.Describe(r.Plan)
			_ = bar.Add(1)
		}
	}
	err = runner.Run(ctx, plans, size, c.Sample, func(trials int) {
		if onTerminal(t.err) && trials > 0 {
			bar = newBar(t.err, trials)
		}
	})
	if bar != nil {
		_ = bar.Clear()
	}
	fmt.Fprintf(t.err, "lab: %d rows in %s (%.0f seconds of trials)\n", made, time.Since(start).Round(time.Second), seconds)
	return err
}

// chosen returns the plans that are named and their size.
func (c *runCmd) chosen() (plan.Size, []plan.Plan, error) {
	if len(c.Name) == 1 && slices.Contains(plan.Sizes, plan.Size(c.Name[0])) {
		if c.Size != "" && c.Size != c.Name[0] {
			return "", nil, fmt.Errorf("%s and --size %s exclude each other", c.Name[0], c.Size)
		}
		return plan.Size(c.Name[0]), plan.All(), nil
	}
	size := plan.Quick
	if c.Size != "" {
		var err error
		if size, err = parseSize(c.Size); err != nil {
			return "", nil, err
		}
	}
	var plans []plan.Plan
	for _, name := range c.Name {
		p, err := plan.Find(name)
		if err != nil {
			return "", nil, err
		}
		plans = append(plans, p)
	}
	return size, plans, nil
}

func onTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// newBar counts trials and shows the time left.
func newBar(w io.Writer, trials int) *progressbar.ProgressBar {
	return progressbar.NewOptions(trials,
		progressbar.OptionSetWriter(w),
		progressbar.OptionShowCount(),
		progressbar.OptionSetWidth(24),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionSetPredictTime(true),
		progressbar.OptionSetElapsedTime(true),
	)
}
