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
	"github.com/sotto-dp/sotto/request"
	"github.com/sotto-dp/sotto/text"
)

// pools reports whether the output has a layout of its own.
func (c *RewriteCmd) pools() bool { return c.Shuffle || c.Pad }

// checkTexts refuses outputs and fields that flags for whole texts cannot be combined with.
func (c *RewriteCmd) checkTexts() error {
	asked := "--user"
	switch {
	case c.Users == (request.Users{}):
		return nil
	case c.TextVectors != "":
		asked = "--text-vectors"
	case c.Shuffle || c.ShuffleDelta != nil:
		asked = "--shuffle"
	}
	switch {
	case len(c.Field) > 1:
		return cli.WrongUsage("", "%s needs exactly one --field: a record has one text", asked)
	case cli.IsFolder(c.Output):
		return cli.WrongUsage("write one file", "%s cannot be used with a folder: records are counted over the whole run, and one output is written", asked)
	}
	return c.checkOutput()
}

// checkOutput refuses a format that a pool cannot be written to.
func (c *RewriteCmd) checkOutput() error {
	if c.ShuffleDelta != nil {
		if err := privacy.CheckDelta("shuffle", *c.ShuffleDelta); err != nil {
			return err
		}
	}
	if c.pools() && cli.Formats.Of(c.Output).Seeks {
		return cli.WrongUsage("choose .jsonl, .csv or .tsv", "%s cannot be written with --shuffle or --pad", cli.Formats.Of(c.Output))
	}
	return nil
}

// checkVectors refuses inputs that the vectors of --text-vectors do not match.
func (c *RewriteCmd) checkVectors(files []string) error {
	if c.TextVectors != "" && len(files) > 1 {
		return cli.WrongUsage("rewrite each file on its own", "--text-vectors needs exactly one input: row i is for record i")
	}
	return nil
}

// open opens the vectors of the texts.
func (t *texts) open(ctx context.Context, name string) (err error) {
	if name != "" {
		t.name = name
		t.vectors, err = opening.Vectors(ctx, name)
	}
	return err
}

// sources are those of the run, which keep the corpus.
func (t *texts) sources(from request.Sources) request.Sources {
	from = opening.OrTextVectors(from)
	find := from.Corpus
	from.Corpus = func(ctx context.Context, name string) (_ *corpus.Corpus, err error) {
		t.book, err = find(ctx, name)
		return t.book, err
	}
	start := from.Encode
	from.Encode = func(ctx context.Context, c *corpus.Corpus, command string) (_ corpus.TextEncoder, err error) {
		t.encode, err = start(ctx, c, command)
		return t.encode, err
	}
	return from
}

// beginTexts begins a run.
func (c *RewriteCmd) beginTexts(r *sotto.Rewriter) (err error) {
	c.texts.users = r.Users(c.User)
	if c.pools() {
		o := sotto.PoolOptions{Shuffled: c.Shuffle, Padded: c.Pad, Users: c.texts.users}
		if c.ShuffleDelta != nil {
			o.Delta = *c.ShuffleDelta
		}
		c.texts.pool, err = r.Pool(o)
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
	err = c.texts.pool.Write(func(user string, t []byte) error {
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

func (t *texts) close() {
	if t.vectors != nil {
		_ = t.vectors.File.Close() // read only
	}
}

// stream adds what is open.
func (t *texts) stream(s *sotto.Stream) {
	s.Users = t.users
	if t.vectors != nil {
		s.Vectors = namedVectors{t.vectors, t.name}
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
