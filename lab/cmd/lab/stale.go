package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/sotto-dp/sotto/lab/plan"
	"github.com/sotto-dp/sotto/lab/report"
	"github.com/sotto-dp/sotto/lab/source"
)

// listStale lists the plans with rows in a folder of PLAN.csv files that other code made,
// or with trials that have no row there.
func listStale(ctx context.Context, term *terminal, folder string, size plan.Size) error {
	code, err := source.Code(ctx)
	if err != nil {
		return err
	}
	parts, err := report.Committed(folder, size)
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(term.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "plan\trows\tstale\tmissing\ttime of stale rows\tcode of stale rows\tchanged since")
	rows, stale, missing, total := 0, 0, 0, 0.0
	for _, p := range parts {
		n, seconds, codes := staleRows(p, code)
		rows, stale, missing, total = rows+len(p.Rows), stale+n, missing+p.Missing, total+seconds
		if n+p.Missing > 0 {
			fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%s\t%s\t%s\n", p.Plan.Name, len(p.Rows), n, p.Missing, duration(seconds), strings.Join(codes, " "), p.Plan.Earlier)
		}
	}
	if rows == 0 {
		return fmt.Errorf("no rows in %s: name a folder with PLAN.csv files, such as results/%s", folder, size)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	_, err = fmt.Fprintf(term.out, "%d of %d rows were not made by this code (%s), in %s of trials; %d trials have no row\n", stale, rows, code, duration(total), missing)
	return err
}

// staleRows returns the number of rows that other code made, the seconds that they took,
// and the digests of that code.
func staleRows(p report.Part, code string) (n int, seconds float64, codes []string) {
	for _, r := range p.Rows {
		if r.Code == code {
			continue
		}
		n++
		seconds += r.Seconds
		if !slices.Contains(codes, r.Code) {
			codes = append(codes, r.Code)
		}
	}
	slices.Sort(codes)
	return n, seconds, codes
}

func duration(seconds float64) time.Duration {
	return time.Duration(seconds * float64(time.Second)).Round(time.Second)
}
