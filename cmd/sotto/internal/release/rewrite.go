// Package release has the commands that draw from private text: rewrite, embed and cost.
package release

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/charging"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/opening"
	"github.com/sotto-dp/sotto/privacy"
)

// Run rewrites everything to one output, whole or not at all.
func (c *RewriteCmd) Run(ctx context.Context, term *cli.Terminal) (err error) {
	if err := c.check(); err != nil {
		return err
	}
	if err := c.Request.Check("rewrite"); err != nil {
		return err
	}
	files, err := c.Files(c.Output, c.pools())
	if err != nil {
		return err
	}
	if err := c.checkParts(files); err != nil {
		return err
	}
	if err := c.checkName(files); err != nil {
		return err
	}
	if err := c.checkFormats(&c.FormatFlags, files); err != nil {
		return err
	}
	if err := c.checkTerminal(term, files); err != nil {
		return err
	}
	if err := c.checkVectors(files); err != nil {
		return err
	}
	if err := c.checkMarks(files); err != nil {
		return err
	}
	if err := c.checkHeaders(ctx, term, files); err != nil {
		return err
	}
	if err := c.openSpans(ctx); err != nil {
		return err
	}
	if err := c.texts.open(ctx, c.TextVectors); err != nil {
		return err
	}
	defer c.texts.close()
	from := opening.Sources(term.Progress())
	from.Untimed = opening.Untimed(c.Output, files)
	from.Kept = c.kept.holding(term, from.Kept)
	defer c.kept.close()
	cfg, err := c.Config(ctx, "rewrite", c.texts.sources(from))
	if err != nil {
		return err
	}
	r, err := sotto.Open(ctx, cfg)
	if err != nil {
		return err
	}
	if err := c.beginTexts(r); err != nil {
		return err
	}
	payer, err := c.OpenPayer(ctx, charging.Payment{Claim: r.Claim(), Table: r.TableDigest(), Alone: c.alone(files)})
	if err != nil {
		return err
	}
	if payer != nil {
		defer payer.Close()
	}
	into := c.intoOne
	if cli.IsFolder(c.Output) {
		into = c.intoFolder
	}
	if err := into(ctx, term, r, payer, files); err != nil {
		return err
	}
	if !c.Quiet {
		c.noteInput(term.Err, r.Claim().Unit, files)
		if r.Claim().Unit == privacy.Text && c.Model == "" {
			opening.NoteDefaultCorpus(term.Err, c.Corpus)
		}
	}
	return nil
}

// check refuses flags that cannot be combined with the request, before anything is opened.
func (c *RewriteCmd) check() error {
	if err := c.CheckFormat(); err != nil {
		return err
	}
	switch {
	case c.Resume && !cli.IsFolder(c.Output):
		return cli.WrongUsage("", "--resume needs -o FOLDER: a run into one file is written whole or not at all")
	case c.Again && !c.Resume:
		return cli.WrongUsage("", "--again needs --resume")
	case c.Workers < 0:
		return cli.WrongUsage("", "--workers must be 0 or more, got %d", c.Workers)
	}
	if err := cli.CheckJSON(c.JSON, c.Output, cli.WritesReport); err != nil {
		return err
	}
	if err := c.AccountFlags.Check(c.InsecureSeed != nil); err != nil {
		return err
	}
	if err := c.checkTexts(); err != nil {
		return err
	}
	if err := c.checkSpans(); err != nil {
		return err
	}
	return c.faultFlags.check(c)
}

// checkParts refuses files that are read in parts if all parts must be known at once.
func (c *RewriteCmd) checkParts(files []string) error {
	if c.Consistent && !c.marks() && slices.ContainsFunc(files, func(name string) bool { return c.FormatOf(name).Whole }) {
		return cli.WrongUsage("use --format lines: consistency is within a line", "--consistent cannot be used with --format text: it does not hold across lines")
	}
	return nil
}

// checkName refuses an output whose name says another format than it would have.
func (c *RewriteCmd) checkName(files []string) error {
	if cli.IsFolder(c.Output) {
		return nil
	}
	in := c.FormatOf(files[0])
	if c.pools() {
		in = nil
	}
	return cli.CheckOutput(c.Output, in)
}

// checkTerminal refuses a binary format whose output is a terminal.
func (c *RewriteCmd) checkTerminal(term *cli.Terminal, files []string) error {
	for _, name := range files {
		if f := c.FormatOf(name); f.Seeks && !c.pools() {
			return term.RefuseBinary(c.Output, f.String())
		}
	}
	return nil
}

// intoOne writes all files to one output.
func (c *RewriteCmd) intoOne(ctx context.Context, term *cli.Terminal, r *sotto.Rewriter, payer *charging.Payer, files []string) error {
	out, err := cli.CreateOutput(ctx, term, c.Output)
	if err != nil {
		return err
	}
	defer out.Discard()
	if err := c.faultFlags.begin(ctx, term); err != nil {
		return err
	}
	defer c.faultFlags.discard()
	into, err := c.kept.before(out)
	if err != nil {
		return err
	}
	defer into.close()
	if out.Pending != nil {
		todo := make([]copied, len(files))
		for i, name := range files {
			todo[i].name = name
		}
		if err := c.afford(ctx, term, r, payer, todo); err != nil {
			return err
		}
	}
	var counts sotto.Counts
	for _, name := range files {
		done, err := c.copy(ctx, term, r, copied{name: name, out: into.writer(), charge: payer.Charge(r), alone: payer.StreamsAlone()})
		if err != nil {
			return err
		}
		counts.Add(done)
	}
	if err := opening.FinishEncoder(c.texts.encode); err != nil {
		return err
	}
	statement, err := c.settle(ctx, r, payer, out, counts)
	if err != nil {
		return err
	}
	c.stateMarks(&statement)
	if err := c.kept.write(term); err != nil {
		return err
	}
	if err := errors.Join(into.deliver(), out.Finish()); err != nil {
		return fmt.Errorf("%s: %w", cli.OutputName(c.Output), cli.PlainError(err))
	}
	if err := c.faultFlags.finish(term, c.Quiet); err != nil {
		return err
	}
	if err := out.Deliver(ctx, term, c.Output, c.Report, c.JSON, statement); err != nil {
		return err
	}
	return c.summarise(ctx, term, r, statement, counts)
}

// settle writes the pooled texts after everything is read, and returns the statement.
func (c *RewriteCmd) settle(ctx context.Context, r *sotto.Rewriter, payer *charging.Payer, out io.Writer, counts sotto.Counts) (sotto.Statement, error) {
	if c.texts.pool == nil {
		return r.Statement(counts), nil
	}
	if err := c.texts.pool.Finish(ctx, payer.Charge(r)); err != nil {
		return sotto.Statement{}, err
	}
	if err := c.writePool(out); err != nil {
		return sotto.Statement{}, fmt.Errorf("%s: %w", cli.OutputName(c.Output), cli.PlainError(err))
	}
	return c.texts.pool.Statement(), nil
}

// summarise prints to standard error what was drawn, as the report states it, and warns of
// large figures. Only on a terminal does it print how many words the table lacks or stay as
// they are, or how many texts could not be read: these are as private as the texts.
func (c *RewriteCmd) summarise(ctx context.Context, term *cli.Terminal, r *sotto.Rewriter, statement sotto.Statement, counts sotto.Counts) (err error) {
	if c.Quiet {
		return nil
	}
	cost := statement.Cost()
	screen, words := cli.OnTerminal(term.Err), &c.words
	if !screen {
		words = nil // the share is of public words
	}
	if cost.Unchanged, cost.Sampled, err = r.Unchanged(ctx, words); err != nil {
		return err
	}
	line := charging.Spent(cost) + charging.SpentOfRecord(charging.OfRecord(cost, counts))
	if screen {
		worded := r.Table() != nil && c.Model == ""
		line += charging.OfContent(c.content, worded)
		if worded && cost.Claim.Unit == privacy.Token && cost.Units > 0 {
			unknown := float64(c.content.UnknownTokens) / float64(cost.Units)
			cost.Unknown = &unknown
		}
		if !worded {
			cost.Unknown = c.content.Unknown()
		}
	}
	fmt.Fprintln(term.Err, line)
	if c.SpansField != "" {
		fmt.Fprintf(term.Err, "sotto: the field %q, which describes the texts, is left out of the output\n", c.SpansField)
	}
	if screen && c.texts.users != nil && c.texts.users.Nameless() {
		fmt.Fprintln(term.Err, c.nameless())
	}
	if line := c.unknownTypes(); line != "" {
		fmt.Fprintln(term.Err, line)
	}
	charging.Warn(term.Err, cost)
	charging.WarnOfMarks(term.Err, statement)
	return nil
}
