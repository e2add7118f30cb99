package main

import (
	"context"
	"fmt"
	"strconv"
	"text/tabwriter"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/ledger"
	"github.com/sotto-dp/sotto/ledger/open"
	"github.com/sotto-dp/sotto/text"
)

type costCmd struct {
	mechanismFlags
	inputFlags
	documentFlags
	modelFlags
	unitFlags
	Of         string `placeholder:"WHAT" group:"input" help:"Cost of sotto embed: documents (one vector per text) or words (one per token). Without it the cost is that of sotto rewrite."`
	Consistent bool   `group:"privacy" help:"One replacement per distinct word of a text (a line, a field)."`
	Fast       bool   `group:"advanced" help:"Leave out what a best guess recovers, which reads the row of every word of the table."`
	accountFlags
}

// cost is the answer: for the operator, since it depends on the texts.
type cost struct {
	sotto.Cost
	// AccountLeft is what the account has left before the run; null without an account.
	AccountLeft     *ledger.Amount `json:"-"`
	AccountEpsilon  *float64       `json:"account_left"`
	AccountDelta    *float64       `json:"account_left_delta"`
	AccountSuffices *bool          `json:"account_suffices"`
	// Reader says what a reader with a language model was measured to recover from public
	// texts at this setting. It does not depend on these texts.
	Reader string `json:"reader,omitempty"`
}

// Run counts what a run with the same flags would draw. It opens the ledger for reading,
// and the mechanism never draws for the texts.
func (c *costCmd) Run(ctx context.Context, term *terminal) error {
	run := rewriteCmd{mechanismFlags: c.mechanismFlags, inputFlags: c.inputFlags, documentFlags: c.documentFlags, modelFlags: c.modelFlags,
		unitFlags: c.unitFlags, Consistent: c.Consistent, accountFlags: c.accountFlags}
	run.JSON = false // that of the answer, not of a report
	if c.Of != "" {
		return c.embedding(ctx, term, &run)
	}
	if err := run.check(); err != nil {
		return err
	}
	cfg, err := run.opening(ctx, term, "cost")
	if err != nil {
		return err
	}
	files, err := c.files("", true)
	if err != nil {
		return err
	}
	if err := run.checkParts(files); err != nil {
		return err
	}
	r, err := sotto.Open(ctx, cfg)
	if err != nil {
		return err
	}
	payer, err := c.payerOf(ctx, payment{r.Claim(), r.TableDigest(), c.textsAlone(files)}, open.Read)
	if err != nil {
		return err
	}
	if payer != nil {
		defer payer.close()
	}
	var counts sotto.Counts
	var words sotto.WordCounts
	err = c.count(ctx, term, files, func(ctx context.Context, in *source, s sotto.Stream) error {
		s.Words = &words
		one, err := r.Count(ctx, in.Reader, s)
		counts.Add(one)
		return err
	})
	if err != nil {
		return err
	}
	answer := cost{Cost: r.Statement(counts).Cost()}
	if answer.Unchanged, answer.Sampled, err = r.Unchanged(ctx, &words); err != nil {
		return err
	}
	if !c.Fast {
		if answer.Recovered, err = r.Recovered(ctx, &words, term.progress()); err != nil {
			return err
		}
	}
	if payer != nil {
		if err := answer.ask(ctx, payer, int64(counts.Draws)); err != nil {
			return err
		}
	}
	answer.Reader = r.Statement(counts).Reader()
	return c.print(term, answer)
}

// embedding is Run for vectors.
func (c *costCmd) embedding(ctx context.Context, term *terminal, run *rewriteCmd) error {
	if c.Account != "" || c.Ledger != "" || c.Consistent || c.DocumentEpsilon != nil || c.Model != "" || c.Unit != "" || c.Corpus != "" {
		return wrongUsage("sotto embed has none of these flags", "--of cannot be used with flags of sotto rewrite alone")
	}
	embed := embedCmd{mechanismFlags: run.mechanismFlags, inputFlags: run.inputFlags, Of: c.Of}
	if err := embed.checkFormat(); err != nil {
		return err
	}
	if err := embed.checkWhole(); err != nil {
		return err
	}
	cfg, err := embed.config(ctx, term, "embed")
	if err != nil {
		return err
	}
	files, err := c.files("", true)
	if err != nil {
		return err
	}
	e, err := sotto.OpenEmbedder(ctx, cfg, sotto.Of(c.Of))
	if err != nil {
		return err
	}
	var counts sotto.Counts
	err = c.count(ctx, term, files, func(ctx context.Context, in *source, s sotto.Stream) error {
		one, err := e.Count(ctx, in.Reader, s)
		counts.Add(one)
		return err
	})
	if err != nil {
		return err
	}
	return c.print(term, cost{Cost: e.Statement(counts).Cost()})
}

// count reads all files.
func (c *costCmd) count(ctx context.Context, term *terminal, files []string, read func(context.Context, *source, sotto.Stream) error) error {
	for _, name := range files {
		in, err := c.source(ctx, term, name, nil, term.readingBar(""))
		if err != nil {
			return err
		}
		err = read(ctx, in, sotto.Stream{Format: in.format, Fields: c.Field, Invalid: text.Invalid(c.Invalid)})
		in.close()
		if err != nil {
			return in.fault(err, "")
		}
	}
	return nil
}

// ask adds what the account has left.
func (a *cost) ask(ctx context.Context, p *payer, draws int64) error {
	account, err := p.ledger.Account(ctx, p.account)
	if err != nil {
		return err
	}
	price, err := ledger.Cost(p.claim, draws)
	if err != nil {
		return err
	}
	left := account.Remaining(p.ledger.Now())
	suffices := price.Epsilon <= left.Epsilon && price.Delta <= left.Delta
	a.AccountLeft, a.AccountSuffices = &left, &suffices
	epsilon, err := strconv.ParseFloat(left.EpsilonText(), 64)
	if err != nil {
		return err
	}
	delta, err := strconv.ParseFloat(left.DeltaText(), 64)
	a.AccountEpsilon, a.AccountDelta = &epsilon, &delta
	return err
}

// print writes the answer to standard output: as JSON, or for people with warnings on
// standard error.
func (c *costCmd) print(term *terminal, a cost) error {
	if c.JSON {
		return printJSON(term, a)
	}
	w := tabwriter.NewWriter(term.out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "units\t%s\n", drawnOf(a.Cost))
	fmt.Fprintf(w, "epsilon of each\t%s\n", nats(a.EpsilonEach)+perDistance(a.Cost))
	fmt.Fprintf(w, "epsilon of the longest text\tat most %s\n", nats(a.EpsilonLongest))
	fmt.Fprintf(w, "epsilon of all together\t%s\n", nats(a.EpsilonTotal)+perDistance(a.Cost))
	if a.AccountLeft != nil {
		suffices := "enough"
		if !*a.AccountSuffices {
			suffices = "not enough: the run would end with exit code 4"
		}
		fmt.Fprintf(w, "account %s has left\t%s, %s\n", c.Account, a.AccountLeft, suffices)
	}
	if a.Unchanged != nil {
		of := "of the words, expected"
		if a.Sampled {
			of = "of a sample of the table's words"
		}
		fmt.Fprintf(w, "stays as it is\t%s %s\n", percent(*a.Unchanged), of)
	}
	if a.Recovered != nil {
		fmt.Fprintf(w, "a best guess names\t%s of the words, each output by itself; sotto attack adds context\n", percent(*a.Recovered))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if a.Reader != "" {
		fmt.Fprintf(term.out, "\n%s\n", a.Reader)
	}
	warn(term.err, a.Cost)
	_, err := fmt.Fprintln(term.out, "\nNothing was drawn or charged. These figures depend on the texts: do not publish them.")
	return err
}
