package corpora

import (
	"context"
	"sync/atomic"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/charging"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/opening"
	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/synthesis"
	"github.com/sotto-dp/sotto/text"
)

// Run charges, counts, releases and writes, in this order. Errors after the charge
// concern files, never the content of records.
func (c *SynthesizeCmd) Run(ctx context.Context, term *cli.Terminal) error {
	if err := c.check(); err != nil {
		return err
	}
	files, err := (&cli.InputFlags{FormatFlags: *c.input(), File: c.File}).Files("", true)
	if err != nil {
		return err
	}
	if c.TextVectors != "" && len(files) > 1 {
		return cli.WrongUsage("give one file", "--text-vectors needs exactly one input: row i is for record i")
	}
	plan, err := c.plan(ctx, term)
	if err != nil {
		return err
	}
	vectors, err := c.vectors(ctx, plan)
	if err != nil {
		return err
	}
	defer vectors.close()
	if !c.Quiet {
		c.input().WarnOfLines(term.Err, files, "record")
	}
	if c.Check {
		return c.report(ctx, term, plan, files, vectors)
	}
	if c.Cost {
		return c.price(ctx, term, plan, files, vectors)
	}
	payer, err := c.OpenPayer(ctx, charging.Payment{Claim: plan.Claim()})
	if err != nil {
		return err
	}
	if payer != nil {
		defer payer.Close()
	}
	out, err := cli.CreateOutput(ctx, term, c.Output)
	if err != nil {
		return err
	}
	defer out.Discard()
	table, err := c.table(out, plan)
	if err != nil {
		return err
	}
	if err := c.checkHeaders(ctx, term, plan, files); err != nil {
		return err
	}
	if payer != nil {
		if err := payer.ChargeOnce(ctx); err != nil {
			return err
		}
	}
	counts, read := plan.NewCounts(), new(atomic.Int64)
	err = c.eachInput(ctx, term, plan, files, func(rows text.Rows) error {
		return plan.Read(ctx, counts, vectors.input(countedRows{rows, read}, c.Workers))
	})
	if err == nil {
		err = opening.FinishEncoder(vectors.program)
	}
	if err != nil {
		return err
	}
	c.warnOfRows(term, vectors, read.Load())
	release, err := plan.Release(counts, nil)
	if err != nil {
		return err
	}
	return c.write(ctx, term, release, table, out, files)
}

// check refuses flags that cannot be combined, before anything is opened.
func (c *SynthesizeCmd) check() error {
	if err := cli.CheckOutput(c.Output, nil); err != nil {
		return err
	}
	if err := c.input().CheckFormat(); err != nil {
		return err
	}
	switch {
	case c.Epsilon == nil && !c.Check:
		return cli.WrongUsage("try --epsilon 1: one record, label included, is then hidden up to a factor e in every likelihood", "synthesize needs --epsilon, the privacy parameter per record; there is no default")
	case len(c.By) > 0 && len(c.Labels) == 0 && !allBins(c.By):
		return cli.WrongUsage("name them: --labels v1,v2, or a file of lines; they must be known without the records", "--by needs --labels, the public set of labels")
	case (c.User == "") != (c.PerUser == nil):
		return cli.WrongUsage("", "give both --user and --per-user, or neither: the field of the user, and how many of a user's records count")
	case c.EncoderProgram != "" && c.TextVectors != "":
		return cli.WrongUsage("", "--encoder-program cannot be used with --text-vectors: vectors are given, or made by the program")
	case c.Weights && c.Size != nil:
		return cli.WrongUsage("", "--size cannot be used with --weights: every text is written, with its weight")
	case c.Workers < 0:
		return cli.WrongUsage("", "--workers must be 0 or more, got %d", c.Workers)
	}
	if err := c.checkFewShot(); err != nil {
		return err
	}
	if err := c.CheckLanguage(); err != nil {
		return err
	}
	if err := c.checkReleases(); err != nil {
		return err
	}
	if err := c.checkNumbers(); err != nil {
		return err
	}
	if err := c.checkModel(); err != nil {
		return err
	}
	if err := c.AccountFlags.Check(c.InsecureSeed != nil); err != nil {
		return err
	}
	if c.Check || c.Cost {
		return nil
	}
	return cli.CheckJSON(c.JSON, c.Output, cli.WritesReport)
}

// checkReleases refuses flags of a release in a run that makes none.
func (c *SynthesizeCmd) checkReleases() error {
	switch {
	case c.Check && (c.Output != "" || c.Report != "" || c.Account != ""):
		return cli.WrongUsage("", "--check cannot be used with -o, --report or --account: it releases nothing")
	case c.Cost && (c.Check || c.Output != "" || c.Report != ""):
		return cli.WrongUsage("", "--cost cannot be used with --check, -o or --report: it releases nothing")
	}
	return nil
}

// checkNumbers refuses a given 0, which the library takes as absent.
func (c *SynthesizeCmd) checkNumbers() error {
	switch {
	case c.Size != nil && (*c.Size < 1 || *c.Size > synthesis.MaxSize):
		return cli.WrongUsage("", "--size must be 1 to %d, got %d", synthesis.MaxSize, *c.Size)
	case c.Expect != nil && (*c.Expect < 1 || *c.Expect > synthesis.MaxExpect):
		return cli.WrongUsage("leave it out to pay for a noisy count", "--expect must be 1 to %d, got %d", synthesis.MaxExpect, *c.Expect)
	case c.PerUser != nil && (*c.PerUser < 1 || *c.PerUser > synthesis.MaxPerUser):
		return cli.WrongUsage("", "--per-user must be 1 to %d, got %d", synthesis.MaxPerUser, *c.PerUser)
	}
	return nil
}

// checkModel refuses flags of a language model that cannot be combined.
func (c *SynthesizeCmd) checkModel() error {
	switch {
	case c.FromModel != (c.LM != ""):
		return cli.WrongUsage("", "give both --from-model and --lm, or neither")
	case c.ModelSeed != 0 && !c.FromModel:
		return cli.WrongUsage("", "--model-seed needs --from-model")
	}
	return nil
}

// plan opens the public parts.
func (c *SynthesizeCmd) plan(ctx context.Context, term *cli.Terminal) (*synthesis.Plan, error) {
	columns, err := c.columns(ctx)
	if err != nil {
		return nil, err
	}
	o := synthesis.Options{Delta: c.Delta, Columns: columns, Expect: orZero(c.Expect), PerUser: orZero(c.PerUser), InsecureSeed: c.InsecureSeed,
		Brought: c.brings(), Progress: term.Progress()}
	if c.Epsilon != nil {
		o.Epsilon = *c.Epsilon
	} else {
		o.Epsilon = 1 // nothing is released
	}
	if o.Corpus, err = opening.Corpus(ctx, c.Corpus); err != nil {
		return nil, err
	}
	if err := c.Refuse("corpus", o.Corpus.Name(), o.Corpus.Language()); err != nil {
		return nil, err
	}
	if c.FromModel {
		o.ModelSeed = c.ModelSeed
		if o.Model, err = opening.LanguageModel(ctx, c.LM, nil, false); err != nil {
			return nil, err
		}
	}
	brought := o.Corpus.Card().Encoder.Kind == corpus.Brought
	switch {
	case brought && !c.brings():
		return nil, cli.WrongUsage("give the encoder, --encoder-program CMD, or the vectors of the records, --text-vectors FILE.npy", "%s was built with --vectors: it has no encoder for other texts", o.Corpus.Name())
	case !brought && c.TextVectors != "":
		return nil, cli.WrongUsage("", "--text-vectors needs a corpus built with --vectors: %s has its own encoder", o.Corpus.Name())
	}
	if c.EncoderProgram != "" {
		if c.program, err = opening.EncoderProgram(ctx, c.EncoderProgram, o.Corpus); err != nil {
			return nil, err
		}
		if o.Probes, err = corpus.Probes(ctx, c.program); err != nil {
			return nil, err
		}
	}
	if c.Embeddings != "" {
		if o.Table, err = opening.Table(ctx, c.Embeddings); err != nil {
			return nil, err
		}
	}
	words, err := c.AboutWords(ctx)
	if err != nil {
		return nil, err
	}
	if o.Corpus, err = opening.Along(ctx, o.Corpus, words, o.Table, o.Progress); err != nil {
		return nil, err
	}
	return synthesis.New(ctx, o)
}

// brings reports whether records have vectors of an encoder of the user's.
func (c *SynthesizeCmd) brings() bool { return c.TextVectors != "" || c.EncoderProgram != "" }
