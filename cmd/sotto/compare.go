package main

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/tune"
)

type compareCmd struct {
	Epsilon   []string `short:"e" placeholder:"E" help:"Epsilon, or a range LOW:HIGH:STEP (repeatable)."`
	Calibrate string   `placeholder:"HOW" help:"What epsilon means for exponential-type members: certified (default) or published."`
	tableFlags
	JSON      bool     `name:"json" help:"Print one JSON document."`
	Mechanism []string `arg:"" optional:"" help:"Mechanisms to compare (default: all that can be enumerated)."`
}

func (c *compareCmd) Run(ctx context.Context, term *terminal) error {
	if len(c.Epsilon) == 0 {
		return wrongUsage("try --epsilon 1:8:1", "compare needs --epsilon, one or more")
	}
	epsilons, err := parseEpsilons(c.Epsilon)
	if err != nil {
		return err
	}
	if c.Calibrate != "" && c.Calibrate != "certified" && c.Calibrate != "published" {
		return wrongUsage("", "calibrate is %q, must be certified or published", c.Calibrate)
	}
	names := c.Mechanism
	if len(names) == 0 {
		names = []string{"neighbours", "response", "tem", "exponential"}
	}
	var entries []mechanism.Entry
	for _, name := range names {
		e, ok := mechanism.Find(name)
		if !ok {
			return unknownMechanism(name)
		}
		if err := (privacy.Terms{}).Admit(name, e.Standing); err != nil {
			return err
		}
		entries = append(entries, e)
	}
	table, err := c.table()
	if err != nil {
		return err
	}
	rows := []tune.Row{}
	for _, e := range entries {
		for _, epsilon := range epsilons {
			row, err := tune.Compare(ctx, e, table, mechanism.Spec{
				Epsilon: epsilon, Published: c.Calibrate == "published", Cache: userCache(), Progress: term.progress(),
			})
			if err != nil {
				return err
			}
			rows = append(rows, row)
		}
	}
	if c.JSON {
		return printJSON(term, map[string]any{"rows": rows})
	}
	return printRows(term, rows)
}

// parseEpsilons reads numbers and ranges LOW:HIGH:STEP, both ends included.
func parseEpsilons(texts []string) ([]float64, error) {
	var epsilons []float64
	for _, text := range texts {
		parts := strings.Split(text, ":")
		var v []float64
		for _, p := range parts {
			f, err := strconv.ParseFloat(p, 64)
			if err != nil {
				return nil, wrongUsage("", "epsilon is %q, must be a number or LOW:HIGH:STEP", text)
			}
			v = append(v, f)
		}
		switch {
		case len(v) == 1:
		case len(v) == 3 && v[2] > 0 && v[1] >= v[0] && (v[1]-v[0])/v[2] <= 1000:
			low, high, step := v[0], v[1], v[2]
			v = v[:0]
			for i := 0; low+float64(i)*step <= high+step*1e-9; i++ {
				v = append(v, low+float64(i)*step)
			}
		default:
			return nil, wrongUsage("", "epsilon is %q, must be a number or LOW:HIGH:STEP with at most 1001 values", text)
		}
		for _, e := range v {
			if err := privacy.CheckEpsilon("compare", e); err != nil {
				return nil, err
			}
		}
		epsilons = append(epsilons, v...)
	}
	return epsilons, nil
}

func printRows(term *terminal, rows []tune.Row) error {
	w := tabwriter.NewWriter(term.out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "mechanism\tepsilon\tmetric epsilon\tpure epsilon\tunchanged\tmoved\tattack success\tsupport\tstanding\t")
	for _, r := range rows {
		fmt.Fprintf(w, "%s\t%.4g\t%s\t%s\t%.4f\t%.3f\t%.4f\t%.3f\t%s\t\n", r.Mechanism, r.Epsilon,
			loss(r.CertifiedEpsilon), loss(r.PureEpsilon), r.Unchanged, r.ExpectedDistance, r.AttackSuccess, r.Support, r.Standing)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintln(term.out, "\nLosses are exact and rounded up; shares and distances are means over the words of the table, each as likely.")
	return err
}

func loss(v *float64) string {
	if v == nil {
		return "infinite"
	}
	return strconv.FormatFloat(math.Ceil(*v*1e4)/1e4, 'g', 5, 64)
}

type tuneCmd struct {
	Mechanism string   `short:"m" default:"neighbours" placeholder:"NAME" help:"Mechanism to tune."`
	Unchanged *float64 `placeholder:"P" help:"Target: chance that a word stays."`
	Attack    *float64 `placeholder:"P" help:"Target: Bayes success of the best guess, at most."`
	Certified *float64 `placeholder:"E" help:"Target: exact metric epsilon, at most."`
	Pure      *float64 `placeholder:"E" help:"Target: exact pure epsilon, at most."`
	Distance  *float64 `placeholder:"D" help:"Target: mean distance moved."`
	tableFlags
	Neighbours string            `placeholder:"K" help:"Size of the sets of neighbours."`
	Param      map[string]string `placeholder:"K=V" help:"Any parameter of the mechanism (repeatable)."`
	JSON       bool              `name:"json" help:"Print one JSON document."`
}

func (c *tuneCmd) Run(ctx context.Context, term *terminal) error {
	var targets []tune.Target
	for _, t := range []struct {
		name  string
		value *float64
	}{{"unchanged", c.Unchanged}, {"attack", c.Attack}, {"certified", c.Certified}, {"pure", c.Pure}, {"distance", c.Distance}} {
		if t.value != nil {
			targets = append(targets, tune.Target{Figure: t.name, Value: *t.value})
		}
	}
	if len(targets) != 1 {
		return wrongUsage("try --unchanged 0.5", "tune takes one target: --unchanged, --attack, --certified, --pure or --distance")
	}
	entry, ok := mechanism.Find(c.Mechanism)
	if !ok {
		return unknownMechanism(c.Mechanism)
	}
	if err := (privacy.Terms{}).Admit(c.Mechanism, entry.Standing); err != nil {
		return err
	}
	table, err := c.table()
	if err != nil {
		return err
	}
	spec := mechanism.Spec{Parameters: map[string]string{}, Cache: userCache(), Progress: term.progress()}
	for k, v := range c.Param {
		spec.Parameters[k] = v
	}
	if c.Neighbours != "" {
		spec.Parameters["neighbours"] = c.Neighbours
	}
	result, err := tune.Search(ctx, entry, table, spec, targets[0])
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(spec.Parameters)) {
		result.Flags += fmt.Sprintf(" --param %s=%s", name, spec.Parameters[name])
	}
	if c.Words != nil {
		result.Flags += fmt.Sprintf(" --words %d", *c.Words)
	}
	if c.Embeddings != "" {
		result.Flags += " --embeddings " + strconv.Quote(c.Embeddings)
	}
	if c.JSON {
		return printJSON(term, result)
	}
	if err := printRows(term, []tune.Row{result.Row}); err != nil {
		return err
	}
	verdict := "reached"
	if !result.Reached {
		verdict = "not reached by any epsilon that was searched; this is the nearest"
	}
	_, err = fmt.Fprintf(term.out, "target %s %g: %s\nsotto rewrite %s\n", result.Figure, result.Wanted, verdict, result.Flags)
	return err
}
