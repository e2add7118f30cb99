package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/files/paths"
	"github.com/sotto-dp/sotto/internal/npy"
	"github.com/sotto-dp/sotto/text"
)

type corpusBuildCmd struct {
	Public bool   `group:"privacy" help:"Declare that all of this is public. Claims over the corpus depend on it, and serve requires it."`
	Output string `path:"update" short:"o" placeholder:"FILE" group:"output" help:"Corpus file to write (default: into the library under --name)."`
	Name   string `placeholder:"NAME" group:"output" help:"Name of the corpus (default: the file's)."`
	formatFlags
	Encoder    string   `placeholder:"KIND" group:"input" help:"sif (word vectors), lsa (fitted on the corpus) or sif+lsa (default: sif+lsa)."`
	Embeddings string   `path:"table" placeholder:"NAME|FILE" group:"input" help:"Public table of word vectors for sif (default: english)."`
	Vectors    string   `path:"file" placeholder:"FILE.npy" group:"input" help:"Use these vectors instead of an encoder: row i is for record i."`
	Sentences  bool     `group:"input" help:"Cut each text into sentences."`
	MaxChars   int      `placeholder:"N" group:"advanced" help:"Leave out longer texts."`
	Similar    float64  `default:"0.8" placeholder:"J" group:"advanced" help:"Leave out a text whose three-word runs are at least this similar (Jaccard) to an earlier one's; 1 leaves out equal ones only (default: 0.8)."`
	Clusters   int      `placeholder:"N" group:"advanced" help:"Clusters to store, --clusters=-1 for none (default: several clusterings, of 64 texts and more: the square root of their number, and the sizes among which synthesize chooses)."`
	JSON       bool     `name:"json" group:"output" help:"Print one JSON document."`
	File       []string `path:"inputs" arg:"" optional:"" help:"Public texts; standard input when none is given."`
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

// alsoUses returns the file in the library.
func (c *corpusBuildCmd) alsoUses() []paths.Use {
	if name, err := c.output(); err == nil && c.Output == "" && c.Name != "" {
		return []paths.Use{{Flag: "--name", Name: name, Writes: true}}
	}
	return nil
}

func (c *corpusBuildCmd) Run(ctx context.Context, term *terminal) error {
	if err := c.check(); err != nil {
		return err
	}
	options, vectors, err := c.options(ctx, term)
	if err != nil {
		return err
	}
	if vectors != nil {
		defer vectors.file.Close()
	}
	builder, err := corpus.NewBuilder(options)
	if err != nil {
		return wrongUsage("", "%v", err)
	}
	files, err := expand(c.File)
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
	if err != nil {
		return err
	}
	return c.write(term, built)
}

// check refuses flags that cannot be combined.
func (c *corpusBuildCmd) check() error {
	if err := c.checkFormat(); err != nil {
		return err
	}
	switch {
	case c.Output == "" && c.Name == "":
		return wrongUsage("", "corpus build needs -o FILE, or --name NAME to write into the library")
	case c.Name != "" && !corpus.CanName(c.Name):
		return wrongUsage("", "--name must be up to 40 letters, digits, dots, dashes and underscores, got %q", c.Name)
	case c.Output == "" && c.Name == corpus.EnglishName:
		return wrongUsage("choose another with --name", "%s is the name of the embedded corpus", c.Name)
	case c.Format != "" && c.formatOf("").Whole:
		return wrongUsage("use --format lines", "--format %s would make each file one text", c.Format)
	case c.Vectors != "" && c.Encoder != "":
		return wrongUsage("", "--vectors cannot be used with --encoder")
	case c.Encoder != "" && !slices.Contains(corpus.Kinds(), corpus.Kind(c.Encoder)):
		return wrongUsage("", "--encoder must be one of sif, lsa, sif+lsa, got %q", c.Encoder)
	case c.Embeddings != "" && (c.Vectors != "" || c.Encoder == string(corpus.LSA)):
		return wrongUsage("", "--embeddings needs --encoder sif or sif+lsa")
	case c.Vectors != "" && (c.Sentences || len(c.Field) > 1):
		return wrongUsage("", "--vectors needs one text per record: leave out --sentences, and give at most one --field")
	case c.MaxChars < 0:
		return wrongUsage("", "--max-chars must be positive, got %d", c.MaxChars)
	case !(c.Similar > 0 && c.Similar <= 1):
		return wrongUsage("", "--similar must be above 0 and at most 1, got %g", c.Similar)
	}
	return nil
}

// broughtVectors are the vectors of --vectors.
type broughtVectors struct {
	*npy.Matrix
	file *os.File
}

// options converts the flags to the library's options.
func (c *corpusBuildCmd) options(ctx context.Context, term *terminal) (corpus.Options, *broughtVectors, error) {
	o := corpus.Options{Name: c.name(), Public: c.Public, Encoder: corpus.Kind(c.Encoder), Sentences: c.Sentences,
		MaxChars: c.MaxChars, Similar: c.Similar, Clusters: c.Clusters, Progress: term.progress()}
	if c.Vectors == "" {
		if o.Encoder == corpus.LSA {
			return o, nil, nil
		}
		var err error
		o.Table, err = openTable(ctx, c.Embeddings)
		return o, nil, err
	}
	v, err := openVectors(ctx, c.Vectors)
	if err != nil {
		return o, nil, err
	}
	o.Dimensions = v.Cols
	o.Vectors = func(row []float64, i int) error {
		if i >= v.Rows {
			return fmt.Errorf("%s: %d vectors, but more records", c.Vectors, v.Rows)
		}
		if err := v.Row(row, i); err != nil {
			return fmt.Errorf("%s: %w", c.Vectors, plainError(err))
		}
		return nil
	}
	return o, v, nil
}

// openVectors opens a NumPy file. Rows are read on demand, so it must be a regular file.
func openVectors(ctx context.Context, name string) (*broughtVectors, error) {
	f, err := openFile(ctx, name)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("not a regular file: vectors cannot be read from a pipe")
	}
	var m *npy.Matrix
	if err == nil {
		m, err = npy.Open(f, info.Size())
	}
	if err != nil {
		_ = f.Close()
		return nil, fmt.Errorf("%s: %w", name, plainError(err))
	}
	return &broughtVectors{m, f}, nil
}

// feed calls each with the texts of one file.
func (c *corpusBuildCmd) feed(ctx context.Context, term *terminal, name string, each func(texts [][]byte) error) error {
	return c.eachBatch(ctx, term, name, func(b text.Batch) error {
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
func (c *corpusBuildCmd) write(term *terminal, built *corpus.Corpus) error {
	name, err := c.output()
	if err == nil {
		err = term.mayWrite(name)
	}
	if err == nil && c.Output == "" {
		err = os.MkdirAll(filepath.Dir(name), 0o755)
	}
	if err == nil {
		err = built.WriteFile(target(name))
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, plainError(err))
	}
	info := describeCorpus(built)
	if c.JSON {
		return printJSON(term, info)
	}
	public := "declared public"
	if !info.DeclaredPublic {
		public = "not declared public: serve will refuse it"
	}
	s := info.Source
	_, err = fmt.Fprintf(term.out, "%s: %s of %s, encoder %s, %s (%s)\nleft out: %s, %s, %d empty, %d too long\nsha256 %s\n",
		name, plural(info.Texts, "text"), plural(s.Records, "record"), info.Encoder, plural(info.Dimensions, "dimension"), public,
		plural(s.Duplicates, "duplicate"), plural(s.Similar, "near duplicate"), s.Empty, s.Long, info.SHA256)
	return err
}
