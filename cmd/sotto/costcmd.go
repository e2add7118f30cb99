package main

import (
	"context"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/ledger/open"
	"github.com/sotto-dp/sotto/text"
)

type costCmd struct {
	mechanismFlags
	inputFlags
	documentFlags
	modelFlags
	unitFlags
	textFlags
	Of         string `placeholder:"WHAT" group:"input" help:"Cost of sotto embed: documents (one vector per text) or words (one per token). Without it the cost is that of sotto rewrite."`
	Consistent bool   `group:"privacy" help:"One replacement per distinct word of a text (a line, a field)."`
	Fast       bool   `group:"advanced" help:"Leave out what a best guess recovers, which reads the row of every word of the table."`
	accountFlags
}

// Run counts what a run with the same flags would draw. It opens the ledger for reading,
// and the mechanism never draws for the texts.
func (c *costCmd) Run(ctx context.Context, term *terminal) error {
	run := rewriteCmd{mechanismFlags: c.mechanismFlags, inputFlags: c.inputFlags, documentFlags: c.documentFlags, modelFlags: c.modelFlags,
		unitFlags: c.unitFlags, textFlags: c.textFlags, Consistent: c.Consistent, accountFlags: c.accountFlags}
	run.JSON = false // that of the answer, not of a report
	if c.Of != "" {
		if err := checkOf(c.Of); err != nil {
			return err
		}
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
	if err := run.textFlags.checkFiles(files); err != nil {
		return err
	}
	if err := run.textFlags.open(ctx, cfg.Corpus); err != nil {
		return err
	}
	defer run.textFlags.close()
	r, err := sotto.Open(ctx, cfg)
	if err != nil {
		return err
	}
	payer, err := c.payerOf(ctx, payment{claim: r.Claim(), table: r.TableDigest(), alone: run.alone(files)}, open.Read)
	if err != nil {
		return err
	}
	if payer != nil {
		defer payer.close()
	}
	answer, err := c.rewriting(ctx, term, &run, cfg, r, files, payer.streamsAlone())
	if err != nil {
		return err
	}
	if payer != nil {
		if err := answer.ask(ctx, payer, int64(answer.Units)); err != nil {
			return err
		}
	}
	return answer.print(term, c.Account, c.JSON)
}

// rewriting returns the figures of a run of rewrite.
func (c *costCmd) rewriting(ctx context.Context, term *terminal, run *rewriteCmd, cfg sotto.Config, r *sotto.Rewriter, files []string, alone bool) (*cost, error) {
	run.users = r.Users(c.User)
	var counts sotto.Counts
	var words sotto.WordCounts
	err := c.count(ctx, term, files, func(ctx context.Context, in *source, s sotto.Stream) error {
		s.Words, s.Alone = &words, alone
		run.textFlags.stream(&s)
		one, err := r.Count(ctx, in.Reader, s)
		counts.Add(one)
		return err
	})
	if err != nil {
		return nil, err
	}
	if c.Pad {
		counts.Documents, counts.Draws = run.users.Padded(), run.users.Padded()
	}
	statement := r.Statement(counts)
	answer := &cost{Cost: statement.Cost(), Reader: statement.Reader(), table: r.Table()}
	if answer.Seconds, err = secondsOf(ctx, cfg, r, counts.Draws, words.Distinct()); err != nil {
		return nil, err
	}
	answer.Unknown = r.Unknown(&words)
	if answer.Unchanged, answer.Sampled, err = r.Unchanged(ctx, &words); err != nil {
		return nil, err
	}
	if !c.Fast {
		answer.Recovered, err = r.Recovered(ctx, &words, term.progress())
	}
	return answer, err
}

// embedding is Run for vectors.
func (c *costCmd) embedding(ctx context.Context, term *terminal, run *rewriteCmd) error {
	if c.Account != "" || c.Ledger != "" || c.Consistent || c.DocumentEpsilon != nil || c.Model != "" || c.Unit != "" || c.Corpus != "" || c.textFlags.asked() != "" {
		return wrongUsage("sotto embed has none of these flags", "--of cannot be used with flags of sotto rewrite alone")
	}
	embed := embedCmd{mechanismFlags: run.mechanismFlags, inputFlags: run.inputFlags, Of: c.Of}
	if err := embed.checkFormat(); err != nil {
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
	answer := &cost{Cost: e.Statement(counts).Cost()}
	if c.Of == string(sotto.Words) {
		answer.table = cfg.Table
	}
	if answer.Seconds, err = secondsOfVectors(ctx, e, answer.Units); err != nil {
		return err
	}
	return answer.print(term, "", c.JSON)
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
