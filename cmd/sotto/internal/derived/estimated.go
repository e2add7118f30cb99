package derived

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"text/tabwriter"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/estimate"
	"github.com/sotto-dp/sotto/internal/chart"
	"github.com/sotto-dp/sotto/privacy/provenance"
)

// estimated is the result of estimate in JSON.
type estimated struct {
	Mechanism  string      `json:"mechanism"`
	Words      []wordCount `json:"words"`
	Confidence float64     `json:"confidence"`
	Tokens     int         `json:"tokens"`
	// Textless counts the records that have no text, such as those of rewrite --missing keep.
	Textless int  `json:"records_without_text"`
	Unbiased bool `json:"unbiased"`
	// Privacy states what the figures reveal, Provenance what they were computed from.
	Privacy    string            `json:"privacy"`
	Provenance provenance.Inputs `json:"provenance"`
	By         string            `json:"by,omitempty"`
	Groups     []group           `json:"groups,omitempty"`
}

type wordCount struct {
	Word  string  `json:"word"`
	Count float64 `json:"count"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
	// Deviation is the standard deviation of Count.
	Deviation float64 `json:"deviation"`
}

// group holds the counts of the texts with one value of a field.
type group struct {
	Value  string      `json:"value"`
	Tokens int         `json:"tokens"`
	Words  []wordCount `json:"words"`
}

func named(table *embedding.Table, counts []estimate.Count) []wordCount {
	words := make([]wordCount, len(counts))
	for i, c := range counts {
		words[i] = wordCount{table.Word(c.Word), c.Value, c.Low, c.High, c.Deviation}
	}
	return words
}

// write prints the result in the requested form.
func (c *EstimateCmd) write(ctx context.Context, term *cli.Terminal, r *estimated) error {
	var out bytes.Buffer
	var err error
	switch {
	case c.JSON:
		var data []byte
		if data, err = json.MarshalIndent(r, "", "  "); err == nil {
			out.Write(append(data, '\n'))
		}
	case c.CSV:
		err = r.csv(&out)
	default:
		err = r.text(&out)
	}
	if err != nil {
		return err
	}
	if c.Output != "" {
		return cli.WriteWhole(ctx, term, c.Output, out.Bytes())
	}
	_, err = term.Out.Write(out.Bytes())
	return err
}

// csv writes one row per word; with groups one row per value and word.
func (r *estimated) csv(out *bytes.Buffer) error {
	w := csv.NewWriter(out)
	row := func(before []string, c wordCount) []string {
		return append(before, c.Word, number(c.Count), number(c.Low), number(c.High), number(c.Deviation))
	}
	header := []string{"word", "count", "low", "high", "deviation"}
	if r.By != "" {
		header = slices.Insert(header, 0, "value")
	}
	err := w.Write(header)
	for _, g := range r.Groups {
		for _, c := range g.Words {
			err = cli.FirstOf(err, w.Write(row([]string{g.Value}, c)))
		}
	}
	if r.By == "" {
		for _, c := range r.Words {
			err = cli.FirstOf(err, w.Write(row(nil, c)))
		}
	}
	w.Flush()
	return cli.FirstOf(err, w.Error())
}

// number formats a count with one decimal.
func number(v float64) string {
	return strconv.FormatFloat(v, 'f', 1, 64)
}

func (r *estimated) text(out *bytes.Buffer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	table := func(what string, words []wordCount) {
		fmt.Fprintf(w, "%s\tcount\tlow\thigh\t\n", what)
		for _, c := range words {
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\t\n", c.Word, number(c.Count), number(c.Low), number(c.High))
		}
	}
	table("word", r.Words)
	for _, g := range r.Groups {
		fmt.Fprintf(w, "\n%s = %s, %d tokens\n", r.By, g.Value, g.Tokens)
		table("word", g.Words)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	kind := "Counts are unbiased"
	if !r.Unbiased {
		kind = "Counts are biased (least squares with counts of 0 or more)"
	}
	if r.Textless > 0 {
		kind = fmt.Sprintf("%s without a text. %s", cli.Plural(r.Textless, "record"), kind)
	}
	_, err := fmt.Fprintf(out, "\n%d tokens of private text. %s; intervals cover the true count of this text\nwith probability %g over the draws of %s.\n%s.\n",
		r.Tokens, kind, r.Confidence, r.Mechanism, r.Privacy)
	return err
}

// drawn returns the result as a chart: each word with its interval, per value if there
// are values.
func (r *estimated) drawn() chart.Intervals {
	kind := "unbiased"
	if !r.Unbiased {
		kind = "biased: counts of 0 or more"
	}
	v := chart.Intervals{Title: fmt.Sprintf("Words of %d tokens, corrected for %s", r.Tokens, r.Mechanism), Width: 720,
		X: fmt.Sprintf("count, with intervals at %g (%s)", r.Confidence, kind)}
	groups := r.Groups
	if len(groups) == 0 {
		groups = []group{{Words: r.Words}}
	}
	for i, g := range groups {
		if r.By != "" {
			v.Legend = append(v.Legend, fmt.Sprintf("%s = %s", r.By, g.Value))
		}
		for _, c := range g.Words {
			v.Rows = append(v.Rows, chart.Interval{Label: c.Word, Value: c.Count, Low: c.Low, High: c.High, Colour: i})
		}
	}
	return v
}
