package corpora

import (
	"context"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/charging"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/opening"
	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/request"
	"github.com/sotto-dp/sotto/synthesis"
	"github.com/sotto-dp/sotto/text"
)

type SynthesizeCmd struct {
	Corpus     string `path:"corpus" placeholder:"NAME|FILE" group:"input" help:"Corpus of public texts, which are the outputs (see sotto corpus build; default: english, embedded)."`
	Embeddings string `path:"table" placeholder:"NAME|FILE" group:"input" help:"The table that the corpus was built with (default: by its name in the corpus)."`
	request.InLanguage
	opening.AboutFlag
	Epsilon   *float64 `short:"e" placeholder:"E" group:"privacy" help:"Loss per record with its labels, or per user for all records of a user; no default."`
	Delta     float64  `placeholder:"D" group:"privacy" help:"Allow this delta. With --user Gaussian noise is used if it is smaller; for single records the noise is pure in any case."`
	Delimiter string   `placeholder:"C" group:"input" help:"What separates the columns of csv: one character such as ; or |, or tab (default: a comma)."`
	Format    string   `placeholder:"NAME" group:"input" help:"${formats} (default: by extension, else lines)."`
	Field     string   `placeholder:"PATH" group:"input" help:"Column, or path into JSON or nested columns, of the texts."`
	By        []string `placeholder:"COLUMN" group:"input" help:"Label columns to release with the texts; COLUMN=1..5 means whole numbers, COLUMN=0..100/10 ranges."`
	Labels    []string `sep:"none" placeholder:"FILE|V1,V2" group:"input" help:"The public labels of --by, a list or a file of lines; with several columns COLUMN=FILE|V1,V2 per column."`
	Expect    *int     `placeholder:"N" group:"privacy" help:"Approximate number of records: a constant, not a count of them (default: a noisy count, which costs epsilon)."`
	User      string   `placeholder:"FIELD" group:"privacy" help:"Column or path that names the user of a record: epsilon is then per user, for all records of the user."`
	PerUser   *int     `placeholder:"M" group:"privacy" help:"With --user: the first M records of each user count."`
	request.Encoding
	TextVectors string `path:"file" placeholder:"FILE.npy" group:"input" help:"With a corpus built with --vectors: vectors of the texts, row i for record i of the input."`
	Size        *int64 `placeholder:"N" group:"output" help:"Texts to write (default: the sum of the noisy counts)."`
	As          string `oneof:"rows,few-shot" placeholder:"FORM" group:"output" help:"rows (default), or few-shot: the messages of a chat prompt as JSON, each text with its labels as the answer. Use them without limit: epsilon is spent once."`
	Weights     bool   `group:"output" help:"Write every text of every cell once, with its weight in a column, instead of drawing."`
	FromModel   bool   `group:"output" help:"Write texts of the --lm model, from the words of each cluster, instead of public texts: they may be false."`
	LM          string `name:"lm" path:"read" placeholder:"FILE" group:"output" help:"With --from-model: model of train language-model, declared public."`
	ModelSeed   uint64 `placeholder:"N" group:"advanced" help:"With --from-model: public seed of its texts (default: 0)."`
	Output      string `path:"output" short:"o" placeholder:"FILE" group:"output" help:"Write here instead of standard output (.gz and .zst compress)."`
	Report      string `path:"write" placeholder:"FILE" group:"output" help:"Write the privacy statement here."`
	Check       bool   `group:"output" help:"Release nothing: print how many records have no known label or no text. The counts are exact, for the operator only."`
	Cost        bool   `group:"budget" help:"Release nothing: print what the run would spend and what the account has left. The number of records is exact, for the operator only."`
	Workers     int    `placeholder:"N" group:"advanced" help:"Parallel batches (default: number of CPUs)."`
	charging.AccountFlags
	charging.QuietFlag
	InsecureSeed *uint64  `placeholder:"N" group:"advanced" help:"Reproducible draws, for tests only: marked in the report."`
	JSON         bool     `name:"json" group:"output" help:"Print the privacy statement as one JSON document."`
	File         []string `path:"inputs" arg:"" optional:"" help:"Files or patterns of private records (default: standard input)."`
}

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
	if payer != nil {
		if err := payer.ChargeOnce(ctx); err != nil {
			return err
		}
	}
	counts := plan.NewCounts()
	err = c.eachInput(ctx, term, plan, files, func(rows text.Rows) error {
		return plan.Read(ctx, counts, vectors.input(rows, c.Workers))
	})
	if err != nil {
		return err
	}
	release, err := plan.Release(counts, nil)
	if err != nil {
		return err
	}
	return c.write(ctx, term, release, table, out)
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
	case c.Format != "" && c.input().FormatOf("").Whole:
		return cli.WrongUsage("use --format lines: each line is then a record", "--format %s would make each file one record", c.Format)
	case len(c.By) > 0 && len(c.Labels) == 0 && !allBins(c.By):
		return cli.WrongUsage("name them: --labels v1,v2, or a file of lines; they must be known without the records", "--by needs --labels, the public set of labels")
	case (c.User == "") != (c.PerUser == nil):
		return cli.WrongUsage("", "--user and --per-user must be given together: the field of the user, and how many of a user's records count")
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
		return cli.WrongUsage("", "--from-model and --lm must be given together")
	case c.ModelSeed != 0 && !c.FromModel:
		return cli.WrongUsage("", "--model-seed needs --from-model")
	}
	return nil
}

// orZero returns the value of a flag, 0 where it is not given.
func orZero[N int | int64](given *N) N {
	if given == nil {
		return 0
	}
	return *given
}

// input returns the flags of the input's format.
func (c *SynthesizeCmd) input() *cli.FormatFlags {
	return &cli.FormatFlags{Format: c.Format, Delimiter: c.Delimiter}
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
