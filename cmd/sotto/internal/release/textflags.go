package release

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/opening"
	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/release"
	"github.com/sotto-dp/sotto/text"
)

// TextFlags are for whole texts of a corpus.
type TextFlags struct {
	TextVectors  string   `path:"file" placeholder:"FILE.npy" group:"input" help:"With a corpus built with --vectors: vectors of the texts, row i for record i of the input."`
	Shuffle      bool     `group:"privacy" help:"Write only the released texts, in random order. The report adds the guarantee against readers of that file."`
	ShuffleDelta *float64 `placeholder:"D" group:"privacy" help:"Delta of that guarantee (default: the smaller of 1e-6 and n^-1.5 for n texts)."`
	User         string   `placeholder:"FIELD" group:"privacy" help:"Column or path that names the user of a record: epsilon is then per user, in this run."`
	PerUser      int      `placeholder:"M" group:"privacy" help:"Release the first M rows of each user, each at epsilon/M, and leave out the others."`
	Pad          bool     `group:"privacy" help:"Write exactly M texts per user, sorted by user, and nothing else: hides how many rows a user has."`

	vectors *opening.BroughtVectors // the open TextVectors
	users   *release.Users          // of this run; nil without --user
	pool    *release.Pool           // nil if the output has the layout of the input
}

// asked returns the first of the flags that is given; empty if none is.
func (f *TextFlags) asked() string {
	switch {
	case f.TextVectors != "":
		return "--text-vectors"
	case f.Shuffle || f.ShuffleDelta != nil:
		return "--shuffle"
	case f.User != "" || f.PerUser != 0 || f.Pad:
		return "--user"
	}
	return ""
}

// pools reports whether the output has a layout of its own.
func (f *TextFlags) pools() bool { return f.Shuffle || f.Pad }

// check refuses flags that cannot be combined, or with the others.
func (f *TextFlags) check(c *RewriteCmd) error {
	asked := f.asked()
	switch {
	case asked == "":
		return nil
	case c.Model != "" || !c.Whole(&c.MechanismFlags):
		return cli.WrongUsage("", "%s needs --unit text over a corpus", asked)
	case len(c.Field) > 1:
		return cli.WrongUsage("", "%s needs exactly one --field: a record has one text", asked)
	case cli.IsFolder(c.Output):
		return cli.WrongUsage("write one file", "%s cannot be used with a folder: records are counted over the whole run, and one output is written", asked)
	case f.ShuffleDelta != nil && !f.Shuffle:
		return cli.WrongUsage("", "--shuffle-delta needs --shuffle")
	case (f.User == "") != (f.PerUser == 0):
		return cli.WrongUsage("", "--user and --per-user must be given together: the field of the user, and how many of a user's rows are released")
	case f.Pad && f.User == "":
		return cli.WrongUsage("", "--pad needs --user: padding is per user")
	}
	return f.checkOutput(c)
}

// checkOutput refuses a format that a pool cannot be written to.
func (f *TextFlags) checkOutput(c *RewriteCmd) error {
	if f.ShuffleDelta != nil {
		if err := privacy.CheckDelta("shuffle", *f.ShuffleDelta); err != nil {
			return err
		}
	}
	if f.pools() && cli.Formats.Of(c.Output).Seeks {
		return cli.WrongUsage("choose .jsonl, .csv or .tsv", "%s cannot be written with --shuffle or --pad", cli.Formats.Of(c.Output))
	}
	return nil
}

// checkFiles refuses inputs that do not match the flags.
func (f *TextFlags) checkFiles(files []string) error {
	if f.TextVectors != "" && len(files) > 1 {
		return cli.WrongUsage("rewrite each file on its own", "--text-vectors needs exactly one input: row i is for record i")
	}
	return nil
}

// Open opens the files that the flags name.
func (f *TextFlags) Open(ctx context.Context, book *corpus.Corpus) (err error) {
	if f.TextVectors == "" && book != nil && book.Card().Encoder.Kind == corpus.Brought {
		return cli.WrongUsage("give them with --text-vectors FILE.npy, row i for record i, made by the encoder of the corpus",
			"corpus %s has vectors of another program's encoder: the texts need theirs", book.Name())
	}
	if f.TextVectors != "" {
		f.vectors, err = opening.Vectors(ctx, f.TextVectors)
	}
	return err
}

// begin begins a run.
func (f *TextFlags) begin(r *sotto.Rewriter) (err error) {
	f.users = r.Users(f.User)
	if f.pools() {
		o := sotto.PoolOptions{Shuffled: f.Shuffle, Padded: f.Pad, Users: f.users}
		if f.ShuffleDelta != nil {
			o.Delta = *f.ShuffleDelta
		}
		f.pool, err = r.Pool(o)
	}
	return err
}

// writePool writes the drawn texts in the format of the output's name; without one,
// lines, or TSV if users are written beside the texts.
func (c *RewriteCmd) writePool(w io.Writer) error {
	column, columns := "text", []string(nil)
	if len(c.Field) > 0 {
		column = c.Field[0]
	}
	form := cli.Formats.Of(c.Output)
	if !c.Shuffle {
		columns = []string{c.User}
		if form == text.Lines {
			form = text.TSV
		}
	}
	out, err := text.NewTableWriter(w, form, append(columns, column)...)
	if err != nil {
		return cli.WrongUsage("", "%v", err)
	}
	err = c.pool.Write(func(user string, t []byte) error {
		if c.Shuffle {
			return out.Write(t)
		}
		return out.Write([]byte(user), t)
	})
	if err == nil {
		err = out.Close()
	}
	return err
}

func (f *TextFlags) close() {
	if f.vectors != nil {
		_ = f.vectors.File.Close() // read only
	}
}

// stream adds the options of the flags.
func (f *TextFlags) stream(s *sotto.Stream) {
	s.Users = f.users
	if f.vectors != nil {
		s.Vectors = namedVectors{f.vectors, f.TextVectors}
	}
}

// namedVectors adds the name of the file to errors.
type namedVectors struct {
	*opening.BroughtVectors
	name string
}

func (v namedVectors) Row(row []float64, i int) error {
	if err := v.BroughtVectors.Row(row, i); err != nil {
		return fmt.Errorf("%s: %w", v.name, cli.PlainError(err))
	}
	return nil
}

// alone reports whether the run can have exactly one draw for each record, of which nothing
// else comes out: no other field, and no name of a file that is one record. The streams
// check what the fields hold.
func (c *RewriteCmd) alone(files []string) bool {
	return c.User == "" && (c.Shuffle || !slices.ContainsFunc(files, func(name string) bool {
		f := c.FormatOf(name)
		return !f.Bare || f.Whole && cli.IsFolder(c.Output)
	}))
}
