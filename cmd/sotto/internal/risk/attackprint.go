package risk

import (
	"fmt"
	"slices"
	"strconv"
	"text/tabwriter"

	"github.com/sotto-dp/sotto/attack"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/synthesis"
)

// printAttacked prints the table of attack.
func printAttacked(term *cli.Terminal, r *attackedTexts) error {
	w := tabwriter.NewWriter(term.Out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "mechanism\tepsilon\tunit\talone\tin context\trare\tcapitals\tpair\tlinked\tamong\tlow\thigh\t%s\n", map[bool]string{true: "label\trestored\toriginal\tfrequent\t"}[r.Label != nil])
	figure := func(v *float64) string {
		if v == nil {
			return "-"
		}
		return strconv.FormatFloat(*v, 'f', 3, 64)
	}
	for _, row := range r.Rows {
		fmt.Fprintf(w, "%s\t%g\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%d\t%s\t%s\t", row.Mechanism, row.Epsilon, row.Unit,
			figure(row.Recovered), figure(row.RecoveredInContext), figure(row.RecoveredRare), figure(row.RecoveredCapitalised),
			figure(row.LinkedPair), figure(row.Linked), row.Among, figure(row.Low), figure(row.High))
		if r.Label != nil {
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\t", figure(row.Attribute), figure(row.AttributeRestored), figure(row.AttributeOriginal), figure(row.AttributeBlind))
		}
		fmt.Fprintln(w)
		for _, l := range row.Also() {
			fmt.Fprintf(w, "%s\t%g\t%s\t-\t-\t-\t-\t-\t%.3f\t%d\t%.3f\t%.3f\t%s\n", row.Mechanism, row.Epsilon, row.Unit, l.Share.Share, l.Among, l.Low, l.High,
				map[bool]string{true: "-\t-\t-\t-\t"}[r.Label != nil])
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(term.Out, "\n%s. alone, in context: share of known words that the best guess names, from each output by itself or from\n"+
		"the release; rare, capitals: in context, of words beyond the 2,000 commonest, and of those with a capital inside a sentence.\n"+
		"pair, linked: share of two adjacent words, and of texts, named among that many; low, high: interval of linked at %g, one number where it is exact over all draws.\n",
		cli.Plural(r.Texts, "text"), r.Confidence)
	fmt.Fprint(term.Out, lacked(r.Unknown))
	if r.Label != nil {
		fmt.Fprintf(term.Out, "label, restored, original: share of labels that a classifier of public texts finds in releases, in restored releases and in the\n"+
			"originals; frequent: share of the most frequent label\n")
	}
	if slices.ContainsFunc(r.Rows, func(row attack.Row) bool { return row.Unit == privacy.Record }) {
		fmt.Fprintf(term.Out, "linked of %s: probability to guess right whether a record took part, for a reader who knows all others; the sample is not used\n", synthesis.Name)
	}
	if slices.ContainsFunc(r.Rows, func(row attack.Row) bool { return row.Notion == privacy.Metric }) {
		fmt.Fprintln(term.Out, "epsilon of a metric mechanism is per unit of distance: do not compare it with the others")
	}
	if r.Reader != "" {
		fmt.Fprintf(term.Out, "reader of words: %s, with a model of order %d\n", r.Reader, r.Model.Order)
	}
	if r.Known > 0 {
		are := "texts of the sample are"
		if r.Known == 1 {
			are = "text of the sample is"
		}
		fmt.Fprintf(term.Out, "%d %s in the corpus of the model: the figures are too high for other texts\n", r.Known, are)
	}
	for _, l := range r.LeftOut {
		fmt.Fprintf(term.Out, "left out: %s at %g: %s\n", l.Mechanism, l.Epsilon, l.Why)
	}
	_, err := fmt.Fprintln(term.Out, r.Privacy)
	return err
}

// lacked says which words no share counts, if there are any.
func lacked(unknown *float64) string {
	if unknown == nil || *unknown == 0 {
		return ""
	}
	return fmt.Sprintf("unknown: %s of the words of the sample are the table's entry for words that it lacks: they are not counted, and whoever guesses it names no word\n", cli.Percent(*unknown))
}
