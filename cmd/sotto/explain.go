package main

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/text"
)

type explainCmd struct {
	mechanismFlags
	Top  int      `default:"10" help:"Outputs shown for each word; 0 shows all."`
	Word []string `arg:"" help:"Words to explain."`
}

// explained is one word's exact output distribution.
type explained struct {
	Word             string   `json:"word"`
	Known            bool     `json:"known"`
	Unchanged        float64  `json:"unchanged"`
	ExpectedDistance float64  `json:"expected_distance"`
	Outputs          []output `json:"outputs"`
}

type output struct {
	Word        string  `json:"word"`
	Probability float64 `json:"probability"`
}

func (c *explainCmd) Run(term *terminal) error {
	if c.Top < 0 {
		return wrongUsage("", "top is %d, must be 0 or more", c.Top)
	}
	cfg, err := c.config(term, "explain")
	if err != nil {
		return err
	}
	r, err := sotto.Open(cfg)
	if err != nil {
		return err
	}
	channel, ok := r.Mechanism().(mechanism.Channel)
	if !ok {
		return wrongUsage("choose a channel, such as neighbours, tem or exponential",
			"%s adds noise to a vector: its output distribution cannot be written down", r.Entry().Name)
	}
	var words []explained
	tokenizer := text.NewTokenizer(r.Table())
	for i, word := range c.Word {
		ids, _ := tokenizer.Tokenize(nil, []byte(word))
		if len(ids) == 0 {
			return wrongUsage("", "word %d holds no token", i+1)
		}
		for _, id := range ids {
			words = append(words, c.explain(channel, r.Table(), id))
		}
	}
	claim := channel.Claim()
	if c.JSON {
		return printJSON(term, map[string]any{"words": words, "claim": claim})
	}
	return printExplained(term, words, claim, r.Table())
}

func (c *explainCmd) explain(channel mechanism.Channel, table *embedding.Table, id embedding.ID) explained {
	weights := channel.Weights(nil, id)
	total := uint64(0)
	for _, w := range weights {
		total += w
	}
	distances := make([]float64, table.Len())
	table.SquaredDistances(distances, []embedding.ID{id}, 0, table.Len())
	e := explained{Word: table.Word(id), Known: id != table.Unknown(), Unchanged: float64(weights[id]) / float64(total)}
	order := make([]int, 0, len(weights))
	for y, w := range weights {
		e.ExpectedDistance += float64(w) / float64(total) * table.Step() * math.Sqrt(distances[y])
		if w > 0 {
			order = append(order, y)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case weights[a] != weights[b]:
			if weights[a] > weights[b] {
				return -1
			}
			return 1
		case distances[a] != distances[b]:
			if distances[a] < distances[b] {
				return -1
			}
			return 1
		}
		return a - b
	})
	if c.Top > 0 {
		order = order[:min(c.Top, len(order))]
	}
	for _, y := range order {
		e.Outputs = append(e.Outputs, output{table.Word(embedding.ID(y)), float64(weights[y]) / float64(total)})
	}
	return e
}

func printExplained(term *terminal, words []explained, claim privacy.Claim, table *embedding.Table) error {
	w := tabwriter.NewWriter(term.out, 0, 0, 2, ' ', 0)
	for _, e := range words {
		if e.Known {
			fmt.Fprintf(w, "%s\n", e.Word)
		} else {
			fmt.Fprintf(w, "%s\t(stands for every word that the table lacks)\n", e.Word)
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
