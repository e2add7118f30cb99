package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"text/tabwriter"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/privacy"
)

type explainCmd struct {
	mechanismFlags
	Top  int      `default:"10" help:"Outputs shown for each word; 0 shows all."`
	Word []string `arg:"" help:"Words to explain."`
}

func (c *explainCmd) Run(ctx context.Context, term *terminal) error {
	if c.Top < 0 {
		return wrongUsage("", "top is %d, must be 0 or more", c.Top)
	}
	cfg, err := c.config(ctx, term, "explain")
	if err != nil {
		return err
	}
	r, err := sotto.Open(ctx, cfg)
	if err != nil {
		return err
	}
	var words []sotto.Explained
	for i, word := range c.Word {
		all, err := r.Explain(word, c.Top)
		var noChannel *sotto.NoChannelError
		var empty *privacy.ParameterError
		switch {
		case errors.As(err, &noChannel):
			return wrongUsage("choose a channel, such as neighbours, tem or exponential", "%v", err)
		case errors.As(err, &empty):
			return wrongUsage("", "word %d holds no token", i+1)
		case err != nil:
			return err
		}
		words = append(words, all...)
	}
	claim := r.Mechanism().Claim()
	if c.JSON {
		return printJSON(term, map[string]any{"words": words, "claim": claim})
	}
	return printExplained(term, words, claim, r.Table())
}

func printExplained(term *terminal, words []sotto.Explained, claim privacy.Claim, table *embedding.Table) error {
	w := tabwriter.NewWriter(term.out, 0, 0, 2, ' ', 0)
	for _, e := range words {
		if e.Known {
			fmt.Fprintf(w, "%s\n", e.Word)
		} else {
			fmt.Fprintf(w, "%s\t(every word that the table lacks)\n", e.Word)
		}
		fmt.Fprintf(w, "  stays\t%.4f\n  moves\t%.2f on average\n", e.Unchanged, e.ExpectedDistance)
		shown, largest := 0.0, 0.0
		for _, o := range e.Outputs {
			shown, largest = shown+o.Probability, max(largest, o.Probability)
		}
		for _, o := range e.Outputs {
			fmt.Fprintf(w, "  %s\t%.6f\t%s\n", o.Word, o.Probability, strings.Repeat("#", int(math.Round(24*o.Probability/largest))))
		}
		if rest := table.Len() - len(e.Outputs); rest > 0 {
			fmt.Fprintf(w, "  %d others\t%.6f\ttogether\n", rest, max(0, 1-shown))
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(term.out, "\n%s\n", claim)
	return err
}
