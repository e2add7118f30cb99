package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"text/tabwriter"
	"time"

	"github.com/sotto-dp/sotto/lab/plan"
)

type listCmd struct {
	Size  string `default:"quick" help:"Count the trials of this size: smoke, quick or full."`
	Stale bool   `help:"List the committed rows that other code made, and the time that they took."`
	Rows  string `placeholder:"FOLDER" help:"Folder of PLAN.csv files for --stale (default: results/SIZE)."`
	benchFlags
}

func (c *listCmd) Run(ctx context.Context, term *terminal) error {
	size, err := parseSize(c.Size)
	if err != nil {
		return err
	}
	if c.Rows != "" && !c.Stale {
		return errors.New("--rows is for --stale")
	}
	if c.Stale {
		return listStale(ctx, term, cmp.Or(c.Rows, filepath.Join("results", string(size))), size)
	}
	runner, err := c.runner(ctx, size)
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(term.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "plan\ttrials\tdone\ttime left\twhat")
	var total time.Duration
	known := true
	for _, p := range plan.All() {
		trials, done, seconds, err := runner.Count(p, size)
		if err != nil {
			return err
		}
		left := "?"
		if done > 0 {
			workers := runner.Workers
			if p.Alone {
				workers = 1
			}
			d := time.Duration(seconds * float64(trials-done) / float64(workers) * float64(time.Second)).Round(time.Second)
			left = d.String()
			total += d
		}
		known = known && done > 0
		fmt.Fprintf(w, "%s\t%d\t%d\t%s\t%s\n", p.Name, trials, done, left, p.Title)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if known {
		_, err = fmt.Fprintf(term.out, "about %s left at %d at once, by the mean time of the trials done\n", total.Round(time.Minute), runner.Workers)
	} else {
		_, err = fmt.Fprintln(term.out, "run some trials of each plan for an estimate: lab run", size, "--sample 3")
	}
	return err
}
