package risk

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/sotto-dp/sotto/attack"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/catalog"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/typed"
)

// attackedMark is how often a reader names the right value of a mark, exactly.
type attackedMark struct {
	Mechanism string        `json:"mechanism"`
	Type      string        `json:"type"`
	Codebook  string        `json:"codebook"`
	Epsilon   float64       `json:"epsilon"`
	Unit      privacy.Unit  `json:"unit"`
	Linked    float64       `json:"linked"`
	Among     int           `json:"among"`
	Method    attack.Method `json:"linked_method"`
	// Blind is the share of the likeliest value: what is named without the release.
	Blind float64 `json:"blind"`
}

// candidates are the values among which a reader looks, with their probabilities.
type candidates struct {
	values []string
	prior  []float64
}

// marks attacks marks of some types. It draws nothing.
func (c *AttackCmd) marks(ctx context.Context, term *cli.Terminal) error {
	epsilons, err := c.epsilonsOfMarks()
	if err != nil {
		return err
	}
	entry, _ := catalog.Default(mechanism.UseMarks, "")
	rows := []attackedMark{}
	for _, name := range c.Marks {
		kind := typed.Known(name)
		codebook, ok := typed.Default(kind)
		if !ok {
			return cli.WrongUsage("see sotto spans --types", "--marks: no type %q has a codebook", name)
		}
		for _, among := range c.Among {
			of, err := c.candidatesOf(ctx, codebook, among)
			if err != nil {
				return err
			}
			for _, epsilon := range epsilons {
				r, err := entry.NewRetriever(ctx, codebook, mechanism.Spec{Epsilon: epsilon})
				if err != nil {
					return err
				}
				var vectors []int8
				for _, v := range of.values {
					vectors = codebook.Encode(vectors, []byte(v))
				}
				linked, err := attack.Named(ctx, r, vectors, of.prior)
				if err != nil {
					return err
				}
				rows = append(rows, attackedMark{entry.Name, kind, codebook.Name(), epsilon, privacy.Mark, linked, len(of.values), attack.Computed, slices.Max(of.prior)})
			}
		}
	}
	if c.JSON {
		return cli.PrintJSON(term, map[string]any{"rows": rows})
	}
	w := tabwriter.NewWriter(term.Out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "type\tepsilon\tlinked\tamong\tblind\t")
	for _, r := range rows {
		fmt.Fprintf(w, "%s\t%g\t%.4f\t%d\t%.4f\t\n", r.Type, r.Epsilon, r.Linked, r.Among, r.Blind)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	_, err = fmt.Fprintln(term.Out, "\nlinked: probability that the best guess from one mark names its value among that many, exact over all draws;\nblind: the same without the release, by the frequencies alone. What is beside a mark is not used.")
	return err
}

// candidatesOf returns the values among which a reader looks: the most frequent ones of the
// file, or values spread over the codebook, equally likely.
func (c *AttackCmd) candidatesOf(ctx context.Context, codebook *typed.Codebook, among int) (of candidates, err error) {
	if among < 2 {
		return of, cli.WrongUsage("", "--among must be 2 or more, got %d", among)
	}
	if c.Frequencies == "" {
		n := min(among, codebook.Len())
		for i := range n {
			of.values, of.prior = append(of.values, codebook.Text(i*codebook.Len()/n)), append(of.prior, 1/float64(n))
		}
		return of, nil
	}
	data, err := cli.ReadInput(ctx, c.Frequencies)
	if err != nil {
		return of, err
	}
	type counted struct {
		value string
		count float64
	}
	var all []counted
	number := 0
	for line := range bytes.Lines(data) {
		number++
		value, count, found := strings.Cut(strings.TrimRight(string(line), "\r\n"), "\t")
		n, err := strconv.ParseFloat(strings.TrimSpace(count), 64)
		if !found || err != nil || !(n > 0) || n > 1e15 {
			return of, cli.WrongUsage("", "%s: line %d is not a value, a tab and a positive number", c.Frequencies, number)
		}
		all = append(all, counted{value, n})
	}
	if len(all) < 2 {
		return of, cli.WrongUsage("", "%s has fewer than two values", c.Frequencies)
	}
	slices.SortStableFunc(all, func(a, b counted) int { return cmp.Compare(b.count, a.count) })
	sum := 0.0
	all = all[:min(among, len(all))]
	for _, one := range all {
		sum += one.count
	}
	for _, one := range all {
		of.values, of.prior = append(of.values, one.value), append(of.prior, one.count/sum)
	}
	return of, nil
}

// epsilonsOfMarks returns the epsilons of attacks on marks, which may be 0.
func (c *AttackCmd) epsilonsOfMarks() (all []float64, err error) {
	if len(c.Epsilon) == 0 {
		return nil, cli.WrongUsage("try --epsilon 0", "attack needs --epsilon")
	}
	for _, e := range c.Epsilon {
		some := []float64{0}
		if e != "0" {
			if some, err = parseEpsilons("attack", []string{e}); err != nil {
				return nil, err
			}
		}
		all = append(all, some...)
	}
	return all, nil
}
