package corpora

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/opening"
	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/corpus/program"
	"github.com/sotto-dp/sotto/files/compress"
	"github.com/sotto-dp/sotto/files/paths"
	"github.com/sotto-dp/sotto/privacy/provenance"
	"github.com/sotto-dp/sotto/text"
)

type corpusBuildCmd struct {
	Public bool   `group:"privacy" help:"Declare that all of this is public. Claims over the corpus depend on it, and serve requires it."`
	Output string `path:"write" binary:"" short:"o" placeholder:"FILE" group:"output" help:"Corpus file to write (default: into the library under --name)."`
	Name   string `placeholder:"NAME" group:"output" help:"Name of the corpus (default: the file's)."`
	cli.FormatFlags
	Encoder        string `placeholder:"KIND" group:"input" help:"sif (word vectors), lsa (fitted on the corpus) or sif+lsa (default: sif+lsa)."`
	Embeddings     string `path:"table" placeholder:"NAME|FILE" group:"input" help:"Public table of word vectors for sif (default: sentences, embedded)."`
	Vectors        string `path:"file" placeholder:"FILE.npy" group:"input" help:"Use these vectors instead of an encoder: row i is for record i."`
	EncoderProgram string `placeholder:"CMD" group:"input" help:"Command of a program that makes the vectors of texts, instead of an encoder; texts and classifiers need it later too."`
	opening.AboutFlag
	Sentences bool     `group:"input" help:"Cut each text into sentences."`
	MaxChars  int      `placeholder:"N" group:"advanced" help:"Leave out longer texts."`
	Similar   float64  `default:"0.8" placeholder:"J" group:"advanced" help:"Leave out a text whose three-word runs are at least this similar (Jaccard) to an earlier one's; 1 leaves out equal ones only (default: 0.8)."`
	Clusters  int      `placeholder:"N" group:"advanced" help:"Clusters to store, --clusters=-1 for none (default: several clusterings, of 64 texts and more: the square root of their number, and the sizes among which synthesize chooses)."`
	JSON      bool     `name:"json" group:"output" help:"Print one JSON document."`
	File      []string `path:"inputs" public:"" arg:"" optional:"" help:"Public texts; standard input when none is given."`
}

// name is the name of the corpus.
func (c *corpusBuildCmd) name() string {
	if c.Name != "" || c.Output == "" {
		return c.Name
	}
	name := strings.TrimSuffix(filepath.Base(c.Output), filepath.Ext(c.Output))
	if !corpus.CanName(name) {
		return "corpus"
	}
	return name
}

// output returns the file to write.
func (c *corpusBuildCmd) output() (string, error) {
	if c.Output != "" {
		return c.Output, nil
	}
	dir, err := corpus.Library()
	return filepath.Join(dir, c.Name+corpus.Extension), err
}

// AlsoUses returns the file in the library.
func (c *corpusBuildCmd) AlsoUses() []paths.Use {
	if name, err := c.output(); err == nil && c.Output == "" && c.Name != "" {
		return []paths.Use{{Flag: "--name", Name: name, Writes: true}}
	}
	return nil
}

func (c *corpusBuildCmd) Run(ctx context.Context, term *cli.Terminal) error {
	if err := c.check(); err != nil {
		return err
	}
	options, vectors, err := c.options(ctx, term)
	if err != nil {
		return err
	}
	if c.EncoderProgram != "" {
		encoder, err := program.Start(ctx, c.EncoderProgram)
		if err != nil {
			return err
		}
		defer encoder.Close()
		options.Program = encoder
	}
	if vectors != nil {
		defer vectors.File.Close()
	}
	builder, err := corpus.NewBuilder(options)
	if err != nil {
		return cli.WrongUsage("", "%v", err)
	}
	files, err := cli.Expand(c.File)
	if err != nil {
		return err
	}
	if len(files) == 0 {
		files = []string{"-"}
	}
	records := 0
	for _, name := range files {
		err := c.feed(ctx, term, name, func(texts [][]byte) error {
			for _, t := range texts {
				records++
				if err := builder.Add(t); err != nil {
					return err
				}
			}
			return ctx.Err()
		})
		if err != nil {
			return err
		}
	}
	if vectors != nil && records != vectors.Rows {
		return fmt.Errorf("%s: %d vectors for %d records, want one per record", c.Vectors, vectors.Rows, records)
	}
	built, err := builder.Build(ctx)
	if err == nil {
		err = opening.FinishEncoder(options.Program)
	}
	if err != nil {
		return err
	}
	return c.write(ctx, term, built)
}

// check refuses flags that cannot be combined.
func (c *corpusBuildCmd) check() error {
	if err := c.CheckFormat(); err != nil {
		return err
	}
	switch {
	case c.Output == "" && c.Name == "":
		return cli.WrongUsage("", "corpus build needs -o FILE, or --name NAME to write into the library")
	case compress.Plain(c.Output) != c.Output:
		return cli.WrongUsage("", "a corpus file is not compressed: choose a name without .gz and .zst")
	case c.Name != "" && !corpus.CanName(c.Name):
		return cli.WrongUsage("", "--name must be up to 40 letters, digits, dots, dashes and underscores, got %q", c.Name)
	case c.Output == "" && corpus.IsBuiltin(c.Name):
		return cli.WrongUsage("choose another with --name", "%s is the name of a builtin corpus", c.Name)
	case c.Format != "" && c.FormatOf("").Whole:
		return cli.WrongUsage("use --format lines", "--format %s would make each file one text", c.Format)
	case c.MaxChars < 0:
		return cli.WrongUsage("", "--max-chars must be positive, got %d", c.MaxChars)
	case !(c.Similar > 0 && c.Similar <= 1):
		return cli.WrongUsage("", "--similar must be above 0 and at most 1, got %g", c.Similar)
	}
	return c.checkEncoder()
}

// checkEncoder refuses flags of different encoders.
func (c *corpusBuildCmd) checkEncoder() error {
	switch {
	case c.Vectors != "" && c.Encoder != "":
		return cli.WrongUsage("", "--vectors cannot be used with --encoder")
	case c.EncoderProgram != "" && (c.Vectors != "" || c.Encoder != "" || c.Embeddings != "" || c.About != ""):
		return cli.WrongUsage("", "--encoder-program cannot be used with --encoder, --embeddings, --vectors or --about: it makes the vectors")
	case c.Encoder != "" && !slices.Contains(corpus.Kinds(), corpus.Kind(c.Encoder)):
		return cli.WrongUsage("", "--encoder must be one of sif, lsa, sif+lsa, got %q", c.Encoder)
	case c.Embeddings != "" && (c.Vectors != "" || c.Encoder == string(corpus.LSA)):
		return cli.WrongUsage("", "--embeddings needs --encoder sif or sif+lsa")
	case c.Vectors != "" && c.About != "":
		return cli.WrongUsage("", "--vectors cannot be used with --about: words for labels are read by an encoder")
	case c.Vectors != "" && (c.Sentences || len(c.Field) > 1):
		return cli.WrongUsage("", "--vectors needs one text per record: leave out --sentences, and give at most one --field")
	}
	return nil
}

// options converts the flags to the library's options.
func (c *corpusBuildCmd) options(ctx context.Context, term *cli.Terminal) (corpus.Options, *opening.BroughtVectors, error) {
	o := corpus.Options{Name: c.name(), Public: c.Public, Encoder: corpus.Kind(c.Encoder), Sentences: c.Sentences,
		MaxChars: c.MaxChars, Similar: c.Similar, Clusters: c.Clusters, Progress: term.Progress()}
	if c.EncoderProgram != "" {
		return o, nil, nil
	}
	if c.Vectors == "" {
		var err error
		if o.About, err = c.AboutWords(ctx); err != nil {
			return o, nil, err
		}
		if o.Encoder == corpus.LSA {
			return o, nil, nil
		}
		o.Table, err = opening.TableOfTexts(ctx, c.Embeddings)
		return o, nil, err
	}
	v, err := opening.Vectors(ctx, c.Vectors)
	if err != nil {
		return o, nil, err
	}
	o.Dimensions = v.Cols
	o.Vectors = func(row []float64, i int) error {
		if i >= v.Rows {
			return fmt.Errorf("%s: %d vectors, but more records", c.Vectors, v.Rows)
		}
		if err := v.Row(row, i); err != nil {
			return fmt.Errorf("%s: %w", c.Vectors, cli.PlainError(err))
		}
		return nil
	}
	return o, v, nil
}

// feed calls each with the texts of one file.
func (c *corpusBuildCmd) feed(ctx context.Context, term *cli.Terminal, name string, each func(texts [][]byte) error) error {
	return c.EachBatch(ctx, term, name, func(b text.Batch) error {
		texts, err := c.texts(b)
		if err == nil {
			err = each(texts)
		}
		return err
	})
}

// texts returns the texts of a batch. With vectors it returns one per record, empty if
// the record has none: row i is record i, counted before any is skipped.
func (c *corpusBuildCmd) texts(b text.Batch) ([][]byte, error) {
	if c.Vectors == "" {
		return b.Texts()
	}
	records, err := b.Records()
	texts := make([][]byte, len(records))
	for i, r := range records {
		switch len(r.Texts) {
		case 0:
		case 1:
			texts[i] = r.Texts[0]
		default:
			return nil, &text.FieldError{What: fmt.Sprintf("a record holds %d texts: with vectors a record can have only one", len(r.Texts))}
		}
	}
	return texts, err
}

// write writes the corpus and prints its description.
func (c *corpusBuildCmd) write(ctx context.Context, term *cli.Terminal, built *corpus.Corpus) error {
	name, err := c.output()
	if err == nil && c.Output == "" {
		err = os.MkdirAll(filepath.Dir(name), 0o755)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, cli.PlainError(err))
	}
	if err := cli.WriteOutput(ctx, term, name, built.Write); err != nil {
		return err
	}
	info := describeCorpus(built)
	if c.JSON {
		return cli.PrintJSON(term, info)
	}
	public := "declared public"
	if !info.DeclaredPublic {
		public = "not declared public: serve will refuse it"
	}
	s := info.Source
	_, err = fmt.Fprintf(term.Out, "%s: %s of %s, encoder %s, %s (%s)\nleft out: %s, %s, %d empty, %d too long\nsha256 %s\n",
		cli.OutputName(name), cli.Plural(info.Texts, "text"), cli.Plural(s.Records, "record"), info.Encoder, cli.Plural(info.Dimensions, "dimension"), public,
		cli.Plural(s.Duplicates, "duplicate"), cli.Plural(s.Similar, "near duplicate"), s.Empty, s.Long, info.SHA256)
	return err
}

func describeCorpus(c *corpus.Corpus) corpusInfo {
	card := c.Card()
	return corpusInfo{card.Name, card.Texts, card.Dimensions, c.Digest(), card.DeclaredPublic, provenance.Inputs{opening.PublicInput(c)}.Of(provenance.Corpus), card.Encoder.Kind, card.Encoder.Table, card.Encoder.Terms, card.Clusters, card.Clusterings, card.Source, card.Written}
}
