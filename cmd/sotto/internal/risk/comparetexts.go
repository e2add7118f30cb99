package risk

import (
	"context"
	"encoding/csv"
	"fmt"
	"math"
	"slices"
	"strconv"
	"text/tabwriter"

	"github.com/sotto-dp/sotto/audit"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/tune"
)

// textComparison is the output of compare --json for mechanisms that replace whole texts.
type textComparison struct {
	Corpus  string            `json:"corpus"`
	SHA256  string            `json:"sha256"`
	Rows    []comparedTextRow `json:"rows"`
	Sample  *comparedSample   `json:"sample,omitempty"`
	Limits  []textLimitRow    `json:"limits"`
	LeftOut []leftOut         `json:"left_out"`
}

// textLimitRow has the limits of every mechanism at an epsilon for whole texts.
type textLimitRow struct {
	Epsilon     float64 `json:"epsilon"`
	Information float64 `json:"information"` // nats
	Linkage     float64 `json:"linkage"`
	Among       int     `json:"among"`
}

// wholeOnly reports whether a mechanism replaces whole texts, and not words.
func wholeOnly(e mechanism.Entry) bool { return e.New == nil && e.NewRetriever != nil }

// ofTexts reports whether the comparison is of mechanisms for whole texts.
func (c *CompareCmd) ofTexts(entries []mechanism.Entry) bool {
	return c.Corpus != "" && c.Texts == "" || slices.ContainsFunc(entries, wholeOnly)
}

// texts compares mechanisms for whole texts over a corpus.
func (c *CompareCmd) texts(ctx context.Context, term *cli.Terminal, entries []mechanism.Entry, epsilons []float64) error {
	if i := slices.IndexFunc(entries, func(e mechanism.Entry) bool { return !wholeOnly(e) }); i >= 0 {
		return cli.WrongUsage("compare mechanisms for words and for whole texts separately: their epsilons protect different units", "%s does not replace whole texts", entries[i].Name)
	}
	if c.EqualAttack != nil || len(c.Plot) > 0 || c.Embeddings != "" || c.Words != nil || c.Never != "" || c.Exposed != nil {
		return cli.WrongUsage("", "--equal-attack, --exposed, --plot, --embeddings, --words and --never are for mechanisms that replace words")
	}
	if c.Calibrate != "" {
		return cli.WrongUsage("", calibrateWords)
	}
	attacked, err := c.sampled(ctx, term, false, true)
	if err != nil {
		return err
	}
	texts, book, err := c.sampleFlags.texts(ctx, term, c.Corpus)
	if err != nil {
		return err
	}
	job := cli.NewJob(term, "comparing", len(entries)*len(epsilons))
	result := textComparison{Corpus: book.Name(), SHA256: book.Digest(), Sample: sampleOf(attacked)}
	result.Rows, result.LeftOut, err = sweep(entries, epsilons, func(e mechanism.Entry, epsilon float64) (row comparedTextRow, err error) {
		spec := c.spec(job.Part())
		spec.Epsilon = epsilon
		if row.TextRow, err = tune.CompareTexts(ctx, e, texts, spec); err == nil {
			row.linkedRow, err = comparedTexts(ctx, attacked, e, spec)
		}
		return row, err
	})
	if err != nil {
		return err
	}
	job.End()
	for _, epsilon := range epsilons {
		l := textLimitRow{Epsilon: epsilon, Among: min(200, book.Len())}
		if l.Information, err = audit.InformationLimit(epsilon); err != nil {
			return err
		}
		if l.Linkage, err = audit.LinkageLimit(epsilon, l.Among); err != nil {
			return err
		}
		result.Limits = append(result.Limits, l)
	}
	switch {
	case c.JSON:
		return cli.PrintJSON(term, result)
	case c.CSV:
		return printTextCSV(term, result)
	}
	if err := printComparedTexts(term, &result); err != nil {
		return err
	}
	w := tabwriter.NewWriter(term.Out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "\nlimits of any mechanism: epsilon\tnats revealed\tlinkage\t\n")
	for _, l := range result.Limits {
		fmt.Fprintf(w, "%.6g\t%.4f\t%.4f\t\n", l.Epsilon, math.Ceil(l.Information*1e4)/1e4, math.Ceil(l.Linkage*1e4)/1e4)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return printLeftOut(term, result.LeftOut)
}

// printTextRows prints a table of settings for whole texts.
func printTextRows(term *cli.Terminal, rows []tune.TextRow, more ...column) error {
	w := tabwriter.NewWriter(term.Out, 0, 0, 2, ' ', tabwriter.AlignRight)
	among, clear := 0, (*float64)(nil)
	if len(rows) > 0 {
		among, clear = rows[0].Among, rows[0].TopicClear
	}
	heading := ""
	if clear != nil {
		heading = "topic\t"
	}
	fmt.Fprintf(w, "mechanism\tepsilon\ttexts\tk\tinside\tlinkage\tat most\t%sstanding\t%s\n", heading, headings(more))
	for i, r := range rows {
		topic := ""
		if r.Topic != nil {
			topic = fmt.Sprintf("%.4f\t", *r.Topic)
		}
		fmt.Fprintf(w, "%s\t%.6g\t%d\t%d\t%.4f\t%.4f\t%.4f\t%s%s\t%s\n", r.Mechanism, r.Epsilon, r.Texts, r.Neighbours, r.Inside, r.Linkage, math.Ceil(r.LinkageLimit*1e4)/1e4, topic, r.Standing, cells(more, i))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	explained := ""
	if clear != nil {
		explained = fmt.Sprintf("topic: probability that a release has the topic of its text, for the public texts, by classifiers that did not read the text; for the texts themselves %.4f.\n", *clear)
	}
	_, err := fmt.Fprintf(term.Out, "\nepsilon is per whole text. inside: probability that the output is one of the k most similar texts. linkage: probability to tell which of %d texts a release came\n"+
		"from, for held-out texts of the corpus; at most: for any texts, by any attack.\n%s", among, explained)
	return err
}

// printTextCSV writes the rows.
func printTextCSV(term *cli.Terminal, c textComparison) error {
	w := csv.NewWriter(term.Out)
	head := []string{"mechanism", "epsilon", "pure_epsilon", "texts", "neighbours", "inside", "linkage", "linkage_limit", "among", "standing", "topic", "topic_clear"}
	if c.Sample != nil {
		head = append(head, "linked", "low", "high", "linked_among")
	}
	_ = w.Write(head) // the writer keeps errors until Error
	number := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	optional := func(v *float64) string {
		if v == nil {
			return ""
		}
		return number(*v)
	}
	for _, r := range c.Rows {
		line := []string{r.Mechanism, number(r.Epsilon), number(r.PureEpsilon), strconv.Itoa(r.Texts), strconv.Itoa(r.Neighbours), number(r.Inside), number(r.Linkage), number(r.LinkageLimit), strconv.Itoa(r.TextRow.Among), r.Standing.String(), optional(r.Topic), optional(r.TopicClear)}
		if l := r.linkedRow; l != nil {
			line = append(line, optional(l.Linked), optional(l.Low), optional(l.High), strconv.Itoa(l.Among))
		}
		_ = w.Write(line)
	}
	w.Flush()
	return w.Error()
}

// printComparedTexts prints the table for whole texts.
func printComparedTexts(term *cli.Terminal, c *textComparison) error {
	var rows []tune.TextRow
	for _, r := range c.Rows {
		rows = append(rows, r.TextRow)
	}
	if c.Sample == nil {
		return printTextRows(term, rows)
	}
	if err := printTextRows(term, rows, column{"linked", func(i int) string { return share(c.Rows[i].Linked) }},
		column{"low", func(i int) string { return share(c.Rows[i].Low) }}, column{"high", func(i int) string { return share(c.Rows[i].High) }}); err != nil || len(rows) == 0 {
		return err
	}
	_, err := fmt.Fprintf(term.Out, "linked: share of the %s that are named among %d of them, with its interval at %g.\n", cli.Plural(c.Sample.Texts, "public text"), c.Rows[0].linkedRow.Among, c.Sample.Confidence)
	return err
}
