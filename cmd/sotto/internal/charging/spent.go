package charging

import (
	"fmt"
	"io"
	"math"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/privacy"
)

// Above these a run warns its operator.
const (
	manyUnchanged = 0.2 // share of words that stay as they are
	manyUnknown   = 0.2 // share of words that the table does not know
	largeLoss     = 50  // nats, of one text
)

// Spent describes in one line what a run drew, as its report does.
func Spent(c sotto.Cost) string {
	if c.Rest != nil {
		return fmt.Sprintf("sotto: done: %s, %s; both are conditional on the spans, so no bound holds for a text", cli.Plural(c.Texts, "text"), eachOf(c))
	}
	if c.EpsilonEach == nil && ofMarks(c) {
		return fmt.Sprintf("sotto: done: %s, %s; the rest of each text is copied, so no bound holds for a text", drawnOf(c), eachOf(c))
	}
	line := fmt.Sprintf("sotto: done: %s, each at epsilon %s", drawnOf(c), eachOf(c))
	switch unit := c.Claim.Unit; {
	case unit == privacy.User:
		line += fmt.Sprintf("; each user loses at most %s", cli.Nats(&c.Claim.Epsilon))
	case unit.Whole():
	case unit.Conditional():
		line += "; the rest of each text is copied, so no bound holds for a text"
	default:
		line += fmt.Sprintf("; the longest text loses at most %s", cli.Nats(c.EpsilonLongest))
	}
	return line
}

// OfRecord returns the largest loss of a record, for all its texts; nil where no record is known to
// have several, or no loss per draw adds up to that of a record.
func OfRecord(c sotto.Cost, counts sotto.Counts) *float64 {
	if counts.LongestRecord == 0 || c.EpsilonEach == nil || c.Claim.Distance != "" {
		return nil
	}
	loss := privacy.Times(*c.EpsilonEach, max(counts.LongestRecord, counts.LongestDraws))
	return &loss
}

// SpentOfRecord describes that loss.
func SpentOfRecord(loss *float64) string {
	if loss == nil {
		return ""
	}
	return fmt.Sprintf("; a record of several texts loses at most %s", cli.Nats(loss))
}

// eachOf says what a unit loses or, where units differ in epsilon, what those inside and outside
// marked places do.
func eachOf(c sotto.Cost) string {
	switch {
	case c.Rest != nil:
		return fmt.Sprintf("%s at epsilon %s and %s at epsilon %s", cli.Plural(c.Units-c.Rest.Units, string(c.Claim.Unit)),
			cli.Nats(&c.Claim.Epsilon), cli.Plural(c.Rest.Units, "other"), cli.Nats(&c.Rest.Epsilon))
	case c.EpsilonEach == nil && ofMarks(c):
		return "some word by word, which bounds no mark"
	}
	return cli.Nats(c.EpsilonEach) + perDistance(c)
}

func ofMarks(c sotto.Cost) bool {
	return c.Claim.Unit == privacy.Mark || c.Claim.Unit == privacy.DistinctMark
}

// QuietFlag suppresses the summary of a run. Errors are printed anyway.
type QuietFlag struct {
	Quiet bool `short:"q" group:"output" help:"Print no summary on standard error."`
}

// OfContent describes counts that depend on the content of the texts, for a terminal.
func OfContent(content sotto.Content, worded bool) string {
	const withhold = "(do not publish this count: it depends on the original)"
	if worded {
		return fmt.Sprintf("; %s not in the table %s", are(content.UnknownTokens, "token"), withhold)
	}
	if n := content.UnreadTexts; n > 0 {
		return fmt.Sprintf("; %s not UTF-8 or malformed, and replaced like the others %s", are(n, "text"), withhold)
	}
	return ""
}

// are returns a number of things with its verb.
func are(n int, what string) string {
	if n == 1 {
		return "1 " + what + " is"
	}
	return fmt.Sprintf("%d %ss are", n, what)
}

// Warn prints a warning for each figure that is large. Whether words stay depends on the
// texts, so the warning is for the operator.
func Warn(w io.Writer, c sotto.Cost) {
	if c.Unchanged != nil && *c.Unchanged > manyUnchanged {
		of := "the known words (expected; do not publish this: it depends on the texts)"
		if c.Sampled {
			of = "a sample of the table's words"
		}
		fmt.Fprintf(w, "sotto: warning: %s of %s stay as they are: a smaller --epsilon changes more\n", cli.Percent(*c.Unchanged), of)
	}
	switch many := c.Unknown != nil && *c.Unknown > manyUnknown; {
	case many && c.Claim.Unit.Whole():
		fmt.Fprintf(w, "sotto: warning: the encoder does not know %s of the words of the texts (do not publish this: it depends on them): choose a corpus for their language and subject with --corpus, or build one\n", cli.Percent(*c.Unknown))
	case many:
		fmt.Fprintf(w, "sotto: warning: the table does not know %s of the words (do not publish this: it depends on the texts): choose a table for their language and subject with --embeddings, or make one with sotto train vectors\n", cli.Percent(*c.Unknown))
	}
	longest := math.Inf(1)
	if c.EpsilonLongest != nil {
		longest = *c.EpsilonLongest
	}
	switch {
	case c.Texts == 0 || longest <= largeLoss || c.Claim.Unit.Conditional(): // nothing bounds it
	case c.Claim.Unit == privacy.Record:
		fmt.Fprintf(w, "sotto: warning: a record loses up to %s nats, which hides little: a smaller --epsilon hides more\n", cli.Nats(c.EpsilonLongest))
	case c.Claim.Unit.Whole():
		fmt.Fprintf(w, "sotto: warning: a text loses up to %s nats, which hides little: a smaller --epsilon hides more\n", cli.Nats(c.EpsilonLongest))
	default:
		fmt.Fprintf(w, "sotto: warning: the longest text loses up to %s nats, which does not hide it as a whole: rewrite --unit text and embed -m privunit protect whole texts, rewrite --document-epsilon caps their loss\n", cli.Nats(c.EpsilonLongest))
	}
}

// WarnOfMarks prints a warning if nothing is marked in texts whose rest is copied, or if marked
// places are protected less than the rest.
func WarnOfMarks(w io.Writer, s sotto.Statement) {
	if s.Rest == nil && s.Spans != nil && *s.Spans == 0 && s.Documents > 0 {
		fmt.Fprintln(w, "sotto: warning: nothing is marked: every text is copied in clear")
	}
	if s.Rest != nil && s.Claim.Epsilon > s.Rest.Claim.Epsilon {
		fmt.Fprintln(w, "sotto: warning: --marked-epsilon is above --epsilon: marked tokens are protected less than the others")
	}
}

// drawnOf describes the drawn units.
func drawnOf(c sotto.Cost) string {
	texts := cli.Plural(c.Texts, "text")
	switch c.Claim.Unit {
	case privacy.Text:
		return texts
	case privacy.Record, privacy.User:
		if c.Units == 1 && c.Claim.Neighbouring == privacy.AddRemove {
			return "1 release of " + cli.Plural(c.Texts, "record")
		}
		return texts
	case privacy.Word:
		return texts + ", " + cli.Plural(c.Units, "distinct word")
	}
	if c.Rest != nil {
		return texts + ", " + cli.Plural(c.Units-c.Rest.Units, string(c.Claim.Unit)) + " and " + cli.Plural(c.Rest.Units, "other")
	}
	return texts + ", " + cli.Plural(c.Units, string(c.Claim.Unit))
}

func perDistance(c sotto.Cost) string {
	if c.Claim.Distance == "" {
		return ""
	}
	return " per unit of " + c.Claim.Distance + " distance"
}
