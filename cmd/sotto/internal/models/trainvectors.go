package models

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/segment"
	"github.com/sotto-dp/sotto/files/compress"
	"github.com/sotto-dp/sotto/statement"
	"github.com/sotto-dp/sotto/vectors"
)

type trainVectorsCmd struct {
	corpusFlags
	Public       bool   `group:"privacy" help:"Declare that the corpus is public; required: anyone who has a table sees its words and vectors."`
	Output       string `path:"write" binary:"" short:"o" placeholder:"FILE" group:"output" help:"Table file to write."`
	State        string `path:"update" placeholder:"FILE" group:"advanced" help:"Keep the counts of the corpus in this file, and resume from it if it exists."`
	Segmentation string `placeholder:"KIND" group:"advanced" help:"How texts are cut into words: english, words or pieces (default: what fits the corpus)."`
	Language     string `placeholder:"CODE" group:"advanced" help:"Language of the corpus, such as de: it decides upper and lower case (default: any)."`
	Dimensions   *int   `placeholder:"D" group:"advanced" help:"Dimensions of a vector (default: 100)."`
	Words        *int   `placeholder:"N" group:"advanced" help:"Largest number of words of the table (default: 50000)."`
	MinCount     *int   `placeholder:"C" group:"advanced" help:"Least number of occurrences of a word (default: 5)."`
	Window       *int   `placeholder:"N" group:"advanced" help:"Largest distance between two words of a pair, in words (default: 5)."`
	JSON         bool   `name:"json" group:"output" help:"Print one JSON document."`
}

func (c *trainVectorsCmd) options(term *cli.Terminal) (vectors.Options, error) {
	o := vectors.Options{Name: c.tableName(), Counts: c.State, SameLength: true, Progress: term.Progress()}
	switch {
	case c.Output == "":
		return o, cli.WrongUsage("", "train needs -o FILE, the table file to write")
	case compress.Plain(c.Output) != c.Output:
		return o, cli.WrongUsage("", "a table file is not compressed: choose a name without .gz and .zst")
	case !c.Public:
		return o, cli.WrongUsage("declare the corpus public with --public, if it is", "train vectors needs --public: anyone who has a table sees its words and vectors")
	}
	o.Segmentation, o.Language = segment.Kind(c.Segmentation), c.Language
	switch {
	case c.Segmentation != "" && !slices.Contains(segment.Kinds(), o.Segmentation):
		return o, cli.WrongUsage("", "--segmentation must be english, words or pieces, got %q", c.Segmentation)
	case c.Language != "" && !segment.CanLanguage(c.Language):
		return o, cli.WrongUsage("", "--language must be two or three lower-case letters such as de, got %q", c.Language)
	case o.Segmentation == segment.English && c.Language != "" && c.Language != "en":
		return o, cli.WrongUsage("", "--segmentation english is for --language en, got %s", c.Language)
	}
	for _, f := range []struct {
		flag  string
		given *int
		most  int
		value *int
	}{
		{"--dimensions", c.Dimensions, embedding.MaxDim, &o.Dimensions},
		{"--words", c.Words, vectors.MaxWords, &o.Words},
		{"--min-count", c.MinCount, vectors.MaxLeast, &o.Least},
		{"--window", c.Window, vectors.MaxWindow, &o.Window},
	} {
		if f.given == nil {
			continue
		}
		if *f.given < 1 || *f.given > f.most {
			return o, cli.WrongUsage("", "%s must be 1 to %d, got %d", f.flag, f.most, *f.given)
		}
		*f.value = *f.given
	}
	for _, name := range c.files() {
		if info, err := os.Stat(name); name == "-" || err == nil && !info.Mode().IsRegular() {
			return o, cli.WrongUsage("write it to a file first", "the corpus is read twice: it must be a file")
		}
	}
	if o.Temporary = cli.Target(c.Output); c.streamed() {
		o.Temporary = filepath.Join(os.TempDir(), "sotto")
	}
	if _, err := os.Stat(filepath.Dir(o.Temporary)); err != nil { // before hours of work
		return o, fmt.Errorf("%s: %w", c.Output, cli.PlainError(err))
	}
	return o, c.CheckFormat()
}

// cutBy describes the rules of segmentation of a table.
func cutBy(table *embedding.Table) string {
	rules := table.Segmentation()
	if rules.Kind() == segment.Pieces {
		return fmt.Sprintf("%s (%s): a word is a piece", rules.Kind(), cli.Plural(rules.Pieces(), "piece"))
	}
	return string(rules.Kind())
}

// streamed reports whether the table goes to standard output, a pipe or a device.
func (c *trainVectorsCmd) streamed() bool { return c.Output == "-" || cli.Special(c.Output) }

// tableName returns the name of the table.
func (c *trainVectorsCmd) tableName() string {
	if c.streamed() {
		return "table"
	}
	name := filepath.Base(c.Output)
	return strings.TrimSuffix(name, filepath.Ext(name))
}

func (c *trainVectorsCmd) Run(ctx context.Context, term *cli.Terminal) error {
	o, err := c.options(term)
	if err != nil {
		return err
	}
	start := time.Now()
	trained, err := vectors.Train(ctx, c.publicTexts(ctx, term), o)
	if err != nil {
		return err
	}
	table := trained.Table
	if err := cli.WriteOutput(ctx, term, c.Output, func(w io.Writer) error { return embedding.Write(w, table) }); err != nil {
		return err
	}
	if c.JSON {
		return cli.PrintJSON(term, struct {
			Embeddings   statement.Embeddings `json:"embeddings"`
			Texts        int64                `json:"texts"`
			Tokens       int64                `json:"tokens"`
			Unknown      int64                `json:"unknown"`
			Pairs        int64                `json:"pairs"`
			Segmentation segment.Kind         `json:"segmentation"`
			Seconds      float64              `json:"seconds"`
		}{statement.Embeddings{Name: table.Name(), Words: table.Len(), Dimensions: table.Dim(), SHA256: table.Digest()},
			trained.Texts, trained.Tokens, trained.Tokens - trained.Known, trained.Pairs, table.Segmentation().Kind(), time.Since(start).Seconds()})
	}
	use := c.Output
	if c.streamed() {
		use = "FILE"
	}
	_, err = fmt.Fprintf(term.Out, "%s of %s, from %s of %s (declared public), %.1f%% of them words of the table\ntexts are cut by the rules %s\nsha256 %s\nuse it with --embeddings %s\n",
		cli.Plural(table.Len(), "word"), cli.Plural(table.Dim(), "dimension"), cli.Plural(int(trained.Tokens), "token"), cli.Plural(int(trained.Texts), "text"),
		100*float64(trained.Known)/float64(trained.Tokens), cutBy(table), table.Digest(), use)
	return err
}

// publicTexts yields the texts of the corpus. A file of format text comes in parts.
func (c *corpusFlags) publicTexts(ctx context.Context, term *cli.Terminal) vectors.Corpus {
	return func(yield func([]byte, error) bool) {
		more := true
		read := func(text []byte) { more = more && yield(text, nil) }
		end := func() error {
			if !more {
				return cli.ErrEnough
			}
			return nil
		}
		for _, name := range c.files() {
			if err := c.EachText(ctx, term, name, read, end); err != nil {
				if more {
					yield(nil, err)
				}
				return
			}
		}
	}
}
